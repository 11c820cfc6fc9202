#!/usr/bin/env python3
"""Measures how glibc's en_US.UTF-8 sorts and writes the weights as Swift source.

Run it from the top of the checkout on Debian 12 (glibc 2.36) with the package `locales` installed:

    python3 Tests/Generators/CollationTable/generate.py

It compiles the locale into a temporary folder, asks `strxfrm` for the weights of every scalar and of every
contraction, and writes Sources/SookeModel/Text/CollationTable+*.swift. No text is copied: what is written are ranks
of measured weights. Every fact about the locale that the Swift code relies on is asserted here, so that a glibc
which sorts in another way stops the script.

What a scalar has: a list of weights on each of the levels 1 (letter), 2 (accent) and 3 (case and form), and on
level 4 (the scalar itself) one weight, or none for a Han ideograph.
"""
import collections
import ctypes
import os
import re
import subprocess
import tempfile

TEMPLATE = "/usr/share/i18n/locales/iso14651_t1_common"
OUTPUT = "Sources/SookeModel/Text/CollationTable+%s.swift"
HAN = range(0x4E00, 0x9FA6)
LINE = 116

Element = collections.namedtuple("Element", "letters accents cases scalar")
# What a scalar shares with others: all but its last code.
Shape = collections.namedtuple("Shape", "flags rank prefix weights")
LETTER, BACKWARD, AMBIGUOUS, STARTS_COMPOSITION, PREFIX_VOWEL, CONSONANT = (1 << bit for bit in range(6))


# Measuring


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
    numbers = [ord(number) for number in buffer.raw[:length].decode("utf-8")]
    levels = [[], [], [], []]
    level = 0
    for number in numbers:
        if number == 1 and level < 3:
            level += 1
        else:
            levels[level].append(number)
    return Element(*map(tuple, levels))


def measure_all(libc):
    """Elements of one scalar by text; what the table does not know is left out.

    An unknown scalar counts once for each byte, with the lowest weight of level 4. On level 4 each weight follows
    its distance from the one before it, which is 1 here and dropped."""
    elements = {}
    for value in range(1, 0x110000):
        if 0xD800 <= value < 0xE000:
            continue
        text = chr(value)
        element = measure(libc, text)
        if element == Element((), (), (), (1, UNKNOWN) * len(text.encode())):
            continue
        if value in HAN:
            assert len(element.letters) == 1 and element[1:] == ((), (), ()), text
        else:
            assert len(element.scalar) == 2 and element.scalar[0] == 1, text
            element = element._replace(scalar=element.scalar[1:])
        elements[text] = element
    return elements


UNKNOWN = 3


def contractions(libc):
    """Elements of several scalars by text."""
    pattern = re.compile(r'collating-element <[^>]*> from "((?:<U[0-9A-F]+>)+)"')
    for line in open(TEMPLATE, encoding="utf-8"):
        if found := pattern.match(line):
            text = "".join(chr(int(code, 16)) for code in re.findall(r"<U([0-9A-F]+)>", found[1]))
            element = measure(libc, text)
            assert element.scalar[0] == 1
            yield text, element._replace(scalar=element.scalar[1:])


def is_backward(libc, text, element):
    """Whether the element is of a section that level 2 sorts backward: then two accents around it change places."""
    grave, acute = "\u0300", "\u0301"
    outer = [measure(libc, accent).accents for accent in (grave, acute)]
    accents = measure(libc, grave + text + acute).accents
    assert accents in (outer[0] + element.accents + outer[1], outer[1] + element.accents + outer[0]), text
    return accents == outer[1] + element.accents + outer[0]


# Facts


def split_contractions(elements, joined):
    """Compositions (they sort as one scalar does) by text, and the swaps of prefix vowels with the consonant after
    them: pairs (vowel, consonant) that sort as consonant and vowel."""
    single = {element: text for text, element in elements.items()}
    compositions = {text: single[element] for text, element in joined.items() if element in single}
    swaps = set()
    for text, element in joined.items():
        if text in compositions:
            continue
        vowel, consonant = text
        assert element == Element(*(c + v for c, v in zip(elements[consonant], elements[vowel]))), text
        swaps.add((vowel, consonant))
    vowels, consonants = {vowel for vowel, _ in swaps}, {consonant for _, consonant in swaps}
    for vowel in vowels:
        for consonant in consonants:
            assert ((vowel, consonant) in swaps) == (ord(vowel) >> 7 == ord(consonant) >> 7)
    assert {len(text) for text in compositions} == {2, 3} and not vowels & consonants
    return compositions, vowels, consonants


def ranks_among_equals(letters, backward):
    """Level 4 only decides between elements that may stand at the same place of two texts which are equal on the
    levels before. A rank among those is enough: most get 0, so that keys have runs of one value to shorten.

    Level 2 can tell two elements apart only where both are sorted forward."""
    def compatible(left, right):
        return all(a == b for a, b in zip(left, right))

    by_letters = collections.defaultdict(list)
    for text, element in letters.items():
        for end in range(1, len(element.letters) + 1):
            by_letters[element.letters[:end]].append(text)
    ranks = {}
    for text, element in sorted(letters.items(), key=lambda item: item[1].scalar):
        candidates = set(by_letters[element.letters])
        for end in range(1, len(element.letters)):
            candidates.update(t for t in by_letters[element.letters[:end]] if len(letters[t].letters) == end)
        ranks[text] = max((
            ranks[other] + 1
            for other in candidates
            if other in ranks and letters[other].scalar < element.scalar
            and compatible(letters[other].cases, element.cases)
            and (backward[text] or backward[other] or compatible(letters[other].accents, element.accents))
        ), default=0)
    return ranks


# Codes: numbers below 0x10000 whose high byte goes into a key, and for most the low byte after it


def letter_codes(elements):
    """Codes of level-1 weights. ASCII digits and letters have high bytes of their own and no low byte."""
    weights = sorted({weight for element in elements.values() for weight in element.letters})
    rank = {weight: index for index, weight in enumerate(weights)}
    digits = [rank[elements[digit].letters[0]] for digit in "0123456789"]
    latin = [rank[elements[letter].letters[0]] for letter in "abcdefghijklmnopqrstuvwxyz"]
    assert digits == list(range(digits[0], latin[0])) and digits[0] < 256

    def code(index):
        if index < digits[0]:
            return 0x100 + index
        if index <= digits[-1]:
            return (2 + index - digits[0]) << 8
        before = max(k for k, letter in enumerate(latin) if letter <= index)
        if latin[before] == index:
            return (12 + 2 * before) << 8
        if before < 25:
            return ((13 + 2 * before) << 8) + index - latin[before] - 1
        return (63 << 8) + index - latin[before] - 1

    codes = {weight: code(index) for weight, index in rank.items()}
    ordered = list(codes.values())
    assert ordered == sorted(set(ordered)) and ordered[-1] < 0x10000
    return codes


def symbol_codes(elements):
    """Codes of the level-4 weights of what has no letter. ASCII punctuation has no low byte."""
    weights = sorted({element.scalar[0] for element in elements.values() if not element.letters} | {UNKNOWN})
    lowest = min(element.scalar[0] for element in elements.values() if element.letters and element.scalar)
    assert weights[0] == UNKNOWN and weights == list(range(UNKNOWN, weights[-1] + 1)) and weights[-1] < lowest
    ascii = [weight for weight in weights
             if any(" " <= t <= "~" and not e.letters and e.scalar[0] == weight for t, e in elements.items())]
    assert len(ascii) == 32 and ascii == list(range(ascii[0], ascii[0] + 32)) and ascii[0] - UNKNOWN <= 512
    codes = {}
    for weight in weights:
        if weight < ascii[0]:
            codes[weight] = 0x100 + weight - UNKNOWN
        elif weight <= ascii[-1]:
            codes[weight] = (3 + weight - ascii[0]) << 8
        else:
            codes[weight] = 0x2300 + weight - ascii[-1] - 1
    assert max(codes.values()) < 66 << 8
    return codes


# Writing


def digits(number, count):
    """A number in `count` digits of 6 bits, the highest first."""
    assert 0 <= number < 1 << 6 * count, number
    return "".join(chr(0x30 + (number >> 6 * place & 63)) for place in reversed(range(count)))


def rows_of_page(page, shape_of, shape_index):
    """Rows of a page of 256 scalars: low byte of the first scalar, whether the code grows from scalar to scalar, code
    of the first, number of the shape. A row holds until the next one. Page 0 has a row for each scalar."""
    rows = []
    last = (0, 0, (0, None))
    for low in range(256):
        code, shape = shape_of.get(page << 8 | low, (0, None))
        start, step, (first, last_shape) = last
        count = low - start
        if page > 0 and low > 0 and shape == last_shape:
            if count == 1 and code - first in (0, 1):
                last = (start, code - first, (first, shape))
                rows[-1] = last
                continue
            if count > 1 and code == first + step * count:
                continue
        last = (low, 0, (code, shape))
        rows.append(last)
    if rows == [(0, 0, (0, None))]:
        return ""
    return "".join(
        digits(low << 28 | step << 27 | code << 11 | shape_index[shape], 6) for low, step, (code, shape) in rows)


def literal(name, comment, text):
    assert all(0x30 <= ord(digit) < 0x70 for digit in text)
    lines = [text[i:i + LINE - 6] for i in range(0, len(text), LINE - 6)]
    body = "\\#\n".join("        " + line for line in lines)
    return f'    /// {comment}\n    static let {name}: StaticString = #"""\n{body}\n        """#\n'


def write(part, literals):
    with open(OUTPUT % part, "w", encoding="utf-8") as file:
        file.write("// Written by Tests/Generators/CollationTable/generate.py; see there before changing anything.\n\n")
        file.write("extension CollationTable {\n" + "\n".join(literals) + "}\n")


def main():
    libc = load_collation()
    elements = measure_all(libc)
    joined = dict(contractions(libc))
    compositions, vowels, consonants = split_contractions(elements, joined)

    backward = {t: is_backward(libc, t, e) for t, e in {**elements, **joined}.items() if ord(t[0]) not in HAN}
    assert is_backward(libc, "\u0378", measure(libc, "\u0378")), "unknown scalars are taken to be backward"
    assert all(backward[text] for text, element in elements.items() if element.scalar and not element.letters)
    assert not any(backward[text] for text in vowels | consonants)

    letters = {t: e for t, e in {**elements, **joined}.items() if e.letters and e.scalar}
    base, smallest = elements["a"].accents[0], elements["a"].cases[0]
    assert all(e.accents[0] == base and len(e.accents) == len(e.cases) for e in letters.values())
    assert all(len(e.accents) == len(e.cases) for e in elements.values())
    ranks = ranks_among_equals(letters, backward)
    assert all(ranks[v + c] == ranks[c] + 1 == 1 for v in vowels for c in consonants if v + c in joined)
    assert all(ranks[text] == ranks[single] for text, single in compositions.items() if single in ranks)

    letter_code, symbol_code = letter_codes(elements), symbol_codes(elements)
    accents = sorted({weight for element in elements.values() for weight in element.accents})
    cases = sorted({weight for element in elements.values() for weight in element.cases})
    assert accents[0] == base and cases[0] == smallest

    han = [letter_code[elements[chr(value)].letters[0]] for value in HAN]
    assert han == list(range(han[0], han[0] + len(HAN)))

    composed = set(compositions.values())
    shape_of, shapes = {}, collections.Counter()
    for text, element in elements.items():
        if not element.scalar:
            continue
        flags = (LETTER * bool(element.letters) | BACKWARD * backward[text] | AMBIGUOUS * (text in composed)
                 | STARTS_COMPOSITION * any(composition[0] == text for composition in compositions)
                 | PREFIX_VOWEL * (text in vowels) | CONSONANT * (text in consonants))
        codes = [letter_code[weight] for weight in element.letters] or [symbol_code[element.scalar[0]]]
        weights = tuple(accents.index(a) << 6 | cases.index(c) for a, c in zip(element.accents, element.cases))
        shape = Shape(flags, ranks.get(text, 0), tuple(codes[:-1]), weights)
        shape_of[ord(text)] = (codes[-1], shape)
        shapes[shape] += 1

    ordered = [shape for shape, _ in shapes.most_common()]
    shape_index = {None: 0, **{shape: index + 1 for index, shape in enumerate(ordered)}}
    records, starts = "", digits(0, 3)
    for shape in ordered:
        starts += digits(len(records), 3)
        records += digits(shape.flags, 1) + digits(shape.rank, 2)
        records += digits(len(shape.prefix), 1) + digits(len(shape.weights), 1)
        records += "".join(digits(number, 3) for number in shape.prefix + shape.weights)

    # Pages 0xE00 and 0xE01 (tags and variation selectors) follow those of planes 0 to 2.
    pages = list(range(0x300)) + [0xE00, 0xE01]
    assert {value >> 8 for value in shape_of} <= set(pages)
    page_starts, rows = "", ["", ""]
    for page in pages:
        if page == 0x100:
            page_starts += digits(len(rows[0]) // 6, 3)
        table = rows[page >= 0x100]
        page_starts += digits(len(table) // 6, 3)
        rows[page >= 0x100] += rows_of_page(page, shape_of, shape_index)
    page_starts += digits(len(rows[1]) // 6, 3)

    composition_rows = "".join(
        "".join(digits(ord(scalar), 4) for scalar in text.ljust(3, "\0") + compositions[text])
        for text in sorted(compositions, key=lambda text: (-len(text), text)))

    write("Basic", [literal("basicRows", "Rows of the scalars below U+10000.", rows[0])])
    write("Other", [
        literal("supplementaryRows", "Rows of the scalars from U+10000.", rows[1]),
        literal("pages", "For each page the number of its first row, and where the last one ends.", page_starts),
        literal("shapeStarts", "For each shape where its record begins.", starts),
        literal("shapes", "Records of shapes.", records),
        literal("compositions", "Two or three scalars and the one they sort as; the longer ones first.",
                composition_rows),
        f"    /// The code of U+4E00; each ideograph up to U+9FA5 has the next one.\n"
        f"    static let firstIdeograph: UInt16 = {han[0]}\n",
    ])
    print(f"{len(elements)} scalars, {len(joined)} contractions, {len(ordered)} shapes,"
          f" {sum(map(len, rows)) // 6} rows, {max(ranks.values())} is the highest rank,"
          f" {sum(map(len, [*rows, page_starts, starts, records, composition_rows]))} bytes")


if __name__ == "__main__":
    main()
