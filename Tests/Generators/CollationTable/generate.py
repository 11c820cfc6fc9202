#!/usr/bin/env python3
"""Measures how glibc's en_US.UTF-8 sorts letters and writes them as Swift source.

Run it from the top of the checkout on Debian 12 (glibc 2.36) with the package `locales` installed:

    python3 Tests/Generators/CollationTable/generate.py

It compiles the locale into a temporary folder, asks `strxfrm` for the weights of the scalars that a town needs, and
writes Sources/SookeModel/Text/CollationTable+Letters.swift: the letters in their order, and by which of them the
others sort. No text is copied: what is written is the order of measured weights.
"""
import collections
import ctypes
import os
import subprocess
import tempfile
import unicodedata

OUTPUT = "Sources/SookeModel/Text/CollationTable+Letters.swift"
RANGES = [
    (0x20, 0x2FF), (0x2C60, 0x2C7F), (0xA720, 0xA7FF), (0x370, 0x3FF), (0x1F00, 0x1FFF), (0x400, 0x52F),
    (0x1C80, 0x1C8F), (0xA640, 0xA69F), (0x2000, 0x206F),
]
SINGLE = "ẞ№€™ﬀﬁﬂﬃﬄ"
# The accents of letters that Unicode does not decompose, as combining marks with the same place in the order.
MARKS = {17: 0x338, 13: 0x308, 10: 0x30C, 16: 0x307, 18: 0x327, 23: 0x337, 27: 0x335, 242: 0x361, 243: 0x360}

# How a letter in another form is written, by its weight on level 3: joined, raised, lowered, final, in a fraction.
FORMS = {2: "~", 19: "^", 20: "_", 24: ">", 28: "/"}

Element = collections.namedtuple("Element", "letters accents cases scalar")


def load_collation():
    """glibc with a freshly compiled en_US.UTF-8."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["localedef", "-i", "en_US", "-f", "UTF-8", folder + "/en_US.UTF-8"], check=True)
        os.environ["LOCPATH"] = folder
        libc = ctypes.CDLL("libc.so.6")
        libc.setlocale.restype = ctypes.c_char_p
        assert libc.setlocale(6, b"en_US.UTF-8"), "the locale cannot be loaded"
    libc.strxfrm.restype = ctypes.c_size_t
    libc.strxfrm.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t]
    return libc


def measure(libc, text):
    """The weights of a text. strxfrm writes them as numbers in UTF-8, with 1 between the levels."""
    buffer = ctypes.create_string_buffer(1024)
    length = libc.strxfrm(buffer, text.encode(), 1024)
    assert length < 1024
    levels = [[], [], [], []]
    level = 0
    for number in map(ord, buffer.raw[:length].decode("utf-8")):
        if number == 1 and level < 3:
            level += 1
        else:
            levels[level].append(number)
    return Element(*map(tuple, levels))


def tokens(elements):
    """A letter alone, or `letter=letters`, with the sign of its form, for what sorts as others do; in the order of the weights."""
    plain = {}
    for text, element in sorted(elements.items(), key=lambda item: item[1]):
        if len(element.letters) == 1 and element.accents == (2,):
            plain.setdefault(element.letters, text)
    for text, element in sorted(elements.items(), key=lambda item: item[1]):
        lower = text.lower()
        if lower != text and lower in elements and elements[lower].letters == element.letters:
            continue
        if plain.get(element.letters) == text:
            yield text
        elif all((letter,) in plain for letter in element.letters):
            accents = iter(element.accents[1:])
            letters = plain[element.letters[:1]]
            for letter in element.letters[1:]:
                letters += "".join(chr(MARKS[a]) for a in iter(lambda: next(accents), 2)) + plain[(letter,)]
            yield text + FORMS.get(element.cases[0], "=") + letters + "".join(chr(MARKS[a]) for a in accents if a != 2)


def swift(token):
    return "".join(rf"\u{{{ord(c):X}}}" if unicodedata.combining(c) else c for c in token)


def main():
    libc = load_collation()
    values = [value for first, last in RANGES for value in range(first, last + 1)] + [ord(single) for single in SINGLE]
    elements = {}
    for text in map(chr, values):
        element = measure(libc, text)
        is_whole = text in "йЙ" or unicodedata.normalize("NFD", text) == text
        if element.letters and is_whole and unicodedata.category(text)[0] != "M":
            elements[text] = element
    assert elements["a"].accents == (2,)
    lines = [""]
    for token in map(swift, tokens(elements)):
        if len(lines[-1]) + len(token) > 108:
            lines.append("")
        lines[-1] += " " * bool(lines[-1]) + token
    with open(OUTPUT, "w", encoding="utf-8") as file:
        file.write("// Written by Tests/Generators/CollationTable/generate.py; see there before changing anything.\n\n")
        file.write("extension CollationTable {\n    /// Lower-case letters in their order; `x=yz`, `x~yz` and the like sort as `yz`.\n")
        file.write('    static let letters = """\n' + "".join(f"        {line} \\\n" for line in lines[:-1]))
        file.write(f'        {lines[-1]}\n        """\n}}\n')
    print(f"{len(elements)} letters")


if __name__ == "__main__":
    main()
