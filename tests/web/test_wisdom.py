"""The dangers that a room survives, such as a lost reply, a double click or a clock set back.

Each row names a danger, and tells it in steps. A step is a person and an action of the API by its
name, or a fault. Rows name actions, codes and what is shown, but no addresses, classes or stored
words. So only the verbs in `steps.py` change when the server is rebuilt.

    ann open seats=me/Ann,link    Ann opens a room. Seats are who/name.
    bob enter 1 name=Bob          Bob follows the link of seat 1, or `join`, `watch` or `host`.
    ann throw                     So do choose, take-back and correct; `old`: by what Ann saw last.
    bob leave 1 !not-allowed      The action is refused with this code.
    ann again                     Ann sends her last request again, as after a lost reply.
    bob repeats ann               Bob sends the last request of Ann; ann-enter: her first to enter.
    ann renew 1 twice             Ann presses twice. It happens once, also if memory was lost.
    ann throw & bob leave 1       Both arrive before any of them is done, in this order.
    ann sees view.phase playing   The room shows this to Ann.
    ann counts 4                  The room has had so many events.
"""

import re
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from shutbox.web import limits
from shutbox.web.server import background
from shutbox.web.server.app import app_of
from shutbox.web.server.services import Server
from shutbox.web.server.settings import Settings
from shutbox.web.storage.database import Database
from web.steps import World

LOST = """
A reply is lost, and the same throw comes again
    ann open; ann throw; ann again; ann counts 5
A choice comes again after later moves, and the coach says the same
    ann open dice=hand coach=true; ann throw 3+5; ann choose 8; ann throw 1+1
    ann repeats ann-choose; ann sees view.table.version 3
Every button of a game is pressed twice
    ann open dice=hand coach=true; ann throw 3+4 twice; ann correct 3+5 twice; ann choose 8 twice
    ann take-back twice; ann name 0 name=Zoe twice; ann end twice; ann rematch twice
    ann sees view.table.game 2
Every button about seats is pressed twice
    ann open seats=me/Ann,link order=seats; ann renew 1 twice; bob enter 1 name=Bob twice
    bob say 1 phrase=bravo twice; bob word tap twice; bob leave 1 twice; bob come-back 1 twice
    ann clear-name 1 twice; bob leave 1; ann stand-in 1 twice; bob come-back 1; bob leave 1
    ann end twice; bob come-back 1; bob decline 1 game=1 twice; bob rematch twice
    ann rematch twice; ann sees view.table.game 2
The id of an action comes from somebody else, and tells nothing
    ann open seats=me/Ann,link; bob enter 1 name=Bob; ann say 0 phrase=bravo #an-id-of-ann
    bob say 1 phrase=bravo #an-id-of-ann !not-allowed; bob repeats ann !not-allowed
An id that was used comes with another request
    ann open dice=hand; ann throw 3+5 #one-and-only; ann choose 8 #one-and-only !not-allowed
    ann throw 3+4 #one-and-only !not-allowed; ann renew 0 #one-and-only !not-allowed; ann counts 3
The reply to an opening is lost
    ann open seats=me/Ann,link #open-it-once; bob enter 1 name=Bob; ann again
    ann holds 0 watch host; ann counts 4; ann open another game=six #open-it-once
    bob open another seats=me/Ann,link #open-it-once
An opening is sent twice at once
    ann open another; ann open #open-it-once & ann open #open-it-once; ann counts 3
An opening comes again after its seat was renewed elsewhere
    ann open #open-it-once by=a-secret-of-anns; phone enter 0; phone renew 0; ann again
    ann holds watch host
An opening comes again from a device that was shut out of its seat
    ann open #open-it-once; phone enter 0; phone renew 0; ann again; ann sees you.seats []
The reply to a guest is lost with the cookie in it
    ann open seats=me/Ann,link; bob enter 1 name=Bob; other repeats bob; other sees you.seats [1]
    bob renew 1; other again !not-allowed; eve repeats bob-enter !not-allowed
    other sees !not-allowed; bob sees you.seats [1]
The reply to an invited guest is lost, and others came meanwhile
    ann open seats=me/Ann,link,link; bob enter join name=Bob; cid enter join name=Cid
    other repeats bob; other sees you.seats [1]
Two invited guests have clients that count their ids alike
    ann open seats=me/Ann,link,link; bob enter join name=Bob #action-01
    cid enter join name=Cid #action-01 !not-allowed; cid sees !not-allowed
    cid enter join name=Cid; cid sees you.seats [2]
A player follows the invitation to the own table
    ann open seats=me/Ann,link,link; bob enter join name=Bob; bob enter join name=Another
    ann enter join; bob sees you.seats [1]; ann sees you.seats [0]; ann sees view.seats.2.state free
A program renews its link by its only key, and the reply is lost
    ann open seats=me/Ann,link; bot enter 1 name=Robo; bot forgets its cookie; bot renew 1 by=bot
    bot again; bot renew 1 by=bot !not-allowed; bot renew 1 by=new
    bot repeats bot-renew !not-allowed
"""

TWO_TABS = """
Two tabs press the same button
    ann open; ann looks; ann throw old & ann throw old !out-of-date; ann counts 5
A double click sends the same id twice at once
    ann open; ann looks; ann throw old #twice-at-once & ann throw old #twice-at-once; ann counts 5
A tab that has slept presses what was right hours ago
    ann open dice=hand; ann looks; ann throw 3+5; ann throw 1+1 old !out-of-date
    ann choose 8 old !out-of-date; ann take-back old seat=0 !out-of-date
    ann correct 1+2 old seat=0 !out-of-date; ann counts 3
A rematch of the game before is late
    ann open seats=me/Ann,here/Bob; ann end; ann rematch; ann rematch game=1 !out-of-date
    ann sees view.table.game 2
Two ask for the last seat at once
    ann open seats=me/Ann,link; bob enter join name=Bob & eve enter join name=Eve !no-free-seat
    ann sees view.seats.1.name Bob; eve sees !not-allowed
Two follow one link at once
    ann open seats=me/Ann,link; bob enter 1 name=Bob & eve enter 1 name=Eve !not-allowed
    ann sees view.seats.1.name Bob
A link is renewed while a guest follows it
    ann open seats=me/Ann,link; ann renew 1 & bob enter 1 name=Bob !not-allowed
    bob enter join name=Bob !not-allowed; ann sees view.seats.1.state free
A guest sits down while the link is renewed
    ann open seats=me/Ann,link; bob enter 1 name=Bob & ann renew 1 !not-allowed
    bob sees you.seats [1]
A move arrives while its device is shut out
    ann open; phone enter 0; ann renew 0 & phone throw !not-allowed; ann sees view.table.version 0
    phone sees !not-allowed
A device is looked up while it is shut out
    ann open seats=me/Ann,link; bob enter 1 name=Bob; phone enter bob
    bob renews 1 while phone is looked up; phone sees !not-allowed; bob sees you.seats [1]
A computer player is seated while a guest sits down
    ann open seats=me/Ann,link; ann stand-in 1 & bob enter 1 name=Bob !not-allowed
    bob enter join name=Bob !no-free-seat
A guest sits down while a computer player is seated
    ann open seats=me/Ann,link; bob enter 1 name=Bob & ann stand-in 1 !not-allowed
    ann sees view.seats.1.name Bob
A player comes back while the computer player is due
    bob open seats=me/Bob,link order=seats; ann enter 1 name=Ann; bob leave 0; computers stop
    ann stand-in 0; bob come-back 0 & computers go; bob sees view.table.version 0; bob throw
A player comes back while the others end the game
    ann open seats=me/Ann,link; bob enter 1 name=Bob; bob leave 1
    bob come-back 1 & ann end !not-allowed; ann sees view.phase playing
Two want a rematch at once
    ann open seats=me/Ann,link; bob enter 1 name=Bob; bob leave 1; ann end; bob come-back 1
    ann rematch & bob rematch; ann sees view.table.game 2; ann rematch game=1 !out-of-date
One wants a rematch while the other declines
    ann open seats=me/Ann,link; bob enter 1 name=Bob; bob leave 1; ann end; bob come-back 1
    ann rematch; ann sees view.table.game 1; bob decline 1 game=1 & ann rematch !not-allowed
    ann sees view.table.game 1; ann sees view.seats.0.again null; bob rematch; ann rematch
    ann sees view.table.game 2
Two play at one screen, and one of them leaves
    ann open seats=me/Ann,here/Bob; ann rematch game=1 !not-allowed; ann leave 1; ann stand-in 1
A choice is taken back while the next player throws
    ann open game=classic(tiles=1-2,dice=1d2) seats=me/Ann,here/Bob dice=hand order=seats
    ann throw 1; ann choose 1; ann throw 2; ann choose 2; ann looks
    ann throw 1 old & ann take-back old !out-of-date; ann sees view.table.seat 1
The choice of another player is taken back
    ann open seats=me/Ann,link order=seats; bob enter 1 name=Bob; ann throw; ann choose
    bob take-back seat=1 !not-your-turn; bob take-back seat=0 !not-allowed; ann take-back
Two windows of a device begin today's try at once
    ann open another; ann today; ann play-today & ann play-today; ann counts 2
"""

STOPPED = """
The server stops between storing a move and showing it
    ann open; server dies; ann throw !broken; ann counts 5; ann again; ann counts 5
The server stops between storing a seat and showing it
    ann open seats=me/Ann,link; server dies; bob enter 1 name=Bob !broken; bob again
    bob sees you.seats [1]
The client goes away while its move is stored
    ann open; ann throw goes; ann again; ann counts 5
The disk is full, and later it is not
    ann open; disk full; ann throw !not-kept; ann counts 3; ann sees view.table.version 0
    bob open another !not-kept; disk free; ann again; ann counts 5
A room leaves memory in the middle of a game
    ann open seats=me/Ann,link order=seats; bob enter 1 name=Bob; bob leave 1; ann renew -1
    server forgets what ann sees; bob sees you.may.come_back [1]
An older copy of the database is put back
    ann open; ann throw; ann choose; ann looks; database put-back 5; ann take-back old !out-of-date
    ann sees view.table.version 1; ann choose
A stored move is damaged, and mended later
    ann open; ann throw; database damaged; ann sees !damaged; ann leave 0 !damaged; database mended
    ann choose
A computer player's move cannot be stored
    computers stop; ann open seats=computer:random,me/Ann order=seats; disk full; computers go
    ann sees view.table.version 0; disk free; ann waits for view.table.seat 1
The thinking of a computer player fails
    workers fail; ann open game=classic(tiles=1-4) seats=me/Ann,computer:careful; ann plays-on
    ann sees view.phase over
A coach takes too long
    limit JUDGE_SECONDS 0.05; ann open coach=true; ann throw; workers sleep; ann choose
A computer player thinks, and others only look
    ann open seats=me/Ann,link; room busy; eve sees !not-allowed; ann sees view.phase waiting
    room free
"""

CLOCKS = """
A player keeps the others waiting
    ann open seats=me/Ann,link order=seats; bob enter 1 name=Bob; time 110
    bob sees you.may.stand_in []; bob end !not-allowed; bob stand-in 0 !not-allowed
    ann say 0 phrase=bravo; time 10
    bob sees you.may.stand_in [0]; bob sees you.may.end true; ann sees you.may.stand_in []
    ann stand-in 1 !not-allowed; ann throw; bob stand-in 0 !not-allowed; time AWAY_SECONDS
    bob stand-in 0; ann come-back 0
"""

SEALED = """
The reply to a word is lost, and another word comes
    ann open seats=me/Ann,link order=seats; bob enter 1 name=Bob; ann word pub; ann word pub
    ann word tap !not-allowed; ann throw; bob word late !not-allowed
    ann sees view.seal.given [true,false]
A second device of a seat has another word
    ann open; phone enter 0; ann word pub; phone word tap !not-allowed
A player has lost the cookie, and with it the word
    ann open seats=me/Ann,link order=seats; bob enter 1 name=Bob; bob forgets its cookie
    bob sees !not-allowed; ann throw; ann sees view.seal.given [false,false]
A word arrives while the first throw is made
    ann open; ann looks; ann word pub & ann throw old; ann sees view.seal.given [true]
    ann plays-on; ann checks-dice 0 pub
The first throw and its seal are one event, and so is their retry
    ann open; ann word pub; ann throw twice; ann counts 6
Two players give words, and another word comes after the first throw
    ann open seats=me/Ann,link order=seats; bob enter 1 name=Bob; ann word pub; bob word café
    ann sees view.seal.state words; ann throw; ann sees view.seal.state sealed
    bob word tap !not-allowed; ann plays-on bob; ann checks-dice 0 pub; ann checks-dice 1 café
No client sends a word
    ann open; ann plays-on; ann sees view.seal.given [false]; ann checks-dice
A computer player begins, and waits for the word
    limit WORD_SECONDS 30; ann open seats=computer:fewest,me/Ann order=seats
    ann sees view.table.version 0; ann word pub; ann waits for view.table.seat 1
    ann sees view.seal.given [false,true]
Computer players play among themselves, and no word can come
    limit WORD_SECONDS 300; ann open seats=computer:fewest,computer:most
    ann waits for view.phase over
A player gives a word, and a computer player takes over
    ann open seats=me/Ann,link order=seats; bob enter 1 name=Bob; bob word quay; bob leave 1
    ann stand-in 1; ann plays-on; ann checks-dice 1 quay
A word is given for the second seat of a client
    ann open seats=me/Ann,here/Zo,link; bob enter 2 name=Bob; ann word pub seat=1 !not-allowed
    ann word pub seat=2 !not-allowed; ann word pub
Real dice have no envelope, nor has the box of a day
    ann open dice=hand; ann sees view.seal null; ann play-today; ann sees view.seal null
An envelope is opened by the clock and by the next press at once
    ann shuts-the-box; time TAKE_BACK_SECONDS; envelopes open & ann rematch
    ann sees view.table.game 2; ann record 1 once opening
An envelope is opened by the next press and by the clock at once
    ann shuts-the-box; time TAKE_BACK_SECONDS; ann rematch & envelopes open
    ann sees view.table.game 2; ann record 1 once opening
The last choice is taken back while its envelope is closed
    ann shuts-the-box; ann sees view.phase over; envelopes open
    ann take-back; ann sees view.phase playing; ann sees view.seal.state sealed
The last choice is taken back once its envelope is open
    ann shuts-the-box; ann looks; time TAKE_BACK_SECONDS
    envelopes open & ann take-back old !cannot-take-back; ann sees view.seal.state open
The server is stopped before it opens an envelope
    ann shuts-the-box; time TAKE_BACK_SECONDS; server forgets what ann sees
    envelopes open; ann sees view.seal.state open
A stored seed is damaged
    ann open; database loses-the-seed; ann throw !damaged; ann sees view.table.version 0
"""

LISTENERS = """
A page comes back, and gets what it has missed
    ann open; ann throw; ann choose; ann listens since=4; ann hears 5 6; ann throw; ann hears 7
A page comes back late, or knows more than there is
    ann open; ann throw; ann listens since=1; ann hears picture-5; bob listens !4403
    ann listens since=999; ann hears picture-5
A device is shut out while it listens
    ann open seats=me/Ann,link; bob enter 1 name=Bob; phone enter bob; phone listens; ann listens
    bob renew 1; phone hears end-1012; ann hears renew; phone listens !4403
"""

DEVICES = """
A link for another device is followed twice
    ann open seats=me/Ann,link; ann makes-link; phone looks-at-link; ann takes-link 409
    phone takes-link 303; phone sees you.seats [0]; phone takes-link 409; eve takes-link 409
    eve sees !not-allowed
Two devices take one link at once
    ann open; ann makes-link; phone takes-link 303 & eve takes-link 409
A link for another device is too old, or there is a newer one
    ann open; ann makes-link; time HANDOVER_SECONDS; phone takes-link 409
A device that watched takes its seat along
    ann open seats=me/Ann,link; phone enter watch; phone sees you.seats []; ann makes-link
    phone takes-link 303; phone sees you.seats [0]
A seat is renewed, and the device that got it is shut out
    ann open seats=me/Ann,link; ann makes-link; phone takes-link 303; ann renew 0
    phone sees you.seats []; phone sees you.host false; phone renew -1 !not-allowed; ann renew -1
    phone sees !not-allowed
"""

INVITED = """
One invitation seats friends in order, until no seat is free
    ann open seats=me/Ann,link,link; bob enter join name=Bob; bob sees you.seats [1]
    cid enter join name=Cid; cid sees you.seats [2]; ann sees you.links.join null
    eve enter join name=Eve !no-free-seat; eve enter join !no-free-seat; ann sees view.phase playing
A host whose cookie is lost follows the own invitation
    ann open seats=me/Ann,link,link; other enter join !name-needed
    other enter join name=Ann !bad-name; ann sees view.seats.1.state free
A seat is kept for a friend of that name
    ann open seats=me/Ann,link/Bob,link,link/Cleo
    cleo enter join name=cleo; cleo sees you.seats [3]
    zed enter join name=Zed; zed sees you.seats [2]; rob enter join name=Rob; rob sees you.seats [1]
The links of free seats are used as keys
    ann open seats=me/Ann,link,link; eve sees !not-allowed by=join; eve leave 1 !not-allowed by=join
    eve come-back 1 !not-allowed by=join; eve stand-in 1 !not-allowed by=join
    eve renew 1 !not-allowed by=join; eve sees !not-allowed by=1; eve renew 1 !not-allowed by=1
The link of a free seat is renewed, and with it the invitation
    ann open seats=me/Ann,link,link; ann renew 1; bob enter join name=Bob !not-allowed
    bob enter new-join name=Bob; ann renew 0; bob renew 1; cid enter new-join name=Cid
A computer player takes the last free seat
    ann open seats=me/Ann,link,link; bob enter join name=Bob; ann leave 0; ann stand-in 2
    ann sees you.links.join null; eve enter join name=Eve !no-free-seat
Links are told to whoever may hand them on
    ann open seats=me/Ann,link,link; ann hands-on 0 1 2; bob enter 1 name=Bob; ann hands-on 0 2
    bob hands-on 1; bob sees you.links.join null; eve enter watch; eve hands-on
    eve sees you.may.renew []
A program shows several keys, and some that are none
    ann open seats=me/Ann,here/Bob; bot sees you.seats [0,1] by=0,nonsense,,1
    ann sees !not-allowed by=nobody-has-this-key; ann sees !not-allowed by=,
One client with one cookie plays for two by their keys
    ann open seats=me/Ann,link order=seats; ann enter 1 name=Bob by=1; ann sees you.seats [1] by=ann
    ann throw seat=0 by=ann !not-allowed; ann sees you.seats [0]; ann throw
One client opens for two by their secrets
    ann open by=a-secret-of-anns #the-same-id; ann open another by=a-secret-of-bobs #the-same-id
    ann open another #the-same-id; ann open same by=a-secret-of-anns #the-same-id
    ann sees !not-allowed; ann sees you.seats [0] by=0
One client begins the tries of two today by their secrets
    ann play-today by=a-secret-of-anns; ann play-today another by=a-secret-of-bobs
    ann play-today same by=a-secret-of-anns; ann play-today another
"""

REAL_DICE = """
A computer player waits for the real dice, and chooses by itself
    ann open seats=me/Ann,computer:fewest {real}; ann throw 1+1; ann choose 2; ann throw 1+1
    ann sees view.table.seat 1; ann sees you.may.throw_for [1]; ann sees view.table.version 3
    ann throw 4+5; ann waits for view.table.version 5; ann sees view.table.seat 1
    ann sees view.table.does throw; ann choose 9 !not-your-turn
Dice that are typed out of turn lie in no later throw
    ann open seats=me/Ann,computer:fewest {real}; ann throw 1+1; ann choose 2; ann throw 1+1
    ann throw 6+6 seat=0 !not-your-turn; ann throw roll= !not-understood
    ann sees view.table.version 3; eve enter watch; eve sees you.may.throw_for []
    eve throw 6+6 !not-allowed; eve throw roll= by=host !not-understood; eve throw 4+5 by=host
The dice of a computer player are corrected once its turn has ended
    ann open seats=me/Ann,computer:fewest,here/Bob {real}; ann throw 1+1; ann choose 2
    ann throw 1+1; ann throw 1+1; ann waits for view.table.version 5; ann throw 1+1
    ann sees view.table.seat 2; ann sees view.table.correctable 1; ann correct 4+5
    ann waits for view.table.seat 1; ann waits for view.table.does throw
    ann sees view.table.correctable null; ann correct 1+1 seat=1 !cannot-take-back
A computer player goes on for a player with real dice
    ann open seats=me/Ann,here/Bob {real}; ann throw 1+1; ann choose 2; ann throw 1+1; ann leave 1
    ann stand-in 1 computer=fewest; ann sees you.may.throw_for [1]; ann throw 4+5
    ann waits for view.table.version 5; ann choose 1 !not-your-turn; ann come-back 1
    ann sees you.may.throw_for []; ann throw 1+2; ann choose 3
Real dice are typed where they lie
    ann open seats=me/Ann,here/Bob,computer:fewest {real}; ann sees you.may.types_dice true
    phone enter 1; phone sees you.may.types_dice false; phone sees you.may.throw_for []
    ann throw 1+1; ann choose 2; ann throw 1+1; phone throw 6+6 !not-allowed
    ann throw roll= !not-understood; ann throw 1+1; phone correct 6+6 !not-allowed; phone choose 2
    ann throw 1+1; phone throw 6+6 !not-allowed; both throw 4+5 by=0,phone
Dice are typed where the number of dice is asked for, or where the server throws
    ann open dice=hand game=classic(fewer=may-any); ann choose "6 5"; ann sees view.table.version 2
    ann open game=classic(fewer=may-any); ann choose "6 5" !not-understood
    ann open; ann throw 6+6 !illegal-roll; ann throw; ann correct 6+6 seat=0 !cannot-take-back
    ann open another seats=me/Ann,link dice=hand !not-allowed
A game of real dice with a computer player comes to its end
    ann open seats=computer:fewest,me/Ann {real}; ann plays-on; ann sees view.phase over
Dice are typed that are none
    ann open dice=hand; ann throw 9 !illegal-roll; ann throw 7+7 !illegal-roll
    ann throw nonsense !not-understood; ann throw 6+6+6 !illegal-roll; ann counts 2
""".replace("{real}", "game=two-dice format=rounds=1,order=seats dice=hand")

TODAY = """
A device comes back to its try, and has no second one that day
    ann play-today; ann throw; ann play-today same; ann plays-on; ann play-today same
    ann sees view.phase over; ann rematch game=1 !not-allowed; time 86400; ann play-today another
A player wants help with today's box
    ann play-today; ann throw 1+1 !illegal-roll; ann throw; ann correct 1+1 seat=0 !illegal-roll
    ann hint !not-allowed; ann open another dice=day !bad-request
A choice of a try is taken back, and after the end none is
    ann play-today; ann throw; ann choose; ann take-back; ann plays-on
    ann take-back seat=0 !not-allowed
"""

ADVICE = """
Advice is asked for where none was agreed, or only what is legal
    ann open hints=off; ann throw; ann hint !not-allowed; ann open dice=hand hints=legal
    ann throw 3+5; ann reads hint figures null; ann reads hint best ""
    ann open dice=hand hints=ranked; ann throw 3+5; ann reads hint figures.aim mean
    ann reads hint figures.choices.0.text 8; ann reads hint rows.0.cost best
Advice is asked for before the throw
    ann open; ann reads hint figures null
    ann reads hint says.0 "There is nothing to choose before the next throw."
Advice is asked for in a box that takes too long
    ann open game=the-300 coach=true; ann throw; ann choose; ann throw
    ann reads hint says.0 "There is no advice here: it would take too long to work out."
Advice is asked for where nothing can be advised
    ann open game=tray; ann throw; ann reads hint says.0 "There are no hints in this game."
A verdict is asked for before the end, and after another game has begun
    ann open; ann reads verdict verdict null
    ann reads verdict says.0 "The review comes when the game is over."; ann plays-on
    ann reads verdict verdict.seats.0.expected 11.0; ann reads verdict game 1; ann rematch
    ann reads verdict verdict null; ann plays-on; ann reads verdict game 2
A verdict is asked for on a game that was given up
    ann open seats=me/Ann,here/Bob; ann end
    ann reads verdict says.0 "This game was given up. Its review has every throw."
A verdict is asked for on too long a game
    ann open game=the-300; ann plays-on; ann reads verdict verdict null
    ann reads verdict says.0 "This game is too long to review here."
    limit VERDICT_EVENTS 2; ann open game=six; ann plays-on; ann reads verdict verdict null
"""

CHALLENGES = """
Dice are handed on before their envelope is open
    ann open; ann challenge !not-allowed; ann shuts-the-box; ann challenge !not-allowed
    bob challenge !not-allowed; time TAKE_BACK_SECONDS; envelopes open; ann challenge
Dice are handed on that were never sealed
    ann open dice=hand; ann plays-on; ann challenge !not-allowed; ann play-today; ann plays-on
    ann challenge !not-allowed
A game was given up, and its dice are handed on
    ann open; ann throw; ann end; ann challenge !not-allowed
"""

NAMES = """
Two computer players are the same character
    ann open seats=me,computer:nell,computer:nell,computer:fixed:7,computer:most game=pub
    ann sees view.seats.1.name Nell; ann sees view.seats.1.face nell
    ann sees view.seats.1.computer fewest; ann sees view.seats.2.name "Nell 2"
    ann sees view.seats.3.name "Computer 1"; ann sees view.seats.4.name "Computer 2"
A computer player has a name of its own
    ann open seats=me,computer:abacus/Robo; ann sees view.seats.1.name Robo
    ann sees view.seats.1.computer perfect; ann sees view.seats.1.face abacus
A computer player sits down beside somebody of its name
    ann open seats=me/hobbs,link; ann stand-in 1 computer=careful
    ann sees view.seats.1.name "Hobbs 2"; ann sees view.seats.1.face hobbs
Computer players take free seats, and all that tells of the seats has their names
    ann open seats=me/Ann,link,link/Bob order=seats; ann stand-in 1 computer=careful
    ann stand-in 2 computer=most; ann sees view.table.sheet.columns '["Ann","Hobbs","Most"]'
    ann sees log.0.says '["Hobbs, a computer player, sits down."]'
    ann record 1 never "Player 2"
Computer players that solve their game play it to the end
    ann open game=pub(tiles=1-4) seats=me/Ann,computer:perfect,computer:sheet; ann plays-on
    ann sees view.phase over
"""

FORGOTTEN = """
A player deletes all data, and the others play on
    ann open seats=me/Ann,link order=seats; bob enter 1 name=Bob; ann throw; ann deletes-data
    bob sees view.seats.0.name "Player 1"; bob sees view.seats.0.state left
    bob sees view.seats.1.name Bob; ann sees !not-allowed; bob stand-in 0; bob deletes-data
    eve sees !unknown-room
A player deletes all data, and a guest has only a key
    ann open seats=me/Ann,link order=seats; bot enter 1 name=Robo by=1; ann deletes-data
    bot sees you.seats [1] by=bot
A player deletes all data, and another device has the table too
    ann open; ann makes-link; phone takes-link 303; ann deletes-data; phone sees you.seats [0]
    ann sees !not-allowed
A player deletes all data, and somebody watched
    ann open; eve enter watch; ann deletes-data; eve sees !unknown-room
A player deletes all data, and a table cannot be read
    ann open seats=me/Ann,link order=seats; bot enter 1 name=Robo by=1; database damaged
    ann deletes-data; database mended; bot sees you.seats [1] by=bot
"""

TOO_MUCH = """
A seat says too many phrases
    limit PHRASES_OF_SEAT 2/hour; ann open seats=me/Ann,link; bob enter 1 name=Bob
    bob say 1 phrase=played; bob say 1 phrase=bravo !not-allowed; bob say 1 phrase=bye !full
    ann say 0 phrase=bye
An address tries keys
    limit KEYS_OF_ADDRESS 3/hour; ann open seats=me/Ann,link; eve sees !not-allowed by=x1
    eve sees !not-allowed by=x2; eve sees !not-allowed by=x3; eve sees !full by=x4
    ann sees view.phase waiting
An address tries an invitation without a free seat
    limit KEYS_OF_ADDRESS 3/hour; ann open seats=me/Ann,link; bob enter join name=Bob
    eve enter join name=Eve !no-free-seat; eve enter join name=Eve !no-free-seat
    eve enter join name=Eve !no-free-seat; eve enter join name=Eve !full; bob enter join
An address stores too much in a day
    limit BYTES_OF_ADDRESS_A_DAY 160/day; ann open; ann throw; ann choose; ann throw !full
A seat opens too many streams, and then one less
    limit STREAMS_OF_SEAT 1; limit MOST_LISTENERS 2; ann open; phone enter 0; eve enter watch
    ann listens; phone listens !1012; ann leaves-stream; phone listens; phone hears picture-3
    eve listens; eve hears picture-3
As many watch as may, and the players listen all the same
    limit MOST_LISTENERS 1; ann open; eve enter watch; fay enter watch; eve listens
    eve hears picture-3; fay listens !1012; ann listens; ann hears picture-3
Computer players store much for the player who opened their table
    limit BYTES_OF_ADDRESS_A_DAY 200/day; ann open seats=computer,computer
    ann waits for view.phase over; ann open; ann throw !full
Computer players store much for the player who acted last
    limit BYTES_OF_ADDRESS_A_DAY 500/day; ann open seats=link,link,me/Ann order=seats
    server forgets what ann sees; ann stand-in 0; ann stand-in 1; ann waits for view.table.seat 2
    ann throw !full
A room is full
    limit MOST_EVENTS 6; ann open; ann throw; ann choose; ann throw !full; ann counts 6
A watch link has too many devices
    limit MOST_DEVICES 2; ann open; bob enter watch; cid enter watch; eve enter watch
    bob sees !not-allowed; cid sees you.watcher true; eve sees you.watcher true
    ann sees you.seats [0]
"""

TEXTS = (
    *(LOST, TWO_TABS, STOPPED, CLOCKS, SEALED, LISTENERS, DEVICES, INVITED, REAL_DICE),
    *(TODAY, ADVICE, CHALLENGES, NAMES, FORGOTTEN, TOO_MUCH),
)
ROWS = {
    danger: [step for line in steps.splitlines() for step in line.strip().split("; ") if step]
    for danger, steps in re.findall(r"^(\S.*)\n((?:    .*\n)+)", "".join(TEXTS), re.MULTILINE)
}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, TestClient]]:
    database = f"sqlite:///{tmp_path_factory.mktemp('wisdom') / 'tables.db'}"
    with pytest.MonkeyPatch.context() as patch:
        # What a server does by itself every now and then, each row does when it says so.
        patch.setattr(background, "_LOOK_SECONDS", 3600.0)
        patch.setattr(background, "_OPENS_SECONDS", 3600.0)
        patch.setattr(limits, "ALIVE_SECONDS", 3600.0)
        settings = Settings(database=database, unlimited=frozenset({"127.0.0.1"}))
        server = Server(settings, Database(database))
        patch.setattr(server.pool, "warm", lambda: None)
        with TestClient(
            app_of(server), client=("127.0.0.1", 50000), raise_server_exceptions=False
        ) as first:
            yield server, first


@pytest.fixture
def world(served: tuple[Server, TestClient]) -> Iterator[World]:
    server, first = served
    with pytest.MonkeyPatch.context() as patch:
        yield World(server, first, patch)


@pytest.mark.parametrize("danger", ROWS)
def test_a_danger(danger: str, world: World) -> None:
    world.run(ROWS[danger])
