<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="es" sourcelanguage="en">
<context>
    <name>Application</name>
    <message>
        <source>The report was copied.</source>
        <translation>El informe está copiado.</translation>
    </message>
</context>
<context>
    <name>Lobby</name>
    <message>
        <source>The table filled up before you sat down.</source>
        <translation>La mesa se llenó antes de que te sentaras.</translation>
    </message>
    <message>
        <source>Somebody at this table has your name already. Change yours in Settings.</source>
        <translation>En esta mesa ya hay alguien con tu nombre. Cambia el tuyo en Ajustes.</translation>
    </message>
    <message>
        <source>The host does not accept your name. Change it in Settings.</source>
        <translation>El anfitrión no acepta tu nombre. Cámbialo en Ajustes.</translation>
    </message>
    <message>
        <source>That is not the PIN. Ask the host; after five wrong ones you must wait for a minute.</source>
        <translation>Ese no es el PIN. Pregunta al anfitrión; tras cinco intentos fallidos hay que esperar un minuto.</translation>
    </message>
    <message>
        <source>This table has already begun to play.</source>
        <translation>Esta mesa ya ha empezado a jugar.</translation>
    </message>
    <message>
        <source>Nobody else can watch this table.</source>
        <translation>Nadie más puede mirar esta mesa.</translation>
    </message>
    <message>
        <source>The host sent you away from this table.</source>
        <translation>El anfitrión te ha echado de esta mesa.</translation>
    </message>
    <message>
        <source>You are sitting at this table already, perhaps in another window.</source>
        <translation>Ya estás en esta mesa, quizá en otra ventana.</translation>
    </message>
    <message>
        <source>What the host wanted to begin with is not what was agreed on. Nothing was signed; do not play there.</source>
        <translation>El anfitrión quería empezar con algo distinto de lo acordado. No se ha firmado nada; no juegues ahí.</translation>
    </message>
    <message>
        <source>Your computer took too long to begin. Join again.</source>
        <translation>Tu ordenador tardó demasiado en empezar. Vuelve a entrar.</translation>
    </message>
    <message>
        <source>The host closed the table.</source>
        <translation>El anfitrión ha cerrado la mesa.</translation>
    </message>
    <message>
        <source>The host has another version of LanUNO. Update both, then try again.</source>
        <translation>El anfitrión tiene otra versión de LanUNO. Actualizad los dos y vuelve a intentarlo.</translation>
    </message>
    <message>
        <source>This table is only for the players of a tournament.</source>
        <translation>Esta mesa es solo para los jugadores de un torneo.</translation>
    </message>
</context>
<context>
    <name>Net</name>
    <message>
        <source>That table was not reached: nothing answers there. Check that both computers are on the same network; a firewall may be blocking port 47474.</source>
        <translation>No se pudo llegar a esa mesa: allí no responde nadie. Comprueba que los dos ordenadores estén en la misma red; puede que un cortafuegos bloquee el puerto 47474.</translation>
    </message>
    <message>
        <source>This table was found, but its computer does not answer: a firewall may be blocking port 47474.</source>
        <translation>Se encontró esta mesa, pero su ordenador no responde: puede que un cortafuegos bloquee el puerto 47474.</translation>
    </message>
    <message>
        <source>What answers there is not LanUNO. Ask the host for the link again.</source>
        <translation>Lo que responde ahí no es LanUNO. Pide otra vez el enlace al anfitrión.</translation>
    </message>
    <message>
        <source>The other computer said something that makes no sense, so the connection was ended.</source>
        <translation>El otro ordenador dijo algo sin sentido y se cortó la conexión.</translation>
    </message>
    <message>
        <source>The other computer has another version of LanUNO. Update both, then try again.</source>
        <translation>El otro ordenador tiene otra versión de LanUNO. Actualizad los dos y vuelve a intentarlo.</translation>
    </message>
    <message>
        <source>The host is not who the invitation names. Do not play there; ask for a new invitation.</source>
        <translation>El anfitrión no es quien dice la invitación. No juegues ahí; pide una invitación nueva.</translation>
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
        <source>The host takes no more connections just now. Try again in a moment.</source>
        <translation>El anfitrión no admite más conexiones ahora mismo. Inténtalo dentro de un momento.</translation>
    </message>
    <message>
        <source>The other computer sent more than it may, so the connection was ended.</source>
        <translation>El otro ordenador envió más de lo permitido y se cortó la conexión.</translation>
    </message>
    <message>
        <source>Too many messages were sent, so the connection was ended.</source>
        <translation>Se enviaron demasiados mensajes y se cortó la conexión.</translation>
    </message>
    <message>
        <source>The connection is too slow to play on. Move closer to the router or use a cable.</source>
        <translation>La conexión es demasiado lenta para jugar. Acércate al rúter o usa un cable.</translation>
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
        <source>This is no address that can be reached. Check the link or the code.</source>
        <translation>A esa dirección no se puede llegar. Revisa el enlace o el código.</translation>
    </message>
    <message>
        <source>No port is free to host on. Close other programs that host, then try again.</source>
        <translation>No queda ningún puerto libre para abrir la mesa. Cierra otros programas que tengan mesas abiertas y vuelve a intentarlo.</translation>
    </message>
    <message>
        <source>This link cannot be read. Copy it whole, from “lanuno:” to its end.</source>
        <translation>Este enlace no se entiende. Cópialo entero, desde «lanuno:» hasta el final.</translation>
    </message>
    <message>
        <source>There is no such network. Connect to one, or choose another adapter in Settings.</source>
        <translation>No hay tal red. Conéctate a una o elige otro adaptador en Ajustes.</translation>
    </message>
    <message>
        <source>This computer cannot look for tables on its network: a firewall may be blocking multicast. You can still join by link or code.</source>
        <translation>Este ordenador no puede buscar mesas en su red: puede que un cortafuegos bloquee la multidifusión. Aun así puedes entrar con enlace o código.</translation>
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
        <source>This is another card than was said.</source>
        <translation>Esta no es la carta que se dijo.</translation>
    </message>
    <message>
        <source>Neither its colour nor its number or symbol matches the card on the table.</source>
        <translation>Ni su color ni su número o símbolo coinciden con la carta de la mesa.</translation>
    </message>
    <message>
        <source>After drawing, only the card just drawn may be played.</source>
        <translation>Después de robar solo se puede jugar la carta recién robada.</translation>
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
        <translation>No hay nada que pillar: se dijo «UNO» o ya es tarde.</translation>
    </message>
    <message>
        <source>By these rules nobody is caught: a missing “UNO” is punished by itself.</source>
        <translation>Con estas reglas no se pilla a nadie: no decir «UNO» se castiga solo.</translation>
    </message>
    <message>
        <source>That cannot be done to oneself.</source>
        <translation>Eso no se puede hacer a uno mismo.</translation>
    </message>
    <message>
        <source>You hold a card of the current colour, so a Wild Draw Four is not allowed.</source>
        <translation>Tienes una carta del color actual, así que no se permite un Comodín roba cuatro.</translation>
    </message>
    <message>
        <source>You hold another card that fits, so a Wild Draw Four is not allowed.</source>
        <translation>Tienes otra carta que sirve, así que no se permite un Comodín roba cuatro.</translation>
    </message>
    <message>
        <source>You hold a card that fits, so you must play instead of drawing.</source>
        <translation>Tienes una carta que sirve, así que debes jugar en lugar de robar.</translation>
    </message>
    <message>
        <source>The card you drew fits, so it must be played.</source>
        <translation>La carta que robaste sirve, así que hay que jugarla.</translation>
    </message>
    <message>
        <source>That is not what the shown hand says.</source>
        <translation>Eso no es lo que dice la mano mostrada.</translation>
    </message>
    <message>
        <source>There is nothing to challenge now.</source>
        <translation>Ahora no hay nada que impugnar.</translation>
    </message>
    <message>
        <source>That player is not in this round.</source>
        <translation>Ese jugador no está en esta ronda.</translation>
    </message>
    <message>
        <source>By the house rules you draw until you have a card that fits.</source>
        <translation>Según las reglas de la casa, robas hasta tener una carta que sirva.</translation>
    </message>
    <message>
        <source>That card may lie: there is nothing wrong.</source>
        <translation>Esa carta puede estar ahí: no hay nada incorrecto.</translation>
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
        <translation>Eso ya lo has hecho.</translation>
    </message>
    <message>
        <source>The card you drew fits, so nothing more is drawn.</source>
        <translation>La carta que robaste sirve, así que no se roba más.</translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <source>The diagnostics were copied: paste them where they are asked for.</source>
        <translation>El diagnóstico está copiado: pégalo donde te lo pidan.</translation>
    </message>
</context>
<context>
    <name>Store</name>
    <message>
        <source>{path} cannot be read.</source>
        <translation>No se puede leer {path}.</translation>
    </message>
    <message>
        <source>{path} cannot be written. Check that the folder is yours and the disk is well.</source>
        <translation>No se puede escribir {path}. Comprueba que la carpeta sea tuya y que el disco esté bien.</translation>
    </message>
    <message>
        <source>The disk is full: there is no room for {path}. Nothing is lost; make room first.</source>
        <translation>El disco está lleno: no cabe {path}. No se ha perdido nada; haz sitio primero.</translation>
    </message>
    <message>
        <source>{path} is on a disk that cannot be written. Make it writable first.</source>
        <translation>{path} está en un disco en el que no se puede escribir. Permite antes la escritura.</translation>
    </message>
    <message>
        <source>Other people on this computer can reach {path}, which must stay secret. Take their rights away, then start again.</source>
        <translation>Otras personas de este ordenador pueden ver {path}, que debe ser secreto. Quítales el permiso y vuelve a empezar.</translation>
    </message>
    <message>
        <source>{path} belongs to another user of this computer.</source>
        <translation>{path} pertenece a otro usuario de este ordenador.</translation>
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
        <source>{path} is not a file of this kind, or it is one of a newer version.</source>
        <translation>{path} no es un archivo de este tipo, o es de una versión más nueva.</translation>
    </message>
    <message>
        <source>Another LanUNO is playing with this profile. Close it first.</source>
        <translation>Otro LanUNO está jugando con este perfil. Ciérralo primero.</translation>
    </message>
    <message>
        <source>{path} is there already and is not overwritten.</source>
        <translation>{path} ya existe y no se sobrescribe.</translation>
    </message>
    <message>
        <source>{path} holds something else under the same name already. LanUNO never signs twice, so this table cannot be gone on with here.</source>
        <translation>{path} ya guarda otra cosa con el mismo nombre. LanUNO nunca firma dos veces, así que esta mesa no puede continuar aquí.</translation>
    </message>
    <message>
        <source>{path} cannot be written any more after an earlier error. Start LanUNO again.</source>
        <translation>Ya no se puede escribir {path} tras un error anterior. Vuelve a abrir LanUNO.</translation>
    </message>
    <message>
        <source>{path} is missing: this installation is broken. Install LanUNO again.</source>
        <translation>Falta {path}: esta instalación está rota. Vuelve a instalar LanUNO.</translation>
    </message>
    <message>
        <source>This game ends with a proof against its host and is not gone on with.</source>
        <translation>Esta partida termina con una prueba contra su anfitrión y no continúa.</translation>
    </message>
    <message>
        <source>This name cannot be shown to others: use 1 to 20 visible letters.</source>
        <translation>Este nombre no se puede mostrar a los demás: usa de 1 a 20 letras visibles.</translation>
    </message>
</context>
</TS>
