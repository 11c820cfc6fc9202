#!/usr/bin/env python3
"""Makes the table of common passwords: Sources/Credentials/CommonPasswords+Words.swift and …+Whole.swift.

usage: generate.py [--zxcvbn FOLDER] [--django FILE] [--cracklib FILE]

It takes what these packages list, and writes the same bytes for the same versions:

- zxcvbn of PyPI (MIT): passwords, words and names by how common they are (`pip install --target FOLDER zxcvbn`)
- Django of PyPI (BSD): `django/contrib/auth/common-passwords.txt.gz`, the 20,000 most common passwords
- cracklib-runtime of Debian: `/usr/share/dict/cracklib-small`

Words are letters alone, and are refused with digits and signs around them or two together; see `PasswordPieces`. A
password of twelve characters or more that has something else in it is listed whole.
"""

import argparse
import gzip
import sys
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[3] / "Sources" / "Credentials"
MINIMUM = 12  # characters, as PasswordPolicy.minimumCharacters
SHORTEST = 4  # letters of a word
WIDTH = 112
# How many of each list, from the most common on, are words.
SHARES = {"passwords": 30_000, "english_wikipedia": 1_500, "us_tv_and_film": 1_500, "female_names": 400,
          "male_names": 400, "surnames": 400}
PASSWORD_WORDS = 4_000  # words that are passwords and shorter than twelve letters


def is_word(text: str) -> bool:
    return text.isascii() and text.isalpha() and text.islower() and len(text) >= SHORTEST


def collect(frequencies: dict[str, list[str]], django: list[str], cracklib: list[str]) -> tuple[list[str], list[str]]:
    """The words and the whole passwords, each in the order of their letters."""
    passwords = list(dict.fromkeys(frequencies["passwords"] + django))
    words = set([text for text in passwords if is_word(text) and len(text) < MINIMUM][:PASSWORD_WORDS])
    for name, share in SHARES.items():
        texts = frequencies[name] if name != "passwords" else []
        words |= {text for text in texts[:share] if is_word(text)}
        words |= {text for text in texts if is_word(text) and len(text) >= MINIMUM}
    words |= {text for text in passwords if is_word(text) and len(text) >= MINIMUM}
    # What both a person and a word list know; the rest of the list is rare words.
    known = set(frequencies["english_wikipedia"]) | set(frequencies["us_tv_and_film"])
    words |= {text for text in cracklib if is_word(text) and len(text) >= MINIMUM and text in known}
    whole = {text for text in passwords if len(text) >= MINIMUM and not is_word(text) and is_plain(text)}
    return sorted(words), sorted(whole)


def is_plain(text: str) -> bool:
    """Whether a password is what somebody typed, not what an export made of it."""
    return all(33 <= ord(character) < 127 and character not in '"\\' for character in text) and "&#" not in text \
        and "??" not in text


def front_coded(words: list[str]) -> str:
    """Each word as a capital letter, which says how many letters it shares with the one before (A is none), and the
    rest of its letters."""
    parts, last = [], ""
    for word in words:
        shared = 0
        while shared < min(len(word), len(last), 25) and word[shared] == last[shared]:
            shared += 1
        parts.append(chr(ord("A") + shared) + word[shared:])
        last = word
    return "".join(parts)


def literal(text: str) -> str:
    lines = [text[index:index + WIDTH] for index in range(0, len(text), WIDTH)]
    return '"""\n' + "".join(f"        {line}\\\n" for line in lines[:-1]) + f'        {lines[-1]}\n        """'


HEAD = "// Made by Tests/Generators/CommonPasswords/generate.py; not to be edited by hand.\n\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--zxcvbn", type=Path, help="where the package is, if Python does not find it")
    parser.add_argument("--django", type=Path, required=True, help="common-passwords.txt.gz")
    parser.add_argument("--cracklib", type=Path, default=Path("/usr/share/dict/cracklib-small"))
    options = parser.parse_args()
    if options.zxcvbn:
        sys.path.insert(0, str(options.zxcvbn))
    from zxcvbn.frequency_lists import FREQUENCY_LISTS
    frequencies = {name: list(texts) for name, texts in FREQUENCY_LISTS.items()}
    django = gzip.open(options.django, "rt").read().split()
    cracklib = options.cracklib.read_text(errors="replace").split()
    words, whole = collect(frequencies, django, cracklib)
    coded = front_coded(words)
    half = coded.index("A", len(coded) // 2)
    for name, part in (("First", coded[:half]), ("Second", coded[half:])):
        (SOURCES / f"CommonPasswords+{name}Words.swift").write_text(
            f"{HEAD}extension CommonPasswords {{\n    /// Common words, front-coded; see `CommonPasswords.decode`.\n"
            f"    static let {name.lower()}Words: StaticString = {literal(part)}\n}}\n")
    (SOURCES / "CommonPasswords+Whole.swift").write_text(
        f"{HEAD}extension CommonPasswords {{\n    /// Passwords in the order of their bytes, with spaces between.\n"
        f"    static let listed: StaticString = #{literal(' '.join(whole)).replace(chr(92) + chr(10), chr(92) + '#' + chr(10))}#\n}}\n")
    print(f"{len(words)} words, {sum(len(word) >= MINIMUM for word in words)} of {MINIMUM} letters or more, "
          f"{len(coded)} bytes; {len(whole)} whole passwords")


if __name__ == "__main__":
    main()
