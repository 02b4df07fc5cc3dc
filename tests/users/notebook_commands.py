"""A notebook asks what the command line answers."""

import os
from tempfile import TemporaryDirectory

import shutbox

with TemporaryDirectory() as folder:
    os.environ["SHUTBOX_DATA"] = folder
    assert shutbox.stats().finished == 0
odds = shutbox.odds("classic:1.5.9")
assert odds.openings
assert len(shutbox.fair("six", ["Ann", "Bob"])) == 2
question = shutbox.practice("six").draw(7)
assert question.right
lines = shutbox.sheet("classic").lines
print(odds, question, *lines, sep="\n")
