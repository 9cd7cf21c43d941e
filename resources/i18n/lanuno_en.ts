<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>GameLine</name>
    <message numerus="yes">
        <source>%n points</source>
        <translation>
            <numerusform>%n point</numerusform>
            <numerusform>%n points</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>History</name>
    <message numerus="yes">
        <source>games won in a row</source>
        <translation>
            <numerusform>game won</numerusform>
            <numerusform>games won in a row</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more games are not counted: {why}.</source>
        <translation>
            <numerusform>%n more game is not counted: {why}.</numerusform>
            <numerusform>%n more games are not counted: {why}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rounds</source>
        <translation>
            <numerusform>%n round</numerusform>
            <numerusform>%n rounds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n games together</source>
        <translation>
            <numerusform>%n game together</numerusform>
            <numerusform>%n games together</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files in the folder are not games.</source>
        <translation>
            <numerusform>One file in the folder is not a game.</numerusform>
            <numerusform>%n files in the folder are not games.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{names} were ahead when it ended</source>
        <translation>
            <numerusform>{names} was ahead when it ended</numerusform>
            <numerusform>{names} were ahead when it ended</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{names} won</source>
        <translation>
            <numerusform>{names} won</numerusform>
            <numerusform>{names} won</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>in %n rounds</source>
        <translation>
            <numerusform>in %n round</numerusform>
            <numerusform>in %n rounds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not finished</source>
        <translation>
            <numerusform>%n not finished</numerusform>
            <numerusform>%n not finished</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n broken off</source>
        <translation>
            <numerusform>%n broken off</numerusform>
            <numerusform>%n broken off</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n with cheating</source>
        <translation>
            <numerusform>%n with cheating</numerusform>
            <numerusform>%n with cheating</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Home</name>
    <message numerus="yes">
        <source>%n bots</source>
        <translation>
            <numerusform>%n bot</numerusform>
            <numerusform>%n bots</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n seats are free</source>
        <translation>
            <numerusform>%n seat is free</numerusform>
            <numerusform>%n seats are free</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n players are playing</source>
        <translation>
            <numerusform>%n player is playing</numerusform>
            <numerusform>%n players are playing</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Host</name>
    <message numerus="yes">
        <source>%n sets of rules are saved: delete one first.</source>
        <translation>
            <numerusform>%n set of rules is saved: delete one first.</numerusform>
            <numerusform>%n sets of rules are saved: delete one first.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Moves</name>
    <message numerus="yes">
        <source>{name} draws %n cards for not saying “UNO”</source>
        <translation>
            <numerusform>{name} draws one card for not saying “UNO”</numerusform>
            <numerusform>{name} draws %n cards for not saying “UNO”</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{name} draws %n cards: the challenge failed</source>
        <translation>
            <numerusform>{name} draws one card: the challenge failed</numerusform>
            <numerusform>{name} draws %n cards: the challenge failed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{name} draws %n cards: it was a bluff</source>
        <translation>
            <numerusform>{name} draws one card: it was a bluff</numerusform>
            <numerusform>{name} draws %n cards: it was a bluff</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{name} draws %n cards for a wrong card</source>
        <translation>
            <numerusform>{name} draws one card for a wrong card</numerusform>
            <numerusform>{name} draws %n cards for a wrong card</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{name} draws %n cards for advising</source>
        <translation>
            <numerusform>{name} draws one card for advising</numerusform>
            <numerusform>{name} draws %n cards for advising</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{name} draws %n cards</source>
        <translation>
            <numerusform>{name} draws a card</numerusform>
            <numerusform>{name} draws %n cards</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The discard pile was shuffled: %n cards</source>
        <translation>
            <numerusform>The discard pile was shuffled: one card</numerusform>
            <numerusform>The discard pile was shuffled: %n cards</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Playing</name>
    <message numerus="yes">
        <source>{names} want to play again</source>
        <translation>
            <numerusform>{names} wants to play again</numerusform>
            <numerusform>{names} want to play again</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Result</name>
    <message numerus="yes">
        <source>{names} lead the tournament</source>
        <translation>
            <numerusform>{names} leads the tournament</numerusform>
            <numerusform>{names} lead the tournament</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The next round begins in %n seconds</source>
        <translation>
            <numerusform>The next round begins in one second</numerusform>
            <numerusform>The next round begins in %n seconds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{names} won the match</source>
        <translation>
            <numerusform>{names} has won the match</numerusform>
            <numerusform>{names} have won the match</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{names} won the tournament</source>
        <translation>
            <numerusform>{names} won the tournament</numerusform>
            <numerusform>{names} won the tournament</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{names} cheated</source>
        <translation>
            <numerusform>{names} cheated</numerusform>
            <numerusform>{names} cheated</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{names} were ahead</source>
        <translation>
            <numerusform>{names} was ahead</numerusform>
            <numerusform>{names} were ahead</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{names} won this round</source>
        <translation>
            <numerusform>{names} has won this round</numerusform>
            <numerusform>{names} have won this round</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Room</name>
    <message numerus="yes">
        <source>Waiting for %n players to be ready</source>
        <translation>
            <numerusform>Waiting for one player to be ready</numerusform>
            <numerusform>Waiting for %n players to be ready</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n seats are free; the game begins when all are taken</source>
        <translation>
            <numerusform>One seat is free; the game begins when it is taken</numerusform>
            <numerusform>%n seats are free; the game begins when all are taken</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n seats</source>
        <translation>
            <numerusform>%n seat</numerusform>
            <numerusform>%n seats</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more changes</source>
        <translation>
            <numerusform>%n more change</numerusform>
            <numerusform>%n more changes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n seats are free; the game begins when all are taken, or when the host begins it</source>
        <translation>
            <numerusform>One seat is free; the game begins when it is taken, or when the host begins it</numerusform>
            <numerusform>%n seats are free; the game begins when all are taken, or when the host begins it</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n watching</source>
        <translation>
            <numerusform>%n watching</numerusform>
            <numerusform>%n watching</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Setting</name>
    <message numerus="yes">
        <source>%n cards</source>
        <translation>
            <numerusform>one card</numerusform>
            <numerusform>%n cards</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>These rules cannot be played by %n players.</source>
        <translation>
            <numerusform>These rules cannot be played by %n player.</numerusform>
            <numerusform>These rules cannot be played by %n players.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n house rules</source>
        <translation>
            <numerusform>%n house rule</numerusform>
            <numerusform>%n house rules</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n changed settings</source>
        <translation>
            <numerusform>%n changed setting</numerusform>
            <numerusform>%n changed settings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n house rules that this version does not know</source>
        <translation>
            <numerusform>%n house rule that this version does not know</numerusform>
            <numerusform>%n house rules that this version does not know</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other settings are changed: the waiting room names them</source>
        <translation>
            <numerusform>%n other setting is changed: the waiting room names it</numerusform>
            <numerusform>%n other settings are changed: the waiting room names them</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>These rules need at least %n players.</source>
        <translation>
            <numerusform>These rules need at least %n player.</numerusform>
            <numerusform>These rules need at least %n players.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>These rules allow at most %n players.</source>
        <translation>
            <numerusform>These rules allow at most %n player.</numerusform>
            <numerusform>These rules allow at most %n players.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>With so many players each can be dealt at most %n cards.</source>
        <translation>
            <numerusform>With so many players each can be dealt at most %n card.</numerusform>
            <numerusform>With so many players each can be dealt at most %n cards.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Table</name>
    <message numerus="yes">
        <source>%n seconds left</source>
        <translation>
            <numerusform>One second left</numerusform>
            <numerusform>%n seconds left</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Shuffled and dealt by all %n players</source>
        <translation>
            <numerusform>Shuffled and dealt by one player</numerusform>
            <numerusform>Shuffled and dealt by all %n players</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Draw %n cards</source>
        <translation>
            <numerusform>Draw one card</numerusform>
            <numerusform>Draw %n cards</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{names} cannot be reached. The table waits %n seconds, then it goes on without them.</source>
        <translation>
            <numerusform>{names} cannot be reached. The table waits one second, then it goes on without them.</numerusform>
            <numerusform>{names} cannot be reached. The table waits %n seconds, then it goes on without them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{names} cannot be reached. The table waits %n seconds; nothing is lost.</source>
        <translation>
            <numerusform>{names} cannot be reached. The table waits %n second; nothing is lost.</numerusform>
            <numerusform>{names} cannot be reached. The table waits %n seconds; nothing is lost.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>You must draw %n cards and lose your turn</source>
        <translation>
            <numerusform>You must draw a card and lose your turn</numerusform>
            <numerusform>You must draw %n cards and lose your turn</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>You are hit and draw %n cards</source>
        <translation>
            <numerusform>You are hit and draw a card</numerusform>
            <numerusform>You are hit and draw %n cards</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A penalty for you: %n cards</source>
        <translation>
            <numerusform>A penalty for you: one card</numerusform>
            <numerusform>A penalty for you: %n cards</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Draw %n cards, challenge, or pass them on</source>
        <translation>
            <numerusform>Draw a card, challenge, or pass it on</numerusform>
            <numerusform>Draw %n cards, challenge, or pass them on</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Draw %n cards and lose your turn, or challenge</source>
        <translation>
            <numerusform>Draw a card and lose your turn, or challenge</numerusform>
            <numerusform>Draw %n cards and lose your turn, or challenge</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Draw %n cards and lose your turn, or pass them on</source>
        <translation>
            <numerusform>Draw a card and lose your turn, or pass it on</numerusform>
            <numerusform>Draw %n cards and lose your turn, or pass them on</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>If {name} held {colour}, they draw %n cards and you play.</source>
        <translation>
            <numerusform>If {name} held {colour}, they draw a card and you play.</numerusform>
            <numerusform>If {name} held {colour}, they draw %n cards and you play.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>If not, you draw %n cards.</source>
        <translation>
            <numerusform>If not, you draw a card.</numerusform>
            <numerusform>If not, you draw %n cards.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n points</source>
        <translation>
            <numerusform>one point</numerusform>
            <numerusform>%n points</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cards</source>
        <translation>
            <numerusform>one card</numerusform>
            <numerusform>%n cards</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Timeline</name>
    <message numerus="yes">
        <source>%n on the draw pile</source>
        <translation>
            <numerusform>%n on the draw pile</numerusform>
            <numerusform>%n on the draw pile</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Verdict</name>
    <message numerus="yes">
        <source>The clock played %n turns of {name}; only the host says that time was up</source>
        <translation>
            <numerusform>The clock played %n turn of {name}; only the host says that time was up</numerusform>
            <numerusform>The clock played %n turns of {name}; only the host says that time was up</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{names} cheated in this game.</source>
        <translation>
            <numerusform>{names} cheated in this game.</numerusform>
            <numerusform>{names} cheated in this game.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n checks, all right</source>
        <translation>
            <numerusform>%n check, all right</numerusform>
            <numerusform>%n checks, all right</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Verifier</name>
    <message numerus="yes">
        <source>{name}, %n cards</source>
        <translation>
            <numerusform>{name}, %n card</numerusform>
            <numerusform>{name}, %n cards</numerusform>
        </translation>
    </message>
</context>
</TS>
