<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="es" sourcelanguage="en">
<context>
    <name>Alerts</name>
    <message>
        <source>It is your turn.</source>
        <translation>Te toca.</translation>
    </message>
</context>
<context>
    <name>Application</name>
    <message>
        <source>Leave this table first, then open the link again.</source>
        <translation>Deja primero esta mesa y vuelve a abrir el enlace.</translation>
    </message>
    <message>
        <source>The report was copied.</source>
        <translation>El informe se ha copiado.</translation>
    </message>
    <message>
        <source>Leaving the table…</source>
        <translation>Dejando la mesa…</translation>
    </message>
    <message>
        <source>Links and games that you open outside this window cannot reach it, because LanUNO has no private folder for that here. Use “Join by link or code” and the verifier.</source>
        <translation>Los enlaces y las partidas que abras fuera de esta ventana no llegan aquí, porque LanUNO no tiene una carpeta privada para eso. Usa «Entrar con enlace o código» y el verificador.</translation>
    </message>
    <message>
        <source>LanUNO is already open, but its window does not answer. Use that window; if it hangs, close it and start LanUNO again.</source>
        <translation>LanUNO ya está abierto, pero su ventana no responde. Usa esa ventana; si está bloqueada, ciérrala y abre LanUNO otra vez.</translation>
    </message>
    <message>
        <source>LanUNO is already open, but a program of another user answers in its place. Nothing was sent to that program. Use the open window instead.</source>
        <translation>LanUNO ya está abierto, pero en su lugar responde un programa de otro usuario. No se le ha enviado nada. Usa la ventana abierta.</translation>
    </message>
    <message>
        <source>LanUNO is already open, but its window cannot be told what to open. Use the open window instead.</source>
        <translation>LanUNO ya está abierto, pero no se le puede pedir a su ventana que abra nada. Usa la ventana abierta.</translation>
    </message>
</context>
<context>
    <name>AvatarPicker</name>
    <message>
        <source>Your colour</source>
        <translation>Tu color</translation>
    </message>
    <message>
        <source>Colour %1 of %2</source>
        <translation>Color %1 de %2</translation>
    </message>
</context>
<context>
    <name>Chat</name>
    <message>
        <source>{name} (watching)</source>
        <translation>{name} (espectador)</translation>
    </message>
</context>
<context>
    <name>ChatPanel</name>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Nobody has said anything yet.</source>
        <translation>Nadie ha escrito nada todavía.</translation>
    </message>
    <message>
        <source>Say something</source>
        <translation>Escribe algo</translation>
    </message>
    <message>
        <source>Show messages of %1</source>
        <translation>Mostrar los mensajes de %1</translation>
    </message>
    <message>
        <source>%1 (watching)</source>
        <translation>%1 (espectador)</translation>
    </message>
    <message>
        <source>Send %1 away</source>
        <translation>Expulsar a %1</translation>
    </message>
    <message>
        <source>Let people watch</source>
        <translation>Permitir espectadores</translation>
    </message>
    <message>
        <source>Let nobody watch</source>
        <translation>No permitir espectadores</translation>
    </message>
    <message>
        <source>Hide messages of %1</source>
        <translation>Ocultar los mensajes de %1</translation>
    </message>
    <message>
        <source>(watching)</source>
        <translation>(espectador)</translation>
    </message>
    <message>
        <source>Hide messages, send spectators away</source>
        <translation>Ocultar mensajes, expulsar a espectadores</translation>
    </message>
    <message>
        <source>Hide somebody's messages</source>
        <translation>Ocultar los mensajes de alguien</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Enviar</translation>
    </message>
</context>
<context>
    <name>Checks</name>
    <message>
        <source>Every entry of the log follows the one before</source>
        <translation>Cada entrada del registro sigue a la anterior</translation>
    </message>
    <message>
        <source>Every entry is signed by its author</source>
        <translation>Cada entrada está firmada por su autor</translation>
    </message>
    <message>
        <source>Only the players of this table acted</source>
        <translation>Solo actuaron los jugadores de esta mesa</translation>
    </message>
    <message>
        <source>Everybody used the seed that they had promised</source>
        <translation>Cada jugador usó la semilla que había prometido</translation>
    </message>
    <message>
        <source>Every shuffle follows from its seed</source>
        <translation>Cada barajado corresponde a su semilla</translation>
    </message>
    <message>
        <source>Every lock on every card follows from its seed</source>
        <translation>Cada candado de cada carta corresponde a su semilla</translation>
    </message>
    <message>
        <source>Every key that was published is the right one</source>
        <translation>Cada clave que se publicó es la correcta</translation>
    </message>
    <message>
        <source>Every card was where the shuffles put it</source>
        <translation>Cada carta estaba donde la dejaron los barajados</translation>
    </message>
    <message>
        <source>The scores match the hands</source>
        <translation>Los puntos corresponden a las manos</translation>
    </message>
    <message>
        <source>Everybody revealed their seed at the end</source>
        <translation>Todos revelaron su semilla al final</translation>
    </message>
    <message>
        <source>The key parts kept for players who left match their seeds</source>
        <translation>Las partes de clave de los jugadores que se fueron corresponden a sus semillas</translation>
    </message>
    <message>
        <source>The host recorded the true state of the game</source>
        <translation>El anfitrión registró el estado verdadero de la partida</translation>
    </message>
    <message>
        <source>Every move was legal, with all hands known</source>
        <translation>Cada jugada fue legal, con todas las manos a la vista</translation>
    </message>
    <message>
        <source>not in round {number}</source>
        <translation>no en la ronda {number}</translation>
    </message>
</context>
<context>
    <name>ColourBadge</name>
    <message>
        <source>Red</source>
        <translation>Rojo</translation>
    </message>
    <message>
        <source>Yellow</source>
        <translation>Amarillo</translation>
    </message>
    <message>
        <source>Green</source>
        <translation>Verde</translation>
    </message>
    <message>
        <source>Blue</source>
        <translation>Azul</translation>
    </message>
    <message>
        <source>No colour yet</source>
        <translation>Todavía sin color</translation>
    </message>
    <message>
        <source>Colour: %1</source>
        <translation>Color: %1</translation>
    </message>
</context>
<context>
    <name>ColourPicker</name>
    <message>
        <source>Red</source>
        <translation>Rojo</translation>
    </message>
    <message>
        <source>Yellow</source>
        <translation>Amarillo</translation>
    </message>
    <message>
        <source>Green</source>
        <translation>Verde</translation>
    </message>
    <message>
        <source>Blue</source>
        <translation>Azul</translation>
    </message>
    <message>
        <source>Which colour?</source>
        <translation>¿Qué color?</translation>
    </message>
    <message>
        <source>Take back</source>
        <translation>Devolver la carta</translation>
    </message>
</context>
<context>
    <name>CrashSheet</name>
    <message>
        <source>Something went wrong in LanUNO</source>
        <translation>Algo falló en LanUNO</translation>
    </message>
    <message>
        <source>This is our mistake, not yours. The program continues if it can, and everything played so far is saved. This report helps to find the mistake; it contains nothing secret.</source>
        <translation>El error es nuestro, no tuyo. El programa sigue si puede, y todo lo jugado hasta ahora está guardado. Este informe ayuda a encontrar el error y no contiene nada secreto.</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Informe</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Cerrar</translation>
    </message>
    <message>
        <source>Copy the report</source>
        <translation>Copiar el informe</translation>
    </message>
</context>
<context>
    <name>Destination</name>
    <message>
        <source>{address}, port {port}</source>
        <translation>{address}, puerto {port}</translation>
    </message>
    <message>
        <source>an address that cannot be shown</source>
        <translation>una dirección que no se puede mostrar</translation>
    </message>
    <message>
        <source>{name}, as it is announced on this network. Nobody has checked this name.</source>
        <translation>{name}, según se anuncia en esta red. Nadie ha comprobado este nombre.</translation>
    </message>
    <message>
        <source>You have not played with this host before.</source>
        <translation>No has jugado antes con este anfitrión.</translation>
    </message>
    <message>
        <source>{name}: you have a seat at this table. LanUNO looks for its players where they were last, not at this address.</source>
        <translation>{name}: tienes un asiento en esta mesa. LanUNO busca a sus jugadores donde estaban la última vez, no en esta dirección.</translation>
    </message>
    <message>
        <source>The name of this table is not known.</source>
        <translation>No se conoce el nombre de esta mesa.</translation>
    </message>
    <message>
        <source>The address does not say whose table it is: LanUNO will take the computer that answers for the host.</source>
        <translation>La dirección no dice de quién es la mesa: LanUNO tomará por anfitrión al equipo que responda.</translation>
    </message>
    <message>
        <source>You have played with this host before; the name was {name} then. The key is checked when you join.</source>
        <translation>Ya jugaste con este anfitrión, que entonces se llamaba {name}. Su clave se comprueba al entrar.</translation>
    </message>
    <message>
        <source>This is the address of this computer.</source>
        <translation>Es la dirección de este equipo.</translation>
    </message>
    <message>
        <source>This address is on this network.</source>
        <translation>Esta dirección está en esta red.</translation>
    </message>
    <message>
        <source>This address is behind another adapter of this computer: a VPN, a virtual machine, or one that LanUNO does not play on.</source>
        <translation>Esta dirección está detrás de otro adaptador de este equipo: una VPN, una máquina virtual o uno en el que LanUNO no juega.</translation>
    </message>
    <message>
        <source>This address is not on this network. The computer there learns your address, name and public key. Join only if you know who made this link.</source>
        <translation>Esta dirección no está en esta red. El equipo de esa dirección conocerá tu dirección, tu nombre y tu clave pública. Entra solo si sabes quién hizo este enlace.</translation>
    </message>
    <message>
        <source>This address is on the internet, not on this network. The computer there learns your address, name and public key. Join only if you know who made this link.</source>
        <translation>Esta dirección está en internet, no en esta red. El equipo de esa dirección conocerá tu dirección, tu nombre y tu clave pública. Entra solo si sabes quién hizo este enlace.</translation>
    </message>
    <message>
        <source>This is a name, not an address: it may lead anywhere, also to the internet. The computer there learns your address, name and public key. Join only if you know who made this link.</source>
        <translation>Esto es un nombre, no una dirección: puede llevar a cualquier parte, también a internet. El equipo que responda conocerá tu dirección, tu nombre y tu clave pública. Entra solo si sabes quién hizo este enlace.</translation>
    </message>
</context>
<context>
    <name>DropHere</name>
    <message>
        <source>Drop the game here to check every card in it.</source>
        <translation>Suelta aquí la partida para comprobar todas sus cartas.</translation>
    </message>
</context>
<context>
    <name>Finding</name>
    <message>
        <source>right</source>
        <translation>correcto</translation>
    </message>
    <message>
        <source>wrong</source>
        <translation>incorrecto</translation>
    </message>
    <message>
        <source>could not be checked</source>
        <translation>no se pudo comprobar</translation>
    </message>
</context>
<context>
    <name>GameLine</name>
    <message>
        <source>Opens this game in the verifier</source>
        <translation>Abre esta partida en el verificador</translation>
    </message>
    <message numerus="yes">
        <source>%n points</source>
        <translation>
            <numerusform>%n punto</numerusform>
            <numerusform>%n puntos</numerusform>
        </translation>
    </message>
    <message>
        <source>Delete this game: %1</source>
        <translation>Borrar esta partida: %1</translation>
    </message>
</context>
<context>
    <name>HandFan</name>
    <message>
        <source>Your hand</source>
        <translation>Tu mano</translation>
    </message>
</context>
<context>
    <name>History</name>
    <message>
        <source>History</source>
        <translation>Historial</translation>
    </message>
    <message>
        <source>The list of games cannot be shown.</source>
        <translation>No se puede mostrar la lista de partidas.</translation>
    </message>
    <message>
        <source>No games yet</source>
        <translation>Aún no hay partidas</translation>
    </message>
    <message>
        <source>Every game that you play or watch is kept here, with the proof of how it was dealt.</source>
        <translation>Aquí se guarda cada partida que juegas o ves, con la prueba de cómo se repartió.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Reintentar</translation>
    </message>
    <message>
        <source>Find a table</source>
        <translation>Buscar una mesa</translation>
    </message>
    <message>
        <source>Reading your games…</source>
        <translation>Leyendo tus partidas…</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Mostrar</translation>
    </message>
    <message>
        <source>All games</source>
        <translation>Todas las partidas</translation>
    </message>
    <message>
        <source>Games I won</source>
        <translation>Partidas que gané</translation>
    </message>
    <message>
        <source>Games I lost</source>
        <translation>Partidas que perdí</translation>
    </message>
    <message>
        <source>Unfinished games</source>
        <translation>Partidas sin terminar</translation>
    </message>
    <message>
        <source>Games I watched</source>
        <translation>Partidas que vi</translation>
    </message>
    <message>
        <source>Games with cheats</source>
        <translation>Partidas con trampas</translation>
    </message>
    <message>
        <source>Somebody's name</source>
        <translation>El nombre de alguien</translation>
    </message>
    <message>
        <source>No game matches.</source>
        <translation>Ninguna partida coincide.</translation>
    </message>
    <message>
        <source>Show older games</source>
        <translation>Mostrar partidas anteriores</translation>
    </message>
    <message>
        <source>Delete this game?</source>
        <translation>¿Borrar esta partida?</translation>
    </message>
    <message>
        <source>Delete it</source>
        <translation>Borrarla</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>Conservarla</translation>
    </message>
    <message>
        <source>Nobody won</source>
        <translation>No ganó nadie</translation>
    </message>
    <message numerus="yes">
        <source>%n rounds</source>
        <translation>
            <numerusform>%n ronda</numerusform>
            <numerusform>%n rondas</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n games together</source>
        <translation>
            <numerusform>%n partida en común</numerusform>
            <numerusform>%n partidas en común</numerusform>
        </translation>
    </message>
    <message>
        <source>{game}, {when}: the file of this game is deleted from this computer, and with it the proof that it was fair. The other players keep theirs.</source>
        <translation>{game}, {when}: el archivo de esta partida se borra de este equipo, y con él la prueba de que fue limpia. Los demás jugadores conservan el suyo.</translation>
    </message>
    <message>
        <source>A tournament of two tables</source>
        <translation>Un torneo de dos mesas</translation>
    </message>
    <message>
        <source>Ended before anybody won</source>
        <translation>Terminó sin que nadie ganara</translation>
    </message>
    <message>
        <source>Not played to its end here</source>
        <translation>Aquí no se jugó hasta el final</translation>
    </message>
    <message numerus="yes">
        <source>games won in a row</source>
        <translation>
            <numerusform>partida ganada</numerusform>
            <numerusform>partidas ganadas seguidas</numerusform>
        </translation>
    </message>
    <message>
        <source>{ending}; broken off, so it does not count</source>
        <translation>{ending}; se interrumpió y no cuenta</translation>
    </message>
    <message numerus="yes">
        <source>%n more games are not counted: {why}.</source>
        <translation>
            <numerusform>%n partida más no se cuenta: {why}.</numerusform>
            <numerusform>%n partidas más no se cuentan: {why}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files in the folder are not games.</source>
        <translation>
            <numerusform>Un archivo de la carpeta no es una partida.</numerusform>
            <numerusform>%n archivos de la carpeta no son partidas.</numerusform>
        </translation>
    </message>
    <message>
        <source>{ending}; does not count because of cheating</source>
        <translation>{ending}; no cuenta, porque hubo trampas</translation>
    </message>
    <message>
        <source>You won</source>
        <translation>Ganaste</translation>
    </message>
    <message>
        <source>You were ahead when it ended</source>
        <translation>Ibas en cabeza cuando terminó</translation>
    </message>
    <message numerus="yes">
        <source>{names} were ahead when it ended</source>
        <translation>
            <numerusform>{names} iba en cabeza cuando terminó</numerusform>
            <numerusform>{names} iban en cabeza cuando terminó</numerusform>
        </translation>
    </message>
    <message>
        <source>Verified</source>
        <translation>Comprobada</translation>
    </message>
    <message>
        <source>Somebody cheated</source>
        <translation>Hubo trampas</translation>
    </message>
    <message>
        <source>Incomplete</source>
        <translation>Incompleta</translation>
    </message>
    <message>
        <source>Changed file</source>
        <translation>Archivo cambiado</translation>
    </message>
    <message>
        <source>Unreadable</source>
        <translation>Ilegible</translation>
    </message>
    <message>
        <source>Games</source>
        <translation>Partidas</translation>
    </message>
    <message>
        <source>Won</source>
        <translation>Ganadas</translation>
    </message>
    <message>
        <source>Points</source>
        <translation>Puntos</translation>
    </message>
    <message>
        <source>Time played</source>
        <translation>Tiempo de juego</translation>
    </message>
    <message>
        <source>Longest game</source>
        <translation>La más larga</translation>
    </message>
    <message>
        <source>Best run</source>
        <translation>Mejor racha</translation>
    </message>
    <message>
        <source>{hours} h {minutes} min</source>
        <translation>{hours} h {minutes} min</translation>
    </message>
    <message>
        <source>{ending}; does not count</source>
        <translation>{ending}; no cuenta</translation>
    </message>
    <message>
        <source>You won, with {names}</source>
        <translation>Ganaste, con {names}</translation>
    </message>
    <message numerus="yes">
        <source>{names} won</source>
        <translation>
            <numerusform>Ganó {names}</numerusform>
            <numerusform>Ganaron {names}</numerusform>
        </translation>
    </message>
    <message>
        <source>won in a row; now: {now}</source>
        <translation>ganadas seguidas; ahora: {now}</translation>
    </message>
    <message numerus="yes">
        <source>in %n rounds</source>
        <translation>
            <numerusform>en %n ronda</numerusform>
            <numerusform>en %n rondas</numerusform>
        </translation>
    </message>
    <message>
        <source>{minutes} min</source>
        <translation>{minutes} min</translation>
    </message>
    <message numerus="yes">
        <source>%n not finished</source>
        <translation>
            <numerusform>%n sin terminar</numerusform>
            <numerusform>%n sin terminar</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n broken off</source>
        <translation>
            <numerusform>%n interrumpida</numerusform>
            <numerusform>%n interrumpidas</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n with cheating</source>
        <translation>
            <numerusform>%n con trampas</numerusform>
            <numerusform>%n con trampas</numerusform>
        </translation>
    </message>
    <message>
        <source>{share} % of those that were decided</source>
        <translation>{share} % de las que tuvieron ganador</translation>
    </message>
</context>
<context>
    <name>Home</name>
    <message numerus="yes">
        <source>%n seats are free</source>
        <translation>
            <numerusform>%n asiento libre</numerusform>
            <numerusform>%n asientos libres</numerusform>
        </translation>
    </message>
    <message>
        <source>Practice</source>
        <translation>Práctica</translation>
    </message>
    <message>
        <source>No table was found yet. Both computers must be on the same network; a firewall or a guest network may hide tables. Open one yourself, or join by link or code.</source>
        <translation>Todavía no se ha encontrado ninguna mesa. Los dos equipos deben estar en la misma red; un firewall o una red de invitados puede ocultar las mesas. Abre una o entra con un enlace o un código.</translation>
    </message>
    <message>
        <source>Asking its host…</source>
        <translation>Preguntando a su anfitrión…</translation>
    </message>
    <message>
        <source>You have a seat at this table: continue playing</source>
        <translation>Tienes un asiento en esta mesa: sigue jugando</translation>
    </message>
    <message>
        <source>Found at the last address of this host</source>
        <translation>Encontrada en la última dirección de este anfitrión</translation>
    </message>
    <message>
        <source>The match is over</source>
        <translation>La partida ha terminado</translation>
    </message>
    <message numerus="yes">
        <source>%n players are playing</source>
        <translation>
            <numerusform>Juega una persona</numerusform>
            <numerusform>Juegan %n personas</numerusform>
        </translation>
    </message>
    <message>
        <source>All seats are taken</source>
        <translation>Todos los asientos están ocupados</translation>
    </message>
    <message>
        <source>Looking for tables on this network…</source>
        <translation>Buscando mesas en esta red…</translation>
    </message>
    <message>
        <source>Only the adapter {name} is searched: see Settings.</source>
        <translation>Solo se busca en el adaptador {name}: consulta los Ajustes.</translation>
    </message>
    <message>
        <source>with a PIN</source>
        <translation>con PIN</translation>
    </message>
    <message>
        <source>This table has just been closed.</source>
        <translation>Esta mesa se acaba de cerrar.</translation>
    </message>
    <message>
        <source>A table of {name}</source>
        <translation>Una mesa de {name}</translation>
    </message>
    <message>
        <source>With {names}, last played {when}</source>
        <translation>Con {names}; última partida: {when}</translation>
    </message>
    <message>
        <source>It is being played now: go on playing</source>
        <translation>Se está jugando ahora: sigue jugando</translation>
    </message>
    <message>
        <source>A table</source>
        <translation>Una mesa</translation>
    </message>
    <message>
        <source>Host a table</source>
        <translation>Abrir una mesa</translation>
    </message>
    <message>
        <source>Everybody on this network sees it at once</source>
        <translation>Todos en esta red la ven de inmediato</translation>
    </message>
    <message>
        <source>Practise</source>
        <translation>Practicar</translation>
    </message>
    <message>
        <source>Against bots, offline</source>
        <translation>Contra bots, sin conexión</translation>
    </message>
    <message>
        <source>Bots to practise against</source>
        <translation>Bots para practicar</translation>
    </message>
    <message numerus="yes">
        <source>%n bots</source>
        <translation>
            <numerusform>%n bot</numerusform>
            <numerusform>%n bots</numerusform>
        </translation>
    </message>
    <message>
        <source>Join by link or code</source>
        <translation>Entrar con enlace o código</translation>
    </message>
    <message>
        <source>For a table that is not in the list</source>
        <translation>Para una mesa que no está en la lista</translation>
    </message>
    <message>
        <source>Verify</source>
        <translation>Verificar</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Historial</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>Reglas</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Ajustes</translation>
    </message>
    <message>
        <source>Tables on this network</source>
        <translation>Mesas en esta red</translation>
    </message>
    <message>
        <source>Looking for more…</source>
        <translation>Buscando más…</translation>
    </message>
    <message>
        <source>This is how the others see you</source>
        <translation>Así te ven los demás</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Listo</translation>
    </message>
</context>
<context>
    <name>Host</name>
    <message>
        <source>Host a table</source>
        <translation>Abrir una mesa</translation>
    </message>
    <message>
        <source>Change the rules</source>
        <translation>Cambiar las reglas</translation>
    </message>
    <message>
        <source>Rulebook</source>
        <translation>Reglamento</translation>
    </message>
    <message>
        <source>Name of the table</source>
        <translation>Nombre de la mesa</translation>
    </message>
    <message>
        <source>PIN</source>
        <translation>PIN</translation>
    </message>
    <message>
        <source>none</source>
        <translation>sin PIN</translation>
    </message>
    <message>
        <source>Seats</source>
        <translation>Asientos</translation>
    </message>
    <message>
        <source>until somebody wins</source>
        <translation>hasta que alguien gane</translation>
    </message>
    <message>
        <source>Spectators see how many cards everybody holds, never which ones.</source>
        <translation>Los espectadores ven cuántas cartas tiene cada jugador, nunca cuáles.</translation>
    </message>
    <message>
        <source>Changes are marked</source>
        <translation>Los cambios están marcados</translation>
    </message>
    <message>
        <source>Everybody on this network sees the table; players need the PIN to join.</source>
        <translation>Todos en esta red ven la mesa; para entrar hace falta el PIN.</translation>
    </message>
    <message>
        <source>Everybody on this network sees the table and can join.</source>
        <translation>Todos en esta red ven la mesa y pueden entrar.</translation>
    </message>
    <message>
        <source>Bots</source>
        <translation>Bots</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>Rondas</translation>
    </message>
    <message>
        <source>Others may watch</source>
        <translation>Se permiten espectadores</translation>
    </message>
    <message>
        <source>Alone against bots</source>
        <translation>Solo contra bots</translation>
    </message>
    <message>
        <source>The table is opened for you alone, without a network.</source>
        <translation>La mesa se abre solo para ti, sin red.</translation>
    </message>
    <message>
        <source>Use these rules</source>
        <translation>Usar estas reglas</translation>
    </message>
    <message>
        <source>How it is played</source>
        <translation>Cómo se juega</translation>
    </message>
    <message>
        <source>House rules</source>
        <translation>Reglas de la casa</translation>
    </message>
    <message>
        <source>Just as in the rulebook</source>
        <translation>Igual que en el reglamento</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>Guardar…</translation>
    </message>
    <message>
        <source>Save these rules under a name</source>
        <translation>Guardar estas reglas con un nombre</translation>
    </message>
    <message>
        <source>As in the rulebook</source>
        <translation>Como en el reglamento</translation>
    </message>
    <message>
        <source>Everybody is asked again whether they are ready.</source>
        <translation>Se volverá a preguntar a todos si están listos.</translation>
    </message>
    <message>
        <source>Only you and the bots.</source>
        <translation>Solo tú y los bots.</translation>
    </message>
    <message>
        <source>Begin</source>
        <translation>Empezar</translation>
    </message>
    <message>
        <source>Open the table</source>
        <translation>Abrir la mesa</translation>
    </message>
    <message>
        <source>Choose another name: 1 to 32 visible letters, and not that of a rulebook.</source>
        <translation>Elige otro nombre: de 1 a 32 letras visibles, y que no sea el de un reglamento.</translation>
    </message>
    <message>
        <source>This name cannot be shown to others: use 1 to 32 visible letters.</source>
        <translation>Este nombre no se puede mostrar a los demás: usa de 1 a 32 letras visibles.</translation>
    </message>
    <message>
        <source>A PIN has at most 16 letters (a-z) and digits, no spaces.</source>
        <translation>Un PIN tiene como máximo 16 letras (a-z) y cifras, sin espacios.</translation>
    </message>
    <message>
        <source>A tournament is played by eight people: no bots.</source>
        <translation>Un torneo es para ocho personas: no admite bots.</translation>
    </message>
    <message>
        <source>Other rules have this name.</source>
        <translation>Otras reglas tienen este nombre.</translation>
    </message>
    <message numerus="yes">
        <source>%n sets of rules are saved: delete one first.</source>
        <translation>
            <numerusform>Hay %n juego de reglas guardado: borra uno antes.</numerusform>
            <numerusform>Hay %n juegos de reglas guardados: borra uno antes.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HouseRule</name>
    <message>
        <source>changed</source>
        <translation>cambiada</translation>
    </message>
</context>
<context>
    <name>Identity</name>
    <message>
        <source>Your name</source>
        <translation>Tu nombre</translation>
    </message>
</context>
<context>
    <name>InterruptedRow</name>
    <message>
        <source>Continue</source>
        <translation>Seguir</translation>
    </message>
    <message>
        <source>Continue %1</source>
        <translation>Seguir con %1</translation>
    </message>
    <message>
        <source>Do not continue %1</source>
        <translation>No seguir con %1</translation>
    </message>
</context>
<context>
    <name>Invitation</name>
    <message>
        <source>Link to this table as a QR code</source>
        <translation>Enlace a esta mesa como código QR</translation>
    </message>
    <message>
        <source>On this network everybody sees the table; players need the PIN to join.</source>
        <translation>En esta red todos ven la mesa; para entrar hace falta el PIN.</translation>
    </message>
    <message>
        <source>On this network everybody sees the table. To invite others:</source>
        <translation>En esta red todos ven la mesa. Para invitar a otras personas:</translation>
    </message>
    <message>
        <source>Code: %1</source>
        <translation>Código: %1</translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation>Copiar código</translation>
    </message>
    <message>
        <source>Copy link</source>
        <translation>Copiar enlace</translation>
    </message>
    <message>
        <source>Join the table of this link?</source>
        <translation>¿Entrar en la mesa de este enlace?</translation>
    </message>
    <message>
        <source>Answer this question first, then open the link again.</source>
        <translation>Responde primero a esta pregunta y luego vuelve a abrir el enlace.</translation>
    </message>
</context>
<context>
    <name>Join</name>
    <message>
        <source>Join by link or code</source>
        <translation>Entrar con enlace o código</translation>
    </message>
    <message>
        <source>Where is the table?</source>
        <translation>¿Dónde está la mesa?</translation>
    </message>
    <message>
        <source>Link, code or address</source>
        <translation>Enlace, código o dirección</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>Pegar</translation>
    </message>
    <message>
        <source>PIN, if the table has one</source>
        <translation>PIN, si la mesa tiene uno</translation>
    </message>
    <message>
        <source>The PIN that you gave this table before is used.</source>
        <translation>Se usa el PIN que ya diste para esta mesa.</translation>
    </message>
    <message>
        <source>Looking for the table and taking a seat…</source>
        <translation>Buscando la mesa y entrando…</translation>
    </message>
    <message>
        <source>The host can copy it in the waiting room and send it to you.</source>
        <translation>El anfitrión puede copiarlo en la sala de espera y enviártelo.</translation>
    </message>
    <message>
        <source>Short enough to say aloud.</source>
        <translation>Tan corto que se puede decir en voz alta.</translation>
    </message>
    <message>
        <source>The number of the other computer on this network.</source>
        <translation>El número del otro equipo en esta red.</translation>
    </message>
    <message>
        <source>Join the table</source>
        <translation>Entrar en la mesa</translation>
    </message>
    <message>
        <source>Only watch</source>
        <translation>Entrar como espectador</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>A link</source>
        <translation>Un enlace</translation>
    </message>
    <message>
        <source>A code</source>
        <translation>Un código</translation>
    </message>
    <message>
        <source>An address</source>
        <translation>Una dirección</translation>
    </message>
    <message>
        <source>This is not a link, a code or an address. A link begins with “lanuno:”, a code has nine letters and digits, an address looks like 192.168.1.20:47474.</source>
        <translation>Esto no es un enlace, un código ni una dirección. Un enlace empieza por «lanuno:», un código tiene nueve letras y cifras, una dirección es como 192.168.1.20:47474.</translation>
    </message>
</context>
<context>
    <name>JoiningSheet</name>
    <message>
        <source>Joining %1…</source>
        <translation>Entrando en %1…</translation>
    </message>
    <message>
        <source>Joining the table…</source>
        <translation>Entrando en la mesa…</translation>
    </message>
    <message>
        <source>The two computers are getting in contact.</source>
        <translation>Los dos equipos se están conectando.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
</context>
<context>
    <name>KeyHelp</name>
    <message>
        <source>Keys</source>
        <translation>Teclas</translation>
    </message>
    <message>
        <source>Play the card, press the button</source>
        <translation>Jugar la carta, presionar el botón</translation>
    </message>
    <message>
        <source>Choose a card</source>
        <translation>Elegir una carta</translation>
    </message>
    <message>
        <source>Left and right arrow</source>
        <translation>Flechas izquierda y derecha</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Intro</translation>
    </message>
    <message>
        <source>Draw</source>
        <translation>Tomar</translation>
    </message>
    <message>
        <source>Keep the card drawn</source>
        <translation>Quedarse con la carta tomada</translation>
    </message>
    <message>
        <source>Say “UNO”</source>
        <translation>Decir «UNO»</translation>
    </message>
    <message>
        <source>Catch somebody</source>
        <translation>Atrapar a alguien</translation>
    </message>
    <message>
        <source>Accept a penalty</source>
        <translation>Aceptar un castigo</translation>
    </message>
    <message>
        <source>Challenge</source>
        <translation>Desafiar</translation>
    </message>
    <message>
        <source>Object</source>
        <translation>Objetar</translation>
    </message>
    <message>
        <source>Jump in</source>
        <translation>Colarse</translation>
    </message>
    <message>
        <source>Red, yellow, green, blue</source>
        <translation>Rojo, amarillo, verde, azul</translation>
    </message>
    <message>
        <source>Next player, pile or button</source>
        <translation>Siguiente jugador, montón o botón</translation>
    </message>
    <message>
        <source>Sort the hand</source>
        <translation>Ordenar la mano</translation>
    </message>
    <message>
        <source>Sound on and off</source>
        <translation>Activar o silenciar el sonido</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>List of moves</source>
        <translation>Lista de jugadas</translation>
    </message>
    <message>
        <source>React without words</source>
        <translation>Reaccionar sin palabras</translation>
    </message>
    <message>
        <source>After E: choose a reaction</source>
        <translation>Después de E: elegir una reacción</translation>
    </message>
    <message>
        <source>Hear what has happened</source>
        <translation>Oír lo que ha pasado</translation>
    </message>
    <message>
        <source>These keys</source>
        <translation>Estas teclas</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>Pantalla completa</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Atrás</translation>
    </message>
    <message>
        <source>First and last card</source>
        <translation>Primera y última carta</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Salir</translation>
    </message>
    <message>
        <source>Home  End</source>
        <translation>Inicio  Fin</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Cerrar</translation>
    </message>
</context>
<context>
    <name>LeaveSheet</name>
    <message>
        <source>Leave the table?</source>
        <translation>¿Dejar la mesa?</translation>
    </message>
    <message>
        <source>Leave</source>
        <translation>Salir</translation>
    </message>
    <message>
        <source>Stay</source>
        <translation>Quedarme</translation>
    </message>
</context>
<context>
    <name>LeftHands</name>
    <message>
        <source>Open hands</source>
        <translation>Manos a la vista</translation>
    </message>
    <message>
        <source>%1, cards: %2, points: %3</source>
        <translation>%1, cartas: %2, puntos: %3</translation>
    </message>
    <message>
        <source>went out</source>
        <translation>sin cartas</translation>
    </message>
</context>
<context>
    <name>LinkSheet</name>
    <message>
        <source>Join the table of this link?</source>
        <translation>¿Entrar en la mesa de este enlace?</translation>
    </message>
    <message>
        <source>Another program asks LanUNO to open it. Nothing has been sent there yet.</source>
        <translation>Otro programa le pide a LanUNO que lo abra. Todavía no se ha enviado nada a esa dirección.</translation>
    </message>
    <message>
        <source>Join</source>
        <translation>Entrar</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
</context>
<context>
    <name>Lobby</name>
    <message>
        <source>The table filled up before you sat down.</source>
        <translation>La mesa se llenó antes de que entraras.</translation>
    </message>
    <message>
        <source>Somebody at this table already has your name. Change yours in Settings.</source>
        <translation>En esta mesa ya hay alguien con tu nombre. Cambia el tuyo en Ajustes.</translation>
    </message>
    <message>
        <source>The host does not accept your name. Change it in Settings.</source>
        <translation>El anfitrión no acepta tu nombre. Cámbialo en Ajustes.</translation>
    </message>
    <message>
        <source>That is not the PIN. Ask the host; after five wrong ones you must wait for a minute.</source>
        <translation>Ese no es el PIN. Pídeselo al anfitrión; tras cinco intentos fallidos hay que esperar un minuto.</translation>
    </message>
    <message>
        <source>This table has already begun to play.</source>
        <translation>En esta mesa ya empezó la partida.</translation>
    </message>
    <message>
        <source>Nobody else can watch this table.</source>
        <translation>Nadie más puede ver esta mesa.</translation>
    </message>
    <message>
        <source>The host removed you from this table.</source>
        <translation>El anfitrión te ha expulsado de esta mesa.</translation>
    </message>
    <message>
        <source>You are already at this table, perhaps in another window.</source>
        <translation>Ya estás en esta mesa, quizá en otra ventana.</translation>
    </message>
    <message>
        <source>The host tried to begin another game than the one agreed on. Nothing was signed; do not play there.</source>
        <translation>El anfitrión intentó empezar una partida distinta de la acordada. No se ha firmado nada; no juegues ahí.</translation>
    </message>
    <message>
        <source>Your computer took too long to begin. Join again.</source>
        <translation>Tu equipo tardó demasiado en empezar. Vuelve a entrar.</translation>
    </message>
    <message>
        <source>The host closed the table.</source>
        <translation>El anfitrión ha cerrado la mesa.</translation>
    </message>
    <message>
        <source>The host has another version of LanUNO. Update both, then try again.</source>
        <translation>El anfitrión tiene otra versión de LanUNO. Hay que actualizar las dos y volver a intentarlo.</translation>
    </message>
    <message>
        <source>This table is only for the players of a tournament.</source>
        <translation>Esta mesa es solo para los jugadores de un torneo.</translation>
    </message>
</context>
<context>
    <name>Mat</name>
    <message>
        <source>Play goes clockwise</source>
        <translation>Se juega en sentido horario</translation>
    </message>
    <message>
        <source>Play goes counter-clockwise</source>
        <translation>Se juega en sentido antihorario</translation>
    </message>
</context>
<context>
    <name>Motions</name>
    <message>
        <source>Red</source>
        <translation>Rojo</translation>
    </message>
    <message>
        <source>Yellow</source>
        <translation>Amarillo</translation>
    </message>
    <message>
        <source>Green</source>
        <translation>Verde</translation>
    </message>
    <message>
        <source>Blue</source>
        <translation>Azul</translation>
    </message>
    <message>
        <source>Skipped</source>
        <translation>Pierde el turno</translation>
    </message>
    <message>
        <source>Reverse!</source>
        <translation>¡Reversa!</translation>
    </message>
    <message>
        <source>UNO!</source>
        <translation>¡UNO!</translation>
    </message>
    <message>
        <source>Caught!</source>
        <translation>¡No dijo UNO!</translation>
    </message>
    <message>
        <source>Challenge!</source>
        <translation>¡Desafío!</translation>
    </message>
    <message>
        <source>Out!</source>
        <translation>¡Sin cartas!</translation>
    </message>
    <message>
        <source>Has left</source>
        <translation>Se ha ido</translation>
    </message>
    <message>
        <source>Is back</source>
        <translation>Ha vuelto</translation>
    </message>
    <message>
        <source>Is the host now</source>
        <translation>Ahora es el anfitrión</translation>
    </message>
</context>
<context>
    <name>Moves</name>
    <message>
        <source>{name} jumps in with {card}</source>
        <translation>{name} se cuela con {card}</translation>
    </message>
    <message>
        <source>{name} plays {card}</source>
        <translation>{name} juega {card}</translation>
    </message>
    <message>
        <source>The first card is {card}</source>
        <translation>La primera carta es {card}</translation>
    </message>
    <message>
        <source>{name} names {colour}</source>
        <translation>{name} elige {colour}</translation>
    </message>
    <message>
        <source>{name} keeps it</source>
        <translation>{name} se queda con la carta</translation>
    </message>
    <message>
        <source>{name} has to pass: nothing is left to draw</source>
        <translation>{name} tiene que pasar: no quedan cartas que tomar</translation>
    </message>
    <message>
        <source>{name} loses the turn</source>
        <translation>{name} pierde el turno</translation>
    </message>
    <message numerus="yes">
        <source>{name} draws %n cards for not saying “UNO”</source>
        <translation>
            <numerusform>{name} toma una carta por no decir «UNO»</numerusform>
            <numerusform>{name} toma %n cartas por no decir «UNO»</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{name} draws %n cards: the challenge failed</source>
        <translation>
            <numerusform>{name} toma una carta: el desafío falló</numerusform>
            <numerusform>{name} toma %n cartas: el desafío falló</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{name} draws %n cards: it was a bluff</source>
        <translation>
            <numerusform>{name} toma una carta: era un farol</numerusform>
            <numerusform>{name} toma %n cartas: era un farol</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{name} draws %n cards for a wrong card</source>
        <translation>
            <numerusform>{name} toma una carta por jugar una carta incorrecta</numerusform>
            <numerusform>{name} toma %n cartas por jugar una carta incorrecta</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{name} draws %n cards for advising</source>
        <translation>
            <numerusform>{name} toma una carta por aconsejar</numerusform>
            <numerusform>{name} toma %n cartas por aconsejar</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{name} draws %n cards</source>
        <translation>
            <numerusform>{name} toma una carta</numerusform>
            <numerusform>{name} toma %n cartas</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The discard pile was shuffled: %n cards</source>
        <translation>
            <numerusform>Se ha barajado la pila de descarte: una carta</numerusform>
            <numerusform>Se ha barajado la pila de descarte: %n cartas</numerusform>
        </translation>
    </message>
    <message>
        <source>{name} says “UNO”</source>
        <translation>{name} dice «UNO»</translation>
    </message>
    <message>
        <source>{name} catches {other}, who had not said “UNO”</source>
        <translation>{name} atrapa a {other}, que no había dicho «UNO»</translation>
    </message>
    <message>
        <source>{name} did not say “UNO”</source>
        <translation>{name} no dijo «UNO»</translation>
    </message>
    <message>
        <source>{name} accepts</source>
        <translation>{name} acepta</translation>
    </message>
    <message>
        <source>{name} challenges {other}</source>
        <translation>{name} desafía a {other}</translation>
    </message>
    <message>
        <source>{name} lost the connection; the others play on</source>
        <translation>{name} perdió la conexión; los demás siguen</translation>
    </message>
    <message>
        <source>{name} was removed: that computer sent something that makes no sense</source>
        <translation>{name} queda fuera: su equipo envió algo sin sentido</translation>
    </message>
    <message>
        <source>{name} shows the hand to {other}</source>
        <translation>{name} muestra su mano a {other}</translation>
    </message>
    <message>
        <source>{name} does not show the hand</source>
        <translation>{name} no muestra su mano</translation>
    </message>
    <message>
        <source>{name} does not say what is in the hand</source>
        <translation>{name} no dice qué hay en la mano</translation>
    </message>
    <message>
        <source>The starting card reverses</source>
        <translation>La carta inicial cambia el sentido</translation>
    </message>
    <message>
        <source>{name} reverses</source>
        <translation>{name} cambia el sentido</translation>
    </message>
    <message>
        <source>{name} had to show the hand to everybody: it was a bluff</source>
        <translation>{name} tuvo que mostrar su mano a todos: era un farol</translation>
    </message>
    <message>
        <source>{name} had to show the hand to everybody: it was no bluff</source>
        <translation>{name} tuvo que mostrar su mano a todos: no era un farol</translation>
    </message>
    <message>
        <source>{name} was bluffing</source>
        <translation>Lo de {name} era un farol</translation>
    </message>
    <message>
        <source>{name} was not bluffing</source>
        <translation>Lo de {name} no era un farol</translation>
    </message>
    <message>
        <source>The round is void and does not count</source>
        <translation>La ronda se anula y no cuenta</translation>
    </message>
    <message>
        <source>{name} objects: {other} takes the card back</source>
        <translation>{name} objeta: {other} recupera la carta</translation>
    </message>
    <message>
        <source>{name} accuses {other} of advising</source>
        <translation>{name} acusa a {other} de aconsejar</translation>
    </message>
    <message>
        <source>The vote: {name} advised</source>
        <translation>La votación: {name} aconsejó</translation>
    </message>
    <message>
        <source>The vote: {name} did not advise</source>
        <translation>La votación: {name} no aconsejó</translation>
    </message>
    <message>
        <source>{name} and {other} exchange hands</source>
        <translation>{name} y {other} intercambian sus manos</translation>
    </message>
    <message>
        <source>All hands move on to the next player</source>
        <translation>Todas las manos pasan al siguiente jugador</translation>
    </message>
    <message>
        <source>{name} has the highest card and deals</source>
        <translation>{name} tiene la carta más alta y reparte</translation>
    </message>
    <message>
        <source>Round {number}: {name} deals</source>
        <translation>Ronda {number}: reparte {name}</translation>
    </message>
    <message>
        <source>{name} is out of the match for cheating</source>
        <translation>{name} queda fuera de la partida por hacer trampas</translation>
    </message>
    <message>
        <source>{name} is out of the match</source>
        <translation>{name} queda fuera de la partida</translation>
    </message>
    <message>
        <source>{name} is back and plays from the next round</source>
        <translation>{name} ha vuelto y juega a partir de la próxima ronda</translation>
    </message>
    <message>
        <source>A bot of {other} plays for {name}</source>
        <translation>Un bot de {other} juega por {name}</translation>
    </message>
    <message>
        <source>{name} is the host now</source>
        <translation>Ahora {name} es el anfitrión</translation>
    </message>
    <message>
        <source>{other} is gone: {name} has won the match</source>
        <translation>{other} se ha ido: {name} gana la partida</translation>
    </message>
    <message>
        <source>{name} has left</source>
        <translation>{name} se ha ido</translation>
    </message>
    <message>
        <source>{name} goes out</source>
        <translation>{name} se queda sin cartas</translation>
    </message>
    <message>
        <source>Nobody can play any more: the round ends</source>
        <translation>Nadie puede jugar más: la ronda termina</translation>
    </message>
    <message>
        <source>The laps are played: the round ends</source>
        <translation>Se han jugado las vueltas: la ronda termina</translation>
    </message>
</context>
<context>
    <name>MovesLog</name>
    <message>
        <source>Moves</source>
        <translation>Jugadas</translation>
    </message>
</context>
<context>
    <name>Net</name>
    <message>
        <source>This table was found, but its computer does not answer: a firewall may be blocking port {port}.</source>
        <translation>Se encontró esta mesa, pero su equipo no responde: puede que un firewall bloquee el puerto {port}.</translation>
    </message>
    <message>
        <source>What answers there is not LanUNO. Ask the host for the link again.</source>
        <translation>Lo que responde ahí no es LanUNO. Pide otra vez el enlace al anfitrión.</translation>
    </message>
    <message>
        <source>This table cannot be reached: nothing answers there. Check that both computers are on the same network; a firewall may be blocking port {port}.</source>
        <translation>No se puede llegar a esta mesa: nada responde allí. Comprueba que los dos equipos estén en la misma red; puede que un firewall bloquee el puerto {port}.</translation>
    </message>
    <message>
        <source>The other computer sent something that makes no sense, so the connection was closed.</source>
        <translation>El otro equipo envió algo sin sentido y se cerró la conexión.</translation>
    </message>
    <message>
        <source>The other computer has another version of LanUNO. Update both, then try again.</source>
        <translation>El otro equipo tiene otra versión de LanUNO. Hay que actualizar las dos y volver a intentarlo.</translation>
    </message>
    <message>
        <source>The host is not who the invitation names. Do not play there; ask for a new invitation.</source>
        <translation>El anfitrión no es el que dice la invitación. No juegues ahí; pide una invitación nueva.</translation>
    </message>
    <message>
        <source>This table is over, and its host has another one now. Choose it on the first page.</source>
        <translation>Esta mesa terminó y su anfitrión tiene ahora otra. Elígela en la página de inicio.</translation>
    </message>
    <message>
        <source>The host refused the connection.</source>
        <translation>El anfitrión rechazó la conexión.</translation>
    </message>
    <message>
        <source>The host accepts no more connections right now. Try again in a moment.</source>
        <translation>El anfitrión no acepta más conexiones en este momento. Inténtalo de nuevo en un momento.</translation>
    </message>
    <message>
        <source>The other computer sent more than is allowed, so the connection was closed.</source>
        <translation>El otro equipo envió más de lo permitido y se cerró la conexión.</translation>
    </message>
    <message>
        <source>Too many messages were sent, so the connection was closed.</source>
        <translation>Se enviaron demasiados mensajes y se cerró la conexión.</translation>
    </message>
    <message>
        <source>This address cannot be reached. Check the link or the code.</source>
        <translation>No se puede llegar a esta dirección. Revisa el enlace o el código.</translation>
    </message>
    <message>
        <source>No port is free for a table. Close other programs that host a table, then try again.</source>
        <translation>No queda ningún puerto libre para abrir la mesa. Cierra otros programas que tengan mesas abiertas y vuelve a intentarlo.</translation>
    </message>
    <message>
        <source>This network cannot be used. Connect to it, or choose another adapter in Settings.</source>
        <translation>Esta red no se puede usar. Conéctate a ella o elige otro adaptador en Ajustes.</translation>
    </message>
    <message>
        <source>The connection is too slow to play on. Move closer to the router or use a cable.</source>
        <translation>La conexión es demasiado lenta para jugar. Acércate al router o usa un cable.</translation>
    </message>
    <message>
        <source>The connection was lost. Check the network, then join again.</source>
        <translation>Se perdió la conexión. Revisa la red y vuelve a entrar.</translation>
    </message>
    <message>
        <source>The host closed the connection.</source>
        <translation>El anfitrión cerró la conexión.</translation>
    </message>
    <message>
        <source>This link cannot be read. Copy it whole, from “lanuno:” to its end.</source>
        <translation>Este enlace no se puede leer. Cópialo entero, desde «lanuno:» hasta el final.</translation>
    </message>
    <message>
        <source>This computer cannot look for tables on its network: a firewall may be blocking multicast. You can still join by link or code.</source>
        <translation>Este equipo no puede buscar mesas en su red: puede que un firewall bloquee la multidifusión. Aun así puedes entrar con un enlace o un código.</translation>
    </message>
</context>
<context>
    <name>Notices</name>
    <message>
        <source>Close this message</source>
        <translation>Cerrar este mensaje</translation>
    </message>
</context>
<context>
    <name>OpenHand</name>
    <message>
        <source>you</source>
        <translation>tú</translation>
    </message>
    <message>
        <source>Follow card %1 of %2</source>
        <translation>Seguir la carta %1 de %2</translation>
    </message>
</context>
<context>
    <name>Opponent</name>
    <message>
        <source>Catch: %1</source>
        <translation>Atrapar: %1</translation>
    </message>
    <message>
        <source>has left</source>
        <translation>se ha ido</translation>
    </message>
    <message>
        <source>not in this round</source>
        <translation>no juega esta ronda</translation>
    </message>
    <message>
        <source>disconnected, %1 s</source>
        <translation>sin conexión, %1 s</translation>
    </message>
    <message>
        <source>disconnected</source>
        <translation>sin conexión</translation>
    </message>
    <message>
        <source>Catch!</source>
        <translation>¡Atrapar!</translation>
    </message>
</context>
<context>
    <name>Path</name>
    <message>
        <source>In the deck, as card {place}</source>
        <translation>En la baraja, como carta {place}</translation>
    </message>
    <message>
        <source>After {name}'s shuffle, as card {place}</source>
        <translation>Tras el barajado de {name}, como carta {place}</translation>
    </message>
    <message>
        <source>On the draw pile, as card {place}</source>
        <translation>En el mazo, como carta {place}</translation>
    </message>
    <message>
        <source>In {name}'s hand</source>
        <translation>En la mano de {name}</translation>
    </message>
    <message>
        <source>On the discard pile</source>
        <translation>En la pila de descarte</translation>
    </message>
</context>
<context>
    <name>PenaltyBadge</name>
    <message>
        <source>Pending penalty: %1</source>
        <translation>Castigo pendiente: %1</translation>
    </message>
</context>
<context>
    <name>People</name>
    <message>
        <source>Played with</source>
        <translation>Compañeros de juego</translation>
    </message>
    <message>
        <source>Only bots so far.</source>
        <translation>Por ahora, solo bots.</translation>
    </message>
    <message>
        <source>%1: %2, %3 won by you, %4 by them</source>
        <translation>%1: %2, %3 ganadas por ti, %4 por esa persona</translation>
    </message>
</context>
<context>
    <name>Piles</name>
    <message>
        <source>Draw a card; cards left: %1</source>
        <translation>Tomar una carta; quedan %1</translation>
    </message>
    <message>
        <source>Draw pile, cards left: %1</source>
        <translation>Mazo: quedan %1</translation>
    </message>
</context>
<context>
    <name>PinSheet</name>
    <message>
        <source>This table has a PIN</source>
        <translation>Esta mesa tiene PIN</translation>
    </message>
    <message>
        <source>Ask the host for it.</source>
        <translation>Pídeselo al anfitrión.</translation>
    </message>
    <message>
        <source>PIN</source>
        <translation>PIN</translation>
    </message>
    <message>
        <source>Join</source>
        <translation>Entrar</translation>
    </message>
    <message>
        <source>Watch</source>
        <translation>Ver</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
</context>
<context>
    <name>Play</name>
    <message>
        <source>This round is over.</source>
        <translation>Esta ronda ha terminado.</translation>
    </message>
    <message>
        <source>The cards are being shuffled: just a moment.</source>
        <translation>Se están barajando las cartas: un momento.</translation>
    </message>
    <message>
        <source>You do not play in this round.</source>
        <translation>No juegas en esta ronda.</translation>
    </message>
    <message>
        <source>It is not your turn.</source>
        <translation>No es tu turno.</translation>
    </message>
    <message>
        <source>This cannot be done at this moment.</source>
        <translation>Esto no se puede hacer en este momento.</translation>
    </message>
    <message>
        <source>This card is not in your hand any more.</source>
        <translation>Esta carta ya no está en tu mano.</translation>
    </message>
    <message>
        <source>The deck has no such card.</source>
        <translation>La baraja no tiene esa carta.</translation>
    </message>
    <message>
        <source>This is not the card that was announced.</source>
        <translation>Esta no es la carta anunciada.</translation>
    </message>
    <message>
        <source>With these rules nobody is caught: forgetting “UNO” costs cards automatically.</source>
        <translation>Con estas reglas no se atrapa a nadie: olvidar «UNO» cuesta cartas automáticamente.</translation>
    </message>
    <message>
        <source>You cannot do that to yourself.</source>
        <translation>No puedes hacerte eso a ti mismo.</translation>
    </message>
    <message>
        <source>The hand that was shown says otherwise.</source>
        <translation>La mano mostrada dice otra cosa.</translation>
    </message>
    <message>
        <source>That card is allowed: there is nothing to object to.</source>
        <translation>Esa carta está permitida: no hay nada que objetar.</translation>
    </message>
    <message>
        <source>Neither its colour nor its number or symbol matches the card on the table.</source>
        <translation>Ni su color ni su número o símbolo coinciden con la carta de la mesa.</translation>
    </message>
    <message>
        <source>After drawing, only the card just drawn may be played.</source>
        <translation>Después de tomar una carta, solo se puede jugar esa.</translation>
    </message>
    <message>
        <source>Choose a colour for this card.</source>
        <translation>Elige un color para esta carta.</translation>
    </message>
    <message>
        <source>This card has a colour of its own.</source>
        <translation>Esta carta ya tiene su propio color.</translation>
    </message>
    <message>
        <source>You do not have to say “UNO” now.</source>
        <translation>Ahora no tienes que decir «UNO».</translation>
    </message>
    <message>
        <source>There is nothing to catch: “UNO” was said, or it is too late.</source>
        <translation>No hay a quién atrapar: ya se dijo «UNO» o es demasiado tarde.</translation>
    </message>
    <message>
        <source>You hold a card of the current colour, so a Wild Draw Four is not allowed.</source>
        <translation>Tienes una carta del color actual, así que no puedes jugar un Comodín toma cuatro.</translation>
    </message>
    <message>
        <source>You hold another card that fits, so a Wild Draw Four is not allowed.</source>
        <translation>Tienes otra carta que sirve, así que no puedes jugar un Comodín toma cuatro.</translation>
    </message>
    <message>
        <source>You hold a card that fits, so you must play instead of drawing.</source>
        <translation>Tienes una carta que sirve, así que tienes que jugar en lugar de tomar.</translation>
    </message>
    <message>
        <source>The card you drew fits, so it must be played.</source>
        <translation>La carta que tomaste sirve, así que tienes que jugarla.</translation>
    </message>
    <message>
        <source>There is nothing to challenge now.</source>
        <translation>Ahora no hay nada que desafiar.</translation>
    </message>
    <message>
        <source>That player is not in this round.</source>
        <translation>Ese jugador no está en esta ronda.</translation>
    </message>
    <message>
        <source>By the house rules you draw until you have a card that fits.</source>
        <translation>Según las reglas de la casa, tomas cartas hasta tener una que sirva.</translation>
    </message>
    <message>
        <source>There is nothing to vote on.</source>
        <translation>No hay nada que votar.</translation>
    </message>
    <message>
        <source>Another accusation is being voted on.</source>
        <translation>Se está votando otra acusación.</translation>
    </message>
    <message>
        <source>You have done that already.</source>
        <translation>Eso ya lo hiciste.</translation>
    </message>
    <message>
        <source>The card you drew fits, so nothing more is drawn.</source>
        <translation>La carta que tomaste sirve, así que no se toman más.</translation>
    </message>
</context>
<context>
    <name>PlayerChip</name>
    <message>
        <source>You are %1: change your name or colour</source>
        <translation>Eres %1: cambia tu nombre o tu color</translation>
    </message>
</context>
<context>
    <name>Playing</name>
    <message>
        <source>Leave this game? The others go on without you. Your cards are opened and count for nobody.</source>
        <translation>¿Dejar esta partida? Los demás siguen sin ti. Tus cartas se descubren y no cuentan para nadie.</translation>
    </message>
    <message>
        <source>The connection to the table was lost for too long. The game so far is kept; you can continue it from the first page while the others are there.</source>
        <translation>La conexión con la mesa se perdió durante demasiado tiempo. La partida está guardada; puedes seguirla desde la página de inicio mientras los demás estén ahí.</translation>
    </message>
    <message>
        <source>It is not known where the next table is: look for it in the list.</source>
        <translation>No se sabe dónde está la próxima mesa: búscala en la lista.</translation>
    </message>
    <message>
        <source>The game was stopped: the host sent something that is against the rules. The evidence was kept: {why}</source>
        <translation>La partida se ha detenido: el anfitrión envió algo contrario a las reglas. La prueba se ha guardado: {why}</translation>
    </message>
    <message>
        <source>Close this table? Everybody who is waiting here has to leave.</source>
        <translation>¿Cerrar esta mesa? Todos los que esperan aquí tendrán que irse.</translation>
    </message>
    <message>
        <source>The connection to the table was lost: you are no longer watching.</source>
        <translation>Se perdió la conexión con la mesa: ya no la ves.</translation>
    </message>
    <message>
        <source>The others went on without a part of the game for which this computer had already published keys. The game was stopped here, so that nobody can read your cards. Both versions are kept.</source>
        <translation>Los demás siguieron sin una parte de la partida para la que este equipo ya había publicado claves. La partida se ha detenido aquí, para que nadie pueda ver tus cartas. Se guardan las dos versiones.</translation>
    </message>
    <message>
        <source>Too late: the game has moved on.</source>
        <translation>Demasiado tarde: la partida ya ha seguido.</translation>
    </message>
    <message>
        <source>Leave this game? It ends here.</source>
        <translation>¿Dejar esta partida? Termina aquí.</translation>
    </message>
    <message>
        <source>Leave the tournament? It cannot continue without you and ends for everybody.</source>
        <translation>¿Dejar el torneo? No puede seguir sin ti y termina para todos.</translation>
    </message>
    <message>
        <source>Leave this game? Nobody can be reached right now: you can continue it from the first page.</source>
        <translation>¿Dejar esta partida? Ahora mismo no hay contacto con nadie: puedes seguirla desde la página de inicio.</translation>
    </message>
    <message>
        <source>The table cannot be reached right now: try again in a moment.</source>
        <translation>Ahora mismo no hay contacto con la mesa: inténtalo de nuevo en un momento.</translation>
    </message>
    <message>
        <source>{name} opens the next table</source>
        <translation>{name} abre la próxima mesa</translation>
    </message>
    <message>
        <source>Waiting for {names}, {seconds} seconds at most…</source>
        <translation>Esperando a {names}, {seconds} segundos como máximo…</translation>
    </message>
    <message>
        <source>Waiting for the next table to open…</source>
        <translation>Esperando a que se abra la próxima mesa…</translation>
    </message>
    <message numerus="yes">
        <source>{names} want to play again</source>
        <translation>
            <numerusform>{names} quiere jugar otra vez</numerusform>
            <numerusform>{names} quieren jugar otra vez</numerusform>
        </translation>
    </message>
    <message>
        <source>You are already at a table: leave it first.</source>
        <translation>Ya estás en una mesa: déjala primero.</translation>
    </message>
    <message>
        <source>Leave this table? Your seat becomes free for somebody else.</source>
        <translation>¿Salir de esta mesa? Tu sitio queda libre para otra persona.</translation>
    </message>
    <message>
        <source>Close this table? Nobody else has come yet.</source>
        <translation>¿Cerrar esta mesa? Todavía no ha llegado nadie más.</translation>
    </message>
    <message>
        <source>Leave this game? The others go on without you.</source>
        <translation>¿Dejar esta partida? Los demás siguen sin ti.</translation>
    </message>
    <message>
        <source>Leave this game? There are only two of you: the match ends, and {name} wins it.</source>
        <translation>¿Dejar esta partida? Solo juegan dos personas: la partida termina y la gana {name}.</translation>
    </message>
    <message>
        <source>Leave this game? Another computer takes over as host, and the others go on without you. Your cards are opened and count for nobody.</source>
        <translation>¿Dejar esta partida? Otro equipo pasa a ser el anfitrión y los demás siguen sin ti. Tus cartas se descubren y no cuentan para nadie.</translation>
    </message>
    <message>
        <source>Opening the table again…</source>
        <translation>Abriendo otra vez la mesa…</translation>
    </message>
</context>
<context>
    <name>Result</name>
    <message>
        <source>The match is over</source>
        <translation>La partida ha terminado</translation>
    </message>
    <message>
        <source>Waiting for the other table…</source>
        <translation>Esperando a la otra mesa…</translation>
    </message>
    <message numerus="yes">
        <source>The next round begins in %n seconds</source>
        <translation>
            <numerusform>La siguiente ronda empieza en un segundo</numerusform>
            <numerusform>La siguiente ronda empieza en %n segundos</numerusform>
        </translation>
    </message>
    <message>
        <source>The rounds that were agreed on have been played.</source>
        <translation>Se han jugado las rondas acordadas.</translation>
    </message>
    <message>
        <source>{name} ended the match after this round.</source>
        <translation>{name} terminó la partida después de esta ronda.</translation>
    </message>
    <message>
        <source>The match ended early.</source>
        <translation>La partida terminó antes de tiempo.</translation>
    </message>
    <message>
        <source>The tournament ended early</source>
        <translation>El torneo terminó antes de tiempo</translation>
    </message>
    <message numerus="yes">
        <source>{names} were ahead</source>
        <translation>
            <numerusform>{names} iba en cabeza</numerusform>
            <numerusform>{names} iban en cabeza</numerusform>
        </translation>
    </message>
    <message>
        <source>Round {number} is void</source>
        <translation>La ronda {number} queda anulada</translation>
    </message>
    <message numerus="yes">
        <source>{names} won this round</source>
        <translation>
            <numerusform>{names} ganó la ronda</numerusform>
            <numerusform>{names} ganaron la ronda</numerusform>
        </translation>
    </message>
    <message>
        <source>Round {number}</source>
        <translation>Ronda {number}</translation>
    </message>
    <message>
        <source>Nobody won this round</source>
        <translation>Nadie ganó la ronda</translation>
    </message>
    <message>
        <source>No round was finished</source>
        <translation>No se terminó ninguna ronda</translation>
    </message>
    <message>
        <source>void</source>
        <translation>nula</translation>
    </message>
    <message>
        <source>Something is wrong: the check blames {names}</source>
        <translation>Algo está mal: la comprobación señala a {names}</translation>
    </message>
    <message>
        <source>Rotation {number} of {all}</source>
        <translation>Rotación {number} de {all}</translation>
    </message>
    <message numerus="yes">
        <source>{names} won the match</source>
        <translation>
            <numerusform>{names} ganó la partida</numerusform>
            <numerusform>{names} ganaron la partida</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing to verify yet</source>
        <translation>Aún no hay nada que verificar</translation>
    </message>
    <message numerus="yes">
        <source>{names} lead the tournament</source>
        <translation>
            <numerusform>{names} encabeza el torneo</numerusform>
            <numerusform>{names} encabezan el torneo</numerusform>
        </translation>
    </message>
    <message>
        <source>The next tables open by themselves, with other partners.</source>
        <translation>Las mesas siguientes se abren solas, con otras parejas.</translation>
    </message>
    <message numerus="yes">
        <source>{names} cheated</source>
        <translation>
            <numerusform>{names} hizo trampa</numerusform>
            <numerusform>{names} hicieron trampa</numerusform>
        </translation>
    </message>
    <message>
        <source>Verifying the shuffle: {done} of {all}</source>
        <translation>Verificando el barajado: {done} de {all}</translation>
    </message>
    <message>
        <source>Shuffle verified by {done} of {all} players</source>
        <translation>Barajado verificado por {done} de {all} jugadores</translation>
    </message>
    <message>
        <source>{name} left the table, and nobody else was there to play.</source>
        <translation>{name} dejó la mesa y no quedaba nadie más para jugar.</translation>
    </message>
    <message>
        <source>{name} did not come back, and nobody else was there to play.</source>
        <translation>{name} no volvió y no quedaba nadie más para jugar.</translation>
    </message>
    <message>
        <source>The tournament is over</source>
        <translation>El torneo ha terminado</translation>
    </message>
    <message numerus="yes">
        <source>{names} won the tournament</source>
        <translation>
            <numerusform>{names} ganó el torneo</numerusform>
            <numerusform>{names} ganaron el torneo</numerusform>
        </translation>
    </message>
    <message>
        <source>It was the last rotation.</source>
        <translation>Era la última rotación.</translation>
    </message>
    <message>
        <source>An absence decided this match, not the cards alone.</source>
        <translation>Esta partida la decidió una ausencia, no solo las cartas.</translation>
    </message>
    <message>
        <source>The match ended because a check proved cheating.</source>
        <translation>La partida terminó porque una comprobación demostró una trampa.</translation>
    </message>
    <message>
        <source>The match ended because its log became too long.</source>
        <translation>La partida terminó porque su registro se hizo demasiado largo.</translation>
    </message>
    <message>
        <source>Look at the proof</source>
        <translation>Ver la prueba</translation>
    </message>
    <message>
        <source>Round by round</source>
        <translation>Ronda a ronda</translation>
    </message>
    <message>
        <source>Hands</source>
        <translation>Manos</translation>
    </message>
    <message>
        <source>Points</source>
        <translation>Puntos</translation>
    </message>
    <message>
        <source>Leave</source>
        <translation>Salir</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Seguir</translation>
    </message>
    <message>
        <source>Play again</source>
        <translation>Jugar otra vez</translation>
    </message>
    <message>
        <source>Watch again</source>
        <translation>Ver otra vez</translation>
    </message>
</context>
<context>
    <name>Room</name>
    <message>
        <source>{name} sits down</source>
        <translation>{name} se sienta</translation>
    </message>
    <message numerus="yes">
        <source>Waiting for %n players to be ready</source>
        <translation>
            <numerusform>Falta que un jugador diga que está listo</numerusform>
            <numerusform>Falta que %n jugadores digan que están listos</numerusform>
        </translation>
    </message>
    <message>
        <source>Say these eight cards aloud: if everybody sees the same ones, nobody is pretending to be one of you.</source>
        <translation>Hay que decir estas ocho cartas en voz alta: si todos ven las mismas, nadie se hace pasar por otra persona.</translation>
    </message>
    <message>
        <source>{name} has left</source>
        <translation>{name} se ha ido</translation>
    </message>
    <message>
        <source>Everybody signs the players and the rules: the game begins.</source>
        <translation>Todos firman los jugadores y las reglas: empieza la partida.</translation>
    </message>
    <message numerus="yes">
        <source>%n seats are free; the game begins when all are taken</source>
        <translation>
            <numerusform>Queda un asiento libre; la partida empieza cuando se ocupe</numerusform>
            <numerusform>Quedan %n asientos libres; la partida empieza cuando se ocupen todos</numerusform>
        </translation>
    </message>
    <message>
        <source>The host changed the rules: {what}.</source>
        <translation>El anfitrión cambió las reglas: {what}.</translation>
    </message>
    <message>
        <source>Everybody is ready: {name} can begin.</source>
        <translation>Todos están listos: {name} puede empezar.</translation>
    </message>
    <message>
        <source>The rules were changed: everybody is asked again whether they are ready.</source>
        <translation>Las reglas han cambiado: se vuelve a preguntar a todos si están listos.</translation>
    </message>
    <message>
        <source>Say again that you are ready.</source>
        <translation>Di otra vez que estás listo.</translation>
    </message>
    <message>
        <source>Everybody is ready: you can begin.</source>
        <translation>Todos están listos: puedes empezar.</translation>
    </message>
    <message>
        <source>Free seat</source>
        <translation>Asiento libre</translation>
    </message>
    <message numerus="yes">
        <source>%n seats are free; the game begins when all are taken, or when the host begins it</source>
        <translation>
            <numerusform>Queda un asiento libre; la partida empieza cuando se ocupe o cuando lo decida el anfitrión</numerusform>
            <numerusform>Quedan %n asientos libres; la partida empieza cuando se ocupen todos o cuando lo decida el anfitrión</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n seats</source>
        <translation>
            <numerusform>%n sitio</numerusform>
            <numerusform>%n sitios</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more changes</source>
        <translation>
            <numerusform>%n cambio más</numerusform>
            <numerusform>%n cambios más</numerusform>
        </translation>
    </message>
    <message>
        <source>bot</source>
        <translation>bot</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>listo</translation>
    </message>
    <message>
        <source>not ready yet</source>
        <translation>aún no está listo</translation>
    </message>
    <message>
        <source>The link was copied.</source>
        <translation>El enlace se ha copiado.</translation>
    </message>
    <message>
        <source>{name} is ready and keeps this seat.</source>
        <translation>{name} ya dijo «Listo» y conserva este asiento.</translation>
    </message>
    <message>
        <source>The code was copied.</source>
        <translation>El código se ha copiado.</translation>
    </message>
    <message>
        <source>After each round all hands are shown, so that everybody can check the shuffle.</source>
        <translation>Después de cada ronda se muestran todas las manos, para que todos puedan comprobar el barajado.</translation>
    </message>
    <message>
        <source>Leave the table</source>
        <translation>Dejar la mesa</translation>
    </message>
    <message>
        <source>PIN</source>
        <translation>PIN</translation>
    </message>
    <message numerus="yes">
        <source>%n watching</source>
        <translation>
            <numerusform>%n espectador</numerusform>
            <numerusform>%n espectadores</numerusform>
        </translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>Reglas</translation>
    </message>
    <message>
        <source>Change the rules</source>
        <translation>Cambiar las reglas</translation>
    </message>
    <message>
        <source>Read all rules</source>
        <translation>Leer todas las reglas</translation>
    </message>
    <message>
        <source>Pair %1</source>
        <translation>Pareja %1</translation>
    </message>
    <message>
        <source>Partners sit opposite each other: seats of one colour belong together.</source>
        <translation>Las parejas se sientan frente a frente: los asientos del mismo color van juntos.</translation>
    </message>
    <message>
        <source>How it is played</source>
        <translation>Cómo se juega</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Listo</translation>
    </message>
    <message>
        <source>I’m ready</source>
        <translation>Listo</translation>
    </message>
    <message>
        <source>Begin now</source>
        <translation>Empezar ahora</translation>
    </message>
    <message>
        <source>Begin</source>
        <translation>Empezar</translation>
    </message>
    <message>
        <source>The safety hand</source>
        <translation>La mano de seguridad</translation>
    </message>
</context>
<context>
    <name>RoundEnd</name>
    <message>
        <source>Show the score</source>
        <translation>Ver los puntos</translation>
    </message>
</context>
<context>
    <name>Rules</name>
    <message>
        <source>Rules</source>
        <translation>Reglas</translation>
    </message>
    <message>
        <source>Search these rules</source>
        <translation>Buscar en estas reglas</translation>
    </message>
    <message>
        <source>No rule here contains “%1”.</source>
        <translation>Ninguna de estas reglas contiene «%1».</translation>
    </message>
    <message>
        <source>House rules</source>
        <translation>Reglas de la casa</translation>
    </message>
    <message>
        <source>Extra rules that a table can agree on. The host adds them when opening the table.</source>
        <translation>Otras reglas que una mesa puede acordar. El anfitrión las añade al abrir la mesa.</translation>
    </message>
    <message>
        <source>The game is beginning: its rules cannot be changed any more.</source>
        <translation>La partida está empezando: ya no se pueden cambiar sus reglas.</translation>
    </message>
    <message>
        <source>This table is part of a tournament, whose rules everybody has signed.</source>
        <translation>Esta mesa es parte de un torneo cuyas reglas firmaron todos.</translation>
    </message>
    <message>
        <source>There are more players at the table than seats: free a seat first, or choose more seats.</source>
        <translation>En la mesa hay más jugadores que sitios: libera antes un sitio o elige más sitios.</translation>
    </message>
    <message>
        <source>These rules do not allow this number of players.</source>
        <translation>Estas reglas no permiten ese número de jugadores.</translation>
    </message>
    <message>
        <source>A tournament is played by eight people: send the bots away first.</source>
        <translation>Un torneo lo juegan ocho personas: retira antes los bots.</translation>
    </message>
</context>
<context>
    <name>RulesSheet</name>
    <message>
        <source>Close</source>
        <translation>Cerrar</translation>
    </message>
</context>
<context>
    <name>SafetyHand</name>
    <message>
        <source>They turn over when the game begins.</source>
        <translation>Se descubren al empezar la partida.</translation>
    </message>
</context>
<context>
    <name>SaveSheet</name>
    <message>
        <source>Another name for these rules</source>
        <translation>Otro nombre para estas reglas</translation>
    </message>
    <message>
        <source>Save these rules</source>
        <translation>Guardar estas reglas</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Nombre</translation>
    </message>
    <message>
        <source>The rules of this name are replaced.</source>
        <translation>Se reemplazarán las reglas que tienen este nombre.</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Reemplazar</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Guardar</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
</context>
<context>
    <name>SavedRow</name>
    <message>
        <source>What to do with the rules %1</source>
        <translation>Qué hacer con las reglas %1</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Cambiar el nombre</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Borrar</translation>
    </message>
</context>
<context>
    <name>ScoreBar</name>
    <message>
        <source>Round</source>
        <translation>Ronda</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Meta</translation>
    </message>
    <message>
        <source>Last move</source>
        <translation>Última jugada</translation>
    </message>
    <message>
        <source>Dealer</source>
        <translation>Repartidor</translation>
    </message>
</context>
<context>
    <name>ScoreTable</name>
    <message>
        <source>Points of every round</source>
        <translation>Puntos de cada ronda</translation>
    </message>
    <message>
        <source>Round %1</source>
        <translation>Ronda %1</translation>
    </message>
</context>
<context>
    <name>Searching</name>
    <message>
        <source>As soon as somebody on this network opens a table, it appears here.</source>
        <translation>En cuanto alguien abra una mesa en esta red, aparecerá aquí.</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>Buscar de nuevo</translation>
    </message>
    <message>
        <source>Host one yourself</source>
        <translation>Abrir una mesa</translation>
    </message>
</context>
<context>
    <name>SeatCard</name>
    <message>
        <source>Free seat</source>
        <translation>Asiento libre</translation>
    </message>
    <message>
        <source>host</source>
        <translation>anfitrión</translation>
    </message>
    <message>
        <source>bot of %1</source>
        <translation>bot de %1</translation>
    </message>
    <message>
        <source>bot</source>
        <translation>bot</translation>
    </message>
    <message>
        <source>you</source>
        <translation>tú</translation>
    </message>
    <message>
        <source>muted</source>
        <translation>silenciado</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>listo</translation>
    </message>
    <message>
        <source>not ready yet</source>
        <translation>aún no está listo</translation>
    </message>
    <message>
        <source>Bot</source>
        <translation>Bot</translation>
    </message>
    <message>
        <source>Let a bot sit down</source>
        <translation>Sentar a un bot</translation>
    </message>
    <message>
        <source>What to do about %1</source>
        <translation>Opciones para %1</translation>
    </message>
    <message>
        <source>Sit here instead</source>
        <translation>Sentarse aquí</translation>
    </message>
    <message>
        <source>Move one seat up</source>
        <translation>Subir un asiento</translation>
    </message>
    <message>
        <source>Show messages again</source>
        <translation>Mostrar sus mensajes</translation>
    </message>
    <message>
        <source>Hide messages</source>
        <translation>Ocultar sus mensajes</translation>
    </message>
    <message>
        <source>Send away</source>
        <translation>Expulsar de la mesa</translation>
    </message>
</context>
<context>
    <name>Setting</name>
    <message>
        <source>no clock</source>
        <translation>sin reloj</translation>
    </message>
    <message numerus="yes">
        <source>%n cards</source>
        <translation>
            <numerusform>una carta</numerusform>
            <numerusform>%n cartas</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>These rules cannot be played by %n players.</source>
        <translation>
            <numerusform>Con estas reglas no puede jugar una persona.</numerusform>
            <numerusform>Con estas reglas no pueden jugar %n personas.</numerusform>
        </translation>
    </message>
    <message>
        <source>{name}: at least {limit}.</source>
        <translation>{name}: {limit} como mínimo.</translation>
    </message>
    <message>
        <source>{name}: at most {limit}.</source>
        <translation>{name}: {limit} como máximo.</translation>
    </message>
    <message>
        <source>{name}: this cannot be chosen.</source>
        <translation>{name}: esto no se puede elegir.</translation>
    </message>
    <message>
        <source>Possible: {numbers}.</source>
        <translation>Se puede con: {numbers}.</translation>
    </message>
    <message>
        <source>Voting on advising needs at least three players.</source>
        <translation>Para votar si alguien aconsejó hacen falta al menos tres jugadores.</translation>
    </message>
    <message>
        <source>With changing partners everybody deals in turn: the winner cannot deal.</source>
        <translation>Con parejas que cambian se reparte por turno: no puede repartir el ganador.</translation>
    </message>
    <message>
        <source>on</source>
        <translation>sí</translation>
    </message>
    <message>
        <source>off</source>
        <translation>no</translation>
    </message>
    <message>
        <source>{number} s</source>
        <translation>{number} s</translation>
    </message>
    <message numerus="yes">
        <source>%n house rules</source>
        <translation>
            <numerusform>%n regla de la casa</numerusform>
            <numerusform>%n reglas de la casa</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n changed settings</source>
        <translation>
            <numerusform>%n ajuste cambiado</numerusform>
            <numerusform>%n ajustes cambiados</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n house rules that this version does not know</source>
        <translation>
            <numerusform>%n regla de la casa que esta versión no conoce</numerusform>
            <numerusform>%n reglas de la casa que esta versión no conoce</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other settings are changed: the waiting room names them</source>
        <translation>
            <numerusform>Hay %n ajuste más cambiado: se ve en la sala de espera</numerusform>
            <numerusform>Hay %n ajustes más cambiados: se ven en la sala de espera</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>These rules need at least %n players.</source>
        <translation>
            <numerusform>Estas reglas necesitan al menos un jugador.</numerusform>
            <numerusform>Estas reglas necesitan al menos %n jugadores.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>These rules allow at most %n players.</source>
        <translation>
            <numerusform>Estas reglas admiten como máximo un jugador.</numerusform>
            <numerusform>Estas reglas admiten como máximo %n jugadores.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>With so many players each can be dealt at most %n cards.</source>
        <translation>
            <numerusform>Con tantos jugadores se puede repartir como máximo una carta a cada uno.</numerusform>
            <numerusform>Con tantos jugadores se pueden repartir como máximo %n cartas a cada uno.</numerusform>
        </translation>
    </message>
    <message>
        <source>A catch must count before the next turn begins: choose a shorter time.</source>
        <translation>Se debe poder atrapar antes de que empiece el turno siguiente: elige un tiempo más corto.</translation>
    </message>
    <message>
        <source>These settings do not go together.</source>
        <translation>Estos ajustes no son compatibles.</translation>
    </message>
    <message>
        <source>{number} min</source>
        <translation>{number} min</translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <source>{path} was damaged or comes from a newer version. LanUNO uses what it could read; the old file is kept beside it.</source>
        <translation>{path} estaba dañado o es de una versión más nueva. LanUNO usa lo que ha podido leer; el archivo antiguo queda guardado al lado.</translation>
    </message>
    <message>
        <source>A name has at most {number} letters (of some scripts fewer).</source>
        <translation>Un nombre tiene como máximo {number} letras (en algunas escrituras, menos).</translation>
    </message>
    <message>
        <source>The diagnostics were copied: paste them where somebody needs them.</source>
        <translation>El diagnóstico se ha copiado: pégalo donde haga falta.</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Ajustes</translation>
    </message>
    <message>
        <source>You</source>
        <translation>Tú</translation>
    </message>
    <message>
        <source>Your name, as the others see it</source>
        <translation>Tu nombre, tal como lo ven los demás</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Idioma</translation>
    </message>
    <message>
        <source>Language and appearance</source>
        <translation>Idioma y apariencia</translation>
    </message>
    <message>
        <source>Same as the system</source>
        <translation>Igual que el sistema</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>Colores</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Claro</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Oscuro</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>Tamaño del texto</translation>
    </message>
    <message>
        <source>Small</source>
        <translation>Pequeño</translation>
    </message>
    <message>
        <source>Normal</source>
        <translation>Normal</translation>
    </message>
    <message>
        <source>Large</source>
        <translation>Grande</translation>
    </message>
    <message>
        <source>Larger</source>
        <translation>Mayor</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>Máximo</translation>
    </message>
    <message>
        <source>Motion</source>
        <translation>Movimiento</translation>
    </message>
    <message>
        <source>“None” leaves only fades that are too short to notice.</source>
        <translation>«Ninguno» deja solo transiciones tan breves que no se notan.</translation>
    </message>
    <message>
        <source>Full</source>
        <translation>Completo</translation>
    </message>
    <message>
        <source>Quick</source>
        <translation>Rápido</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Ninguno</translation>
    </message>
    <message>
        <source>At the table</source>
        <translation>En la mesa</translation>
    </message>
    <message>
        <source>Your hand is sorted</source>
        <translation>Orden de tu mano</translation>
    </message>
    <message>
        <source>as it came</source>
        <translation>como llegan las cartas</translation>
    </message>
    <message>
        <source>by colour</source>
        <translation>por color</translation>
    </message>
    <message>
        <source>by value</source>
        <translation>por valor</translation>
    </message>
    <message>
        <source>Hints</source>
        <translation>Ayudas</translation>
    </message>
    <message>
        <source>Outlines the cards that you can play, and says why another one does not fit.</source>
        <translation>Resalta las cartas que puedes jugar y dice por qué otra no sirve.</translation>
    </message>
    <message>
        <source>Volume: %1 %</source>
        <translation>Volumen: %1 %</translation>
    </message>
    <message>
        <source>Volume</source>
        <translation>Volumen</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>No sound device works now</source>
        <translation>Ahora no funciona ningún dispositivo de sonido</translation>
    </message>
    <message>
        <source>LanUNO goes on without sound, and tries again by itself. Everything that is heard can be seen, too.</source>
        <translation>LanUNO sigue sin sonido y lo intenta de nuevo automáticamente. Todo lo que se oye también se ve.</translation>
    </message>
    <message>
        <source>Reactions at the table</source>
        <translation>Reacciones en la mesa</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Todos</translation>
    </message>
    <message>
        <source>Speed of the bots</source>
        <translation>Velocidad de los bots</translation>
    </message>
    <message>
        <source>Of the bots on your computer; they wait while cards are dealt, and for somebody who has to say “UNO”.</source>
        <translation>De los bots de tu equipo; esperan mientras se reparte y dan tiempo para decir «UNO».</translation>
    </message>
    <message>
        <source>Slow</source>
        <translation>Lenta</translation>
    </message>
    <message>
        <source>Fast</source>
        <translation>Rápida</translation>
    </message>
    <message>
        <source>Twice the time for me</source>
        <translation>El doble de tiempo para mí</translation>
    </message>
    <message>
        <source>Tables that you join or open from now on give you two turns' worth of clock; the others see it.</source>
        <translation>En las mesas a las que entres o que abras desde ahora, tu reloj dura el doble; los demás lo ven.</translation>
    </message>
    <message>
        <source>Automatic moves</source>
        <translation>Jugadas automáticas</translation>
    </message>
    <message>
        <source>Made for you after a moment, where the rules leave nothing else to do.</source>
        <translation>Se hacen solas al cabo de un momento, cuando las reglas no permiten otra cosa.</translation>
    </message>
    <message>
        <source>Keep a card that does not fit</source>
        <translation>Quedarse con una carta que no sirve</translation>
    </message>
    <message>
        <source>If the card you drew fits, you are asked.</source>
        <translation>Si la carta que tomas sirve, decides tú.</translation>
    </message>
    <message>
        <source>Draw on until a card fits</source>
        <translation>Seguir tomando cartas hasta que una sirva</translation>
    </message>
    <message>
        <source>Only with that house rule. You draw the first card yourself.</source>
        <translation>Solo con esa regla de la casa. La primera carta la tomas tú.</translation>
    </message>
    <message>
        <source>Accept a penalty that has no answer</source>
        <translation>Aceptar un castigo sin respuesta posible</translation>
    </message>
    <message>
        <source>If you can challenge it or pass it on, you are asked.</source>
        <translation>Si puedes desafiarla o pasarla, decides tú.</translation>
    </message>
    <message>
        <source>Sound and notifications</source>
        <translation>Sonido y avisos</translation>
    </message>
    <message>
        <source>Sounds</source>
        <translation>Sonidos</translation>
    </message>
    <message>
        <source>Short ones for cards and turns; M turns them off and on at the table.</source>
        <translation>Breves, para cartas y turnos; en la mesa, la tecla M los silencia y los activa.</translation>
    </message>
    <message>
        <source>Tell me when it is my turn</source>
        <translation>Avisarme cuando me toque</translation>
    </message>
    <message>
        <source>With a notification of the system, while this window is not in front.</source>
        <translation>Con una notificación del sistema, mientras esta ventana no esté delante.</translation>
    </message>
    <message>
        <source>Thumbs up, “well played” and four more. If you hide a player's messages, you do not see their reactions either.</source>
        <translation>Pulgar arriba, «bien jugado» y cuatro más. Si ocultas los mensajes de un jugador, tampoco ves sus reacciones.</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Este equipo</translation>
    </message>
    <message>
        <source>Network adapter</source>
        <translation>Adaptador de red</translation>
    </message>
    <message>
        <source>Your games, your key and your settings</source>
        <translation>Tus partidas, tu clave y tus ajustes</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>Abrir la carpeta</translation>
    </message>
    <message>
        <source>Copy diagnostics</source>
        <translation>Copiar el diagnóstico</translation>
    </message>
</context>
<context>
    <name>ShownHand</name>
    <message>
        <source>Only you see this: the hand of %1</source>
        <translation>Solo tú ves esto: la mano de %1</translation>
    </message>
    <message>
        <source>Everybody sees this: the hand of %1</source>
        <translation>Todos ven esto: la mano de %1</translation>
    </message>
    <message>
        <source>Seen</source>
        <translation>Visto</translation>
    </message>
</context>
<context>
    <name>SidePanel</name>
    <message>
        <source>Moves</source>
        <translation>Jugadas</translation>
    </message>
    <message>
        <source>Chat (%1)</source>
        <translation>Chat (%1)</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
</context>
<context>
    <name>Standings</name>
    <message>
        <source>Standings</source>
        <translation>Clasificación</translation>
    </message>
    <message>
        <source>%1. %2, points: %3</source>
        <translation>%1.º %2, puntos: %3</translation>
    </message>
</context>
<context>
    <name>Store</name>
    <message>
        <source>{path} cannot be read.</source>
        <translation>No se puede leer {path}.</translation>
    </message>
    <message>
        <source>The disk is full: there is no room for {path}. Nothing is lost; make room first.</source>
        <translation>El disco está lleno: no hay espacio para {path}. No se ha perdido nada; libera espacio primero.</translation>
    </message>
    <message>
        <source>{path} cannot be written. Check that the folder is yours and that the disk works.</source>
        <translation>No se puede escribir en {path}. Comprueba que la carpeta sea tuya y que el disco funcione.</translation>
    </message>
    <message>
        <source>{path} is on a read-only disk. Make it writable first.</source>
        <translation>{path} está en un disco de solo lectura. Permite primero la escritura.</translation>
    </message>
    <message>
        <source>Other people on this computer can reach {path}, which must stay secret. Remove their access, then start again.</source>
        <translation>Otras personas de este equipo tienen acceso a {path}, que debe ser secreto. Quítales el permiso y vuelve a empezar.</translation>
    </message>
    <message>
        <source>{path} belongs to another user of this computer.</source>
        <translation>{path} pertenece a otro usuario de este equipo.</translation>
    </message>
    <message>
        <source>{path} is too large to be one of LanUNO's files.</source>
        <translation>{path} es demasiado grande para ser un archivo de LanUNO.</translation>
    </message>
    <message>
        <source>{path} is damaged and was left as it is. Move it away, or restore a copy.</source>
        <translation>{path} está dañado y se ha dejado como está. Muévelo o restaura una copia.</translation>
    </message>
    <message>
        <source>{path} is not a file of this kind, or it comes from a newer version.</source>
        <translation>{path} no es un archivo de este tipo, o es de una versión más nueva.</translation>
    </message>
    <message>
        <source>{path} already exists and is not overwritten.</source>
        <translation>{path} ya existe y no se sobrescribe.</translation>
    </message>
    <message>
        <source>{path} already holds something else under the same name. LanUNO never signs twice, so this table cannot be continued here.</source>
        <translation>{path} ya guarda otra cosa con el mismo nombre. LanUNO nunca firma dos veces, así que esta mesa no puede continuar aquí.</translation>
    </message>
    <message>
        <source>This game ends with a proof against its host and cannot be continued.</source>
        <translation>Esta partida termina con una prueba contra su anfitrión y no puede continuar.</translation>
    </message>
    <message>
        <source>Another LanUNO is playing with this profile. Close it first.</source>
        <translation>Otro LanUNO está jugando con este perfil. Ciérralo primero.</translation>
    </message>
    <message>
        <source>{path} cannot be written any more after an earlier error. Start LanUNO again.</source>
        <translation>Ya no se puede escribir en {path} tras un error anterior. Vuelve a abrir LanUNO.</translation>
    </message>
    <message>
        <source>{path} is missing: this installation is broken. Install LanUNO again.</source>
        <translation>Falta {path}: esta instalación está dañada. Vuelve a instalar LanUNO.</translation>
    </message>
    <message>
        <source>This name cannot be shown to others: use 1 to 20 visible letters.</source>
        <translation>Este nombre no se puede mostrar a los demás: usa de 1 a 20 letras visibles.</translation>
    </message>
</context>
<context>
    <name>Table</name>
    <message numerus="yes">
        <source>%n seconds left</source>
        <translation>
            <numerusform>Queda un segundo</numerusform>
            <numerusform>Quedan %n segundos</numerusform>
        </translation>
    </message>
    <message>
        <source>This cannot be done at this moment.</source>
        <translation>Esto no se puede hacer en este momento.</translation>
    </message>
    <message>
        <source>You do not have to say “UNO” now.</source>
        <translation>Ahora no tienes que decir «UNO».</translation>
    </message>
    <message>
        <source>There is nothing to catch: “UNO” was said, or it is too late.</source>
        <translation>No hay a quién atrapar: ya se dijo «UNO» o es demasiado tarde.</translation>
    </message>
    <message>
        <source>It is {name}'s turn</source>
        <translation>Es el turno de {name}</translation>
    </message>
    <message>
        <source>Choose a colour</source>
        <translation>Elige un color</translation>
    </message>
    <message>
        <source>playable</source>
        <translation>se puede jugar</translation>
    </message>
    <message>
        <source>not playable</source>
        <translation>no se puede jugar</translation>
    </message>
    <message>
        <source>{place} of {count}</source>
        <translation>{place} de {count}</translation>
    </message>
    <message>
        <source>{name} wins the round!</source>
        <translation>¡{name} gana la ronda!</translation>
    </message>
    <message>
        <source>You win the round!</source>
        <translation>¡Ganas la ronda!</translation>
    </message>
    <message>
        <source>There is no sign of {names}, and nobody can know whose network failed. The table keeps waiting. You can end the wait: then the match is over, and {names} loses it.</source>
        <translation>No hay señales de {names}, y nadie puede saber qué red falló. La mesa sigue esperando. Puedes terminar la espera: entonces la partida se acaba y {names} la pierde.</translation>
    </message>
    <message>
        <source>This round is void and does not count: {why}</source>
        <translation>Esta ronda se anula y no cuenta: {why}</translation>
    </message>
    <message>
        <source>Only {here} of the {wanted} computers needed can be reached. The game waits; nothing is lost.</source>
        <translation>Solo hay contacto con {here} de los {wanted} equipos necesarios. La partida espera; no se pierde nada.</translation>
    </message>
    <message>
        <source>somebody was lost during the round.</source>
        <translation>alguien faltó durante la ronda.</translation>
    </message>
    <message>
        <source>New in your hand: {cards}</source>
        <translation>Nuevo en tu mano: {cards}</translation>
    </message>
    <message>
        <source>Your hand: {cards}</source>
        <translation>Tu mano: {cards}</translation>
    </message>
    <message>
        <source>Everybody is shuffling the cards</source>
        <translation>Todos están barajando las cartas</translation>
    </message>
    <message>
        <source>Nothing has happened since your last turn</source>
        <translation>No ha pasado nada desde tu último turno</translation>
    </message>
    <message>
        <source>Since your last turn: {moves}</source>
        <translation>Desde tu último turno: {moves}</translation>
    </message>
    <message>
        <source>On the discard pile: {card}; the colour is {colour}</source>
        <translation>En la pila de descarte: {card}; el color es {colour}</translation>
    </message>
    <message numerus="yes">
        <source>You must draw %n cards and lose your turn</source>
        <translation>
            <numerusform>Tomas una carta y pierdes el turno</numerusform>
            <numerusform>Tomas %n cartas y pierdes el turno</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A penalty for you: %n cards</source>
        <translation>
            <numerusform>Un castigo para ti: una carta</numerusform>
            <numerusform>Un castigo para ti: %n cartas</numerusform>
        </translation>
    </message>
    <message>
        <source>The discard pile is empty</source>
        <translation>La pila de descarte está vacía</translation>
    </message>
    <message>
        <source>A player is gone: the others open the cards needed to go on</source>
        <translation>Falta un jugador: los demás descubren las cartas necesarias para seguir</translation>
    </message>
    <message>
        <source>The game goes on as soon as there is a host again</source>
        <translation>La partida sigue en cuanto haya otra vez un anfitrión</translation>
    </message>
    <message>
        <source>{name} shows the hand to everybody</source>
        <translation>{name} muestra su mano a todos</translation>
    </message>
    <message>
        <source>Your hand is shown to everybody</source>
        <translation>Tu mano se muestra a todos</translation>
    </message>
    <message>
        <source>bot</source>
        <translation>bot</translation>
    </message>
    <message>
        <source>has left</source>
        <translation>se ha ido</translation>
    </message>
    <message>
        <source>does not answer</source>
        <translation>no responde</translation>
    </message>
    <message>
        <source>does not play in this round</source>
        <translation>no juega en esta ronda</translation>
    </message>
    <message numerus="yes">
        <source>%n cards</source>
        <translation>
            <numerusform>una carta</numerusform>
            <numerusform>%n cartas</numerusform>
        </translation>
    </message>
    <message>
        <source>has the turn</source>
        <translation>tiene el turno</translation>
    </message>
    <message>
        <source>said “UNO”</source>
        <translation>ha dicho «UNO»</translation>
    </message>
    <message>
        <source>has shuffled and locked</source>
        <translation>ya barajó y puso los candados</translation>
    </message>
    <message>
        <source>Your turn: nothing fits and nothing is left to draw, so pass</source>
        <translation>Tu turno: nada sirve y no quedan cartas que tomar, así que pasa</translation>
    </message>
    <message>
        <source>Your turn: nothing fits, so draw until something does</source>
        <translation>Tu turno: nada sirve, así que toma cartas hasta que una sirva</translation>
    </message>
    <message>
        <source>You draw them and lose your turn.</source>
        <translation>Las tomas y pierdes el turno.</translation>
    </message>
    <message>
        <source>Or play a card that passes them on.</source>
        <translation>O juega una carta que las pase al siguiente.</translation>
    </message>
    <message>
        <source>has shuffled</source>
        <translation>ya barajó</translation>
    </message>
    <message>
        <source>On the discard pile: {card}; no colour is chosen yet</source>
        <translation>En la pila de descarte: {card}; todavía no se ha elegido un color</translation>
    </message>
    <message>
        <source>has added randomness</source>
        <translation>ya aportó su azar</translation>
    </message>
    <message>
        <source>is getting ready</source>
        <translation>se está preparando</translation>
    </message>
    <message numerus="yes">
        <source>Shuffled and dealt by all %n players</source>
        <translation>
            <numerusform>Barajado y repartido por un jugador</numerusform>
            <numerusform>Barajado y repartido por los %n jugadores</numerusform>
        </translation>
    </message>
    <message>
        <source>Everybody shuffles: {done} of {all} are done</source>
        <translation>Todos barajan: han terminado {done} de {all}</translation>
    </message>
    <message>
        <source>The highest card deals the first round</source>
        <translation>El jugador con la carta más alta reparte la primera ronda</translation>
    </message>
    <message>
        <source>All hands are opened and everybody checks the shuffle</source>
        <translation>Se muestran todas las manos y todos comprueban el barajado</translation>
    </message>
    <message>
        <source>The match is over</source>
        <translation>La partida ha terminado</translation>
    </message>
    <message>
        <source>Does anybody object to this card?</source>
        <translation>¿Alguien objeta esta carta?</translation>
    </message>
    <message>
        <source>{name} chooses the first colour</source>
        <translation>{name} elige el primer color</translation>
    </message>
    <message>
        <source>{names} cannot be reached. The table waits; nothing is lost.</source>
        <translation>{names}: sin respuesta. La mesa espera; no se pierde nada.</translation>
    </message>
    <message numerus="yes">
        <source>{names} cannot be reached. The table waits %n seconds; nothing is lost.</source>
        <translation>
            <numerusform>No hay contacto con {names}. La mesa espera un segundo; no se pierde nada.</numerusform>
            <numerusform>No hay contacto con {names}. La mesa espera %n segundos; no se pierde nada.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>You are hit and draw %n cards</source>
        <translation>
            <numerusform>Tomas una carta de castigo</numerusform>
            <numerusform>Tomas %n cartas de castigo</numerusform>
        </translation>
    </message>
    <message>
        <source>The round is over; the next one is about to be dealt</source>
        <translation>La ronda ha terminado; pronto se reparte la siguiente</translation>
    </message>
    <message>
        <source>{name} has drawn a card</source>
        <translation>{name} tomó una carta</translation>
    </message>
    <message>
        <source>{name} decides about the penalty</source>
        <translation>{name} decide sobre el castigo</translation>
    </message>
    <message>
        <source>{name} shows the hand to the challenger</source>
        <translation>{name} muestra su mano al desafiante</translation>
    </message>
    <message>
        <source>{name} looks at the hand</source>
        <translation>{name} mira la mano</translation>
    </message>
    <message>
        <source>{name} chooses whose hand to take</source>
        <translation>{name} elige con quién cambia la mano</translation>
    </message>
    <message>
        <source>It is {name}'s turn, but you can jump in</source>
        <translation>Es el turno de {name}, pero puedes colarte</translation>
    </message>
    <message>
        <source>Your turn: play a card or pass</source>
        <translation>Tu turno: juega una carta o pasa</translation>
    </message>
    <message>
        <source>Play the card you drew, or draw another one</source>
        <translation>Juega la carta que tomaste o toma otra</translation>
    </message>
    <message>
        <source>The card you drew does not fit: draw another one</source>
        <translation>La carta que tomaste no sirve: toma otra</translation>
    </message>
    <message numerus="yes">
        <source>Draw %n cards, challenge, or pass them on</source>
        <translation>
            <numerusform>Toma una carta, desafía o pásala</numerusform>
            <numerusform>Toma %n cartas, desafía o pásalas</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Draw %n cards and lose your turn, or challenge</source>
        <translation>
            <numerusform>Toma una carta y pierde el turno, o desafía</numerusform>
            <numerusform>Toma %n cartas y pierde el turno, o desafía</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Draw %n cards and lose your turn, or pass them on</source>
        <translation>
            <numerusform>Toma una carta y pierde el turno, o pásala</numerusform>
            <numerusform>Toma %n cartas y pierde el turno, o pásalas</numerusform>
        </translation>
    </message>
    <message>
        <source>The card you drew does not fit: you keep it</source>
        <translation>La carta que tomaste no sirve: te la quedas</translation>
    </message>
    <message>
        <source>The card you drew does not fit: you draw on</source>
        <translation>La carta que tomaste no sirve: sigues tomando cartas</translation>
    </message>
    <message numerus="yes">
        <source>If {name} held {colour}, they draw %n cards and you play.</source>
        <translation>
            <numerusform>Si {name} tenía {colour}, toma una carta y juegas tú.</numerusform>
            <numerusform>Si {name} tenía {colour}, toma %n cartas y juegas tú.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>If not, you draw %n cards.</source>
        <translation>
            <numerusform>Si no, tomas una carta.</numerusform>
            <numerusform>Si no, tomas %n cartas.</numerusform>
        </translation>
    </message>
    <message>
        <source>Wild Draw Four on {colour}: a bluff?</source>
        <translation>Comodín toma cuatro sobre {colour}: ¿un farol?</translation>
    </message>
    <message numerus="yes">
        <source>Draw %n cards</source>
        <translation>
            <numerusform>Tomar una carta</numerusform>
            <numerusform>Tomar %n cartas</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n points</source>
        <translation>
            <numerusform>un punto</numerusform>
            <numerusform>%n puntos</numerusform>
        </translation>
    </message>
    <message>
        <source>You start: choose a colour</source>
        <translation>Empiezas tú: elige un color</translation>
    </message>
    <message>
        <source>The card you drew does not fit: keep it</source>
        <translation>La carta que tomaste no sirve: quédatela</translation>
    </message>
    <message>
        <source>Play the card you drew, or keep it</source>
        <translation>Juega la carta que tomaste o quédatela</translation>
    </message>
    <message>
        <source>The card you drew fits: play it</source>
        <translation>La carta que tomaste sirve: juégala</translation>
    </message>
    <message>
        <source>Your hand is shown to the challenger</source>
        <translation>Tu mano se muestra al desafiante</translation>
    </message>
    <message>
        <source>You look at the hand that you challenged</source>
        <translation>Estás viendo la mano que desafiaste</translation>
    </message>
    <message>
        <source>Choose whose hand you take</source>
        <translation>Elige con quién cambias la mano</translation>
    </message>
    <message>
        <source>Your cards are on their way</source>
        <translation>Tus cartas están en camino</translation>
    </message>
    <message>
        <source>Your turn: nothing fits, so draw a card</source>
        <translation>Tu turno: nada sirve, así que toma una carta</translation>
    </message>
    <message>
        <source>Your turn: play a card or draw</source>
        <translation>Tu turno: juega una carta o toma una</translation>
    </message>
    <message>
        <source>Your turn: play a card</source>
        <translation>Tu turno: juega una carta</translation>
    </message>
    <message>
        <source>{by} accuses {name} of having advised a play. Did that happen?</source>
        <translation>{by} acusa a {name} de aconsejar una jugada. ¿Pasó de verdad?</translation>
    </message>
    <message numerus="yes">
        <source>{names} cannot be reached. The table waits %n seconds, then it goes on without them.</source>
        <translation>
            <numerusform>No hay contacto con {names}. La mesa espera un segundo y después sigue con los demás.</numerusform>
            <numerusform>No hay contacto con {names}. La mesa espera %n segundos y después sigue con los demás.</numerusform>
        </translation>
    </message>
    <message>
        <source>The host's computer ({name}) does not answer. Looking for it, or for somebody to take over; nothing is lost.</source>
        <translation>El equipo anfitrión ({name}) no responde. Se busca ese equipo u otro que lo reemplace; no se pierde nada.</translation>
    </message>
    <message>
        <source>the game's log proves that somebody broke its rules.</source>
        <translation>el registro de la partida demuestra que alguien incumplió sus reglas.</translation>
    </message>
    <message>
        <source>a card could not be opened; the check will say who is to blame.</source>
        <translation>no se pudo descubrir una carta; la comprobación dirá de quién es la culpa.</translation>
    </message>
    <message>
        <source>somebody's computer found that something is wrong.</source>
        <translation>el equipo de alguien encontró algo incorrecto.</translation>
    </message>
    <message>
        <source>No card to jump in with.</source>
        <translation>No tienes ninguna carta con la que colarte.</translation>
    </message>
    <message>
        <source>Sort the hand</source>
        <translation>Ordenar la mano</translation>
    </message>
    <message>
        <source>Moves</source>
        <translation>Jugadas</translation>
    </message>
    <message>
        <source>Chat, unread: %1</source>
        <translation>Chat, sin leer: %1</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>React</source>
        <translation>Reaccionar</translation>
    </message>
    <message>
        <source>Safety hand</source>
        <translation>Mano de seguridad</translation>
    </message>
    <message>
        <source>Sound is on</source>
        <translation>Sonido activado</translation>
    </message>
    <message>
        <source>Sound is off</source>
        <translation>Sonido silenciado</translation>
    </message>
    <message>
        <source>Sound is on, but no sound device works now</source>
        <translation>El sonido está activado, pero ahora no funciona ningún dispositivo</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Teclas</translation>
    </message>
    <message>
        <source>Leave the table</source>
        <translation>Dejar la mesa</translation>
    </message>
    <message>
        <source>Take</source>
        <translation>Elegir</translation>
    </message>
    <message>
        <source>Accuse</source>
        <translation>Acusar</translation>
    </message>
    <message>
        <source>Looking for the host</source>
        <translation>Buscando al anfitrión</translation>
    </message>
    <message>
        <source>Stop waiting</source>
        <translation>Dejar de esperar</translation>
    </message>
    <message>
        <source>The table waits</source>
        <translation>La mesa espera</translation>
    </message>
    <message>
        <source>This round is void</source>
        <translation>Esta ronda es nula</translation>
    </message>
    <message>
        <source>Challenge</source>
        <translation>Desafiar</translation>
    </message>
    <message>
        <source>The table votes</source>
        <translation>La mesa vota</translation>
    </message>
    <message>
        <source>It did not happen</source>
        <translation>No pasó</translation>
    </message>
    <message>
        <source>It happened</source>
        <translation>Sí pasó</translation>
    </message>
    <message>
        <source>If most say that it happened, the one accused draws a penalty.</source>
        <translation>Si la mayoría dice que sí pasó, la persona acusada toma cartas de castigo.</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Cerrar</translation>
    </message>
</context>
<context>
    <name>TableRow</name>
    <message>
        <source>Join</source>
        <translation>Entrar</translation>
    </message>
    <message>
        <source>Watch</source>
        <translation>Ver</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Seguir</translation>
    </message>
    <message>
        <source>What is played at %1</source>
        <translation>Qué se juega en %1</translation>
    </message>
    <message>
        <source>Watch %1</source>
        <translation>Ver %1</translation>
    </message>
</context>
<context>
    <name>Timeline</name>
    <message>
        <source>The round before</source>
        <translation>La ronda anterior</translation>
    </message>
    <message>
        <source>The next round</source>
        <translation>La ronda siguiente</translation>
    </message>
    <message numerus="yes">
        <source>%n on the draw pile</source>
        <translation>
            <numerusform>%n en el mazo</numerusform>
            <numerusform>%n en el mazo</numerusform>
        </translation>
    </message>
    <message>
        <source>The path of %1</source>
        <translation>El recorrido de %1</translation>
    </message>
    <message>
        <source>Follow no card</source>
        <translation>No seguir ninguna carta</translation>
    </message>
    <message>
        <source>One step back</source>
        <translation>Un paso atrás</translation>
    </message>
    <message>
        <source>Moment of the round</source>
        <translation>Momento de la ronda</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 de %2</translation>
    </message>
    <message>
        <source>One step forward</source>
        <translation>Un paso adelante</translation>
    </message>
</context>
<context>
    <name>TopBar</name>
    <message>
        <source>Back</source>
        <translation>Atrás</translation>
    </message>
</context>
<context>
    <name>TurnClock</name>
    <message>
        <source>Seconds left: %1</source>
        <translation>Segundos restantes: %1</translation>
    </message>
</context>
<context>
    <name>TurnStrip</name>
    <message>
        <source>You: %1, cards: %2, points: %3</source>
        <translation>Tú: %1, cartas: %2, puntos: %3</translation>
    </message>
    <message>
        <source>You are watching</source>
        <translation>Estás como espectador</translation>
    </message>
    <message>
        <source>Object</source>
        <translation>Objetar</translation>
    </message>
    <message>
        <source>Whom?</source>
        <translation>¿A quién?</translation>
    </message>
    <message>
        <source>Accuse</source>
        <translation>Acusar</translation>
    </message>
    <message>
        <source>Catch!</source>
        <translation>¡Atrapar!</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Quedármela</translation>
    </message>
    <message>
        <source>Draw</source>
        <translation>Tomar</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>Pasar</translation>
    </message>
</context>
<context>
    <name>UnoButton</name>
    <message>
        <source>UNO: will be said with the next card</source>
        <translation>UNO: se dirá con la próxima carta</translation>
    </message>
    <message>
        <source>Say UNO</source>
        <translation>Decir UNO</translation>
    </message>
</context>
<context>
    <name>Verdict</name>
    <message>
        <source>This game was fair.</source>
        <translation>Esta partida fue limpia.</translation>
    </message>
    <message>
        <source>{name} was dropped; only the host says why: {why} (round {round})</source>
        <translation>{name} quedó fuera; el motivo solo lo dice el anfitrión: {why} (ronda {round})</translation>
    </message>
    <message numerus="yes">
        <source>{names} cheated in this game.</source>
        <translation>
            <numerusform>{names} hizo trampa en esta partida.</numerusform>
            <numerusform>{names} hicieron trampa en esta partida.</numerusform>
        </translation>
    </message>
    <message>
        <source>What can be checked of this game is right.</source>
        <translation>Lo que se puede comprobar de esta partida es correcto.</translation>
    </message>
    <message>
        <source>It is not proven that your own randomness was used in every shuffle.</source>
        <translation>No está demostrado que tu azar se usara en todos los barajados.</translation>
    </message>
    <message>
        <source>It is not proven that every player's randomness was used in every shuffle.</source>
        <translation>No está demostrado que el azar de cada jugador se usara en todos los barajados.</translation>
    </message>
    <message>
        <source>No round counts, so nothing is said about shuffles, cards and moves.</source>
        <translation>Ninguna ronda cuenta, así que no se afirma nada sobre los barajados, las cartas y las jugadas.</translation>
    </message>
    <message>
        <source>in every round that counts</source>
        <translation>en cada ronda que cuenta</translation>
    </message>
    <message>
        <source>The randomness of everybody who was still there was used in every shuffle.</source>
        <translation>En cada barajado se usó el azar de todos los que seguían allí.</translation>
    </message>
    <message>
        <source>Every card came from those shuffles, and every move that a player signed was legal.</source>
        <translation>Cada carta salió de esos barajados, y cada jugada firmada por un jugador fue legal.</translation>
    </message>
    <message>
        <source>{name} is out of the match: leaving made two rounds void</source>
        <translation>{name} queda fuera de la partida: sus salidas anularon dos rondas</translation>
    </message>
    <message>
        <source>No round of this game counts.</source>
        <translation>Ninguna ronda de esta partida cuenta.</translation>
    </message>
    <message>
        <source>An absence decided this game.</source>
        <translation>Esta partida la decidió una ausencia.</translation>
    </message>
    <message>
        <source>This file does not end as it was signed.</source>
        <translation>Este archivo no termina como se firmó.</translation>
    </message>
    <message>
        <source>Every card of every round was checked on this computer.</source>
        <translation>Cada carta de cada ronda se comprobó en este equipo.</translation>
    </message>
    <message>
        <source>The game was not ended in the usual way, so something is missing.</source>
        <translation>La partida no terminó de la forma habitual, así que falta algo.</translation>
    </message>
    <message>
        <source>Your own randomness was used in every shuffle.</source>
        <translation>Tu propio azar se usó en cada barajado.</translation>
    </message>
    <message>
        <source>Every player's randomness was used in every shuffle.</source>
        <translation>El azar de cada jugador se usó en cada barajado.</translation>
    </message>
    <message>
        <source>Every shuffle matched what had been promised before it.</source>
        <translation>Cada barajado coincidió con lo que se había prometido antes.</translation>
    </message>
    <message>
        <source>It is not proven that every shuffle matched what had been promised before.</source>
        <translation>No está demostrado que cada barajado coincida con lo que se había prometido antes.</translation>
    </message>
    <message>
        <source>Every card came from those shuffles, and every move was legal.</source>
        <translation>Cada carta salió de esos barajados y cada jugada fue legal.</translation>
    </message>
    <message>
        <source>round {round}, entry {entry}</source>
        <translation>ronda {round}, entrada {entry}</translation>
    </message>
    <message>
        <source>Nobody at the table is accused.</source>
        <translation>No se acusa a nadie de la mesa.</translation>
    </message>
    <message>
        <source>Ask another player for their file of this game, and check that one.</source>
        <translation>Pide a otro jugador su archivo de esta partida y comprueba ese.</translation>
    </message>
    <message>
        <source>This is not a LanUNO game.</source>
        <translation>Esto no es una partida de LanUNO.</translation>
    </message>
    <message>
        <source>Choose a file that LanUNO has written; its name ends in “.lanuno”.</source>
        <translation>Elige un archivo escrito por LanUNO; su nombre termina en «.lanuno».</translation>
    </message>
    <message>
        <source>It is not proven that every card came from those shuffles and every move was legal.</source>
        <translation>No está demostrado que cada carta saliera de esos barajados ni que cada jugada fuera legal.</translation>
    </message>
    <message>
        <source>{name} was gone, so {other} won the match</source>
        <translation>{name} ya no estaba, así que {other} ganó la partida</translation>
    </message>
    <message numerus="yes">
        <source>The clock played %n turns of {name}; only the host says that time was up</source>
        <translation>
            <numerusform>El reloj jugó %n turno de {name}; solo el anfitrión afirma que el tiempo había acabado</numerusform>
            <numerusform>El reloj jugó %n turnos de {name}; solo el anfitrión afirma que el tiempo había acabado</numerusform>
        </translation>
    </message>
    <message>
        <source>This file was changed after the game.</source>
        <translation>Este archivo se cambió después de la partida.</translation>
    </message>
    <message>
        <source>Nothing was found to be wrong, but no round of play has a result.</source>
        <translation>No se encontró nada incorrecto, pero ninguna ronda tiene resultado.</translation>
    </message>
    <message>
        <source>Every round that counts was checked, and nothing is wrong. But the cards alone did not decide it, and what only the host says of an absence cannot be proven.</source>
        <translation>Se comprobó cada ronda que cuenta, y todo es correcto. Pero no decidieron solo las cartas, y lo que solo el anfitrión dice de una ausencia no se puede demostrar.</translation>
    </message>
    <message>
        <source>Every round that counts was checked. Void rounds do not count.</source>
        <translation>Se comprobó cada ronda que cuenta. Las rondas anuladas no cuentan.</translation>
    </message>
    <message>
        <source>The proof is in this file, signed by the player who did it. Anybody can check it.</source>
        <translation>La prueba está en este archivo, firmada por el jugador que lo hizo. Cualquiera puede comprobarla.</translation>
    </message>
    <message>
        <source>Somebody's seed was never revealed, so not every card can be checked.</source>
        <translation>La semilla de alguien nunca se reveló, así que no se pueden comprobar todas las cartas.</translation>
    </message>
    <message>
        <source>The file was changed after the game, or the game was stopped because of its last entry. Everything before that entry was checked.</source>
        <translation>El archivo se cambió después de la partida, o la partida se detuvo por su última entrada. Todo lo anterior está comprobado.</translation>
    </message>
    <message>
        <source>This game was written by another version of LanUNO.</source>
        <translation>Esta partida se guardó con otra versión de LanUNO.</translation>
    </message>
    <message>
        <source>This version cannot check it.</source>
        <translation>Esta versión no puede comprobarla.</translation>
    </message>
    <message>
        <source>No game has begun in this file.</source>
        <translation>En este archivo no ha empezado ninguna partida.</translation>
    </message>
    <message>
        <source>So there is nothing to check.</source>
        <translation>Así que no hay nada que comprobar.</translation>
    </message>
    <message>
        <source>This file only names the players of a tournament.</source>
        <translation>Este archivo solo dice quiénes juegan un torneo.</translation>
    </message>
    <message>
        <source>The games are in the files of its tables: check those.</source>
        <translation>Las partidas están en los archivos de sus mesas: comprueba esos.</translation>
    </message>
    <message>
        <source>{name} left, and signed that (round {round})</source>
        <translation>{name} se fue, y lo firmó (ronda {round})</translation>
    </message>
    <message>
        <source>A bot of {other} played for {name} (round {round})</source>
        <translation>Un bot de {other} jugó por {name} (ronda {round})</translation>
    </message>
    <message>
        <source>The randomness of {name} was not revealed (round {round})</source>
        <translation>No se reveló el azar de {name} (ronda {round})</translation>
    </message>
    <message>
        <source>Choosing the dealer</source>
        <translation>Elección del repartidor</translation>
    </message>
    <message>
        <source>Everything before the change was checked.</source>
        <translation>Todo lo anterior al cambio está comprobado.</translation>
    </message>
    <message>
        <source>Round {number}</source>
        <translation>Ronda {number}</translation>
    </message>
    <message>
        <source>A fault is proven</source>
        <translation>Hay una falta demostrada</translation>
    </message>
    <message>
        <source>Void: {why}</source>
        <translation>Anulada: {why}</translation>
    </message>
    <message>
        <source>Not everything could be checked</source>
        <translation>No todo se pudo comprobar</translation>
    </message>
    <message numerus="yes">
        <source>%n checks, all right</source>
        <translation>
            <numerusform>%n comprobación, correcta</numerusform>
            <numerusform>%n comprobaciones, todas correctas</numerusform>
        </translation>
    </message>
    <message>
        <source>Hide the checks</source>
        <translation>Ocultar las comprobaciones</translation>
    </message>
    <message>
        <source>Show every check</source>
        <translation>Ver cada comprobación</translation>
    </message>
</context>
<context>
    <name>Verifier</name>
    <message>
        <source>Only files on this computer can be checked.</source>
        <translation>Solo se pueden comprobar archivos de este equipo.</translation>
    </message>
    <message>
        <source>Saved as {file}.</source>
        <translation>Guardado como {file}.</translation>
    </message>
    <message>
        <source>This file could not be checked.</source>
        <translation>No se pudo comprobar este archivo.</translation>
    </message>
    <message numerus="yes">
        <source>{name}, %n cards</source>
        <translation>
            <numerusform>{name}, %n carta</numerusform>
            <numerusform>{name}, %n cartas</numerusform>
        </translation>
    </message>
    <message>
        <source>Checking it would take more time or memory than any game needs.</source>
        <translation>Comprobarlo llevaría más tiempo o memoria de lo que necesita cualquier partida.</translation>
    </message>
    <message>
        <source>The round begins: everybody has promised a seed</source>
        <translation>Empieza la ronda: todos han prometido una semilla</translation>
    </message>
    <message>
        <source>The cards are dealt</source>
        <translation>Las cartas están repartidas</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Volver</translation>
    </message>
    <message>
        <source>Verify a game</source>
        <translation>Verificar una partida</translation>
    </message>
    <message>
        <source>Save a copy…</source>
        <translation>Guardar una copia…</translation>
    </message>
    <message>
        <source>Open a file…</source>
        <translation>Abrir un archivo…</translation>
    </message>
    <message>
        <source>Was the shuffle fair?</source>
        <translation>¿Fue limpio el barajado?</translation>
    </message>
    <message>
        <source>Every game is kept as a .lanuno file, signed by all of its players. Drop one here, and this computer works out every card again: who shuffled how, what everybody held, and whether every move was allowed.</source>
        <translation>Cada partida se guarda como un archivo .lanuno firmado por todos sus jugadores. Suelta uno aquí y este equipo volverá a calcular cada carta: quién barajó y cómo, qué tenía cada jugador y si cada jugada estaba permitida.</translation>
    </message>
    <message>
        <source>Working out every card again…</source>
        <translation>Calculando de nuevo cada carta…</translation>
    </message>
    <message>
        <source>%1 percent checked</source>
        <translation>%1 por ciento comprobado</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Reintentar</translation>
    </message>
    <message>
        <source>The verdict</source>
        <translation>El veredicto</translation>
    </message>
    <message>
        <source>The game</source>
        <translation>La partida</translation>
    </message>
    <message>
        <source>Open a game</source>
        <translation>Abrir una partida</translation>
    </message>
    <message>
        <source>LanUNO games (*.lanuno)</source>
        <translation>Partidas de LanUNO (*.lanuno)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Todos los archivos (*)</translation>
    </message>
    <message>
        <source>Save a copy</source>
        <translation>Guardar una copia</translation>
    </message>
</context>
<context>
    <name>Visiting</name>
    <message>
        <source>This table needs a PIN. Ask the host for it.</source>
        <translation>Esta mesa necesita un PIN. Pídeselo al anfitrión.</translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>Welcome!</source>
        <translation>¡Hola!</translation>
    </message>
    <message>
        <source>This is how the others see you.</source>
        <translation>Así te ven los demás.</translation>
    </message>
    <message>
        <source>That’s me</source>
        <translation>Listo</translation>
    </message>
</context>
</TS>
