#if canImport(Darwin)
    import Foundation
#else
    @_spi(_Unicode) import Swift
#endif

/// How scalars sort. What they sort by is read from `letters` when a text is first compared.
enum CollationTable {
    struct Entry {
        /// The letters by which it sorts on the first level; none for accents and symbols.
        var letters: [Unicode.Scalar] = []
        /// The bytes of these letters in a key.
        var key: [UInt8] = []
        /// Level 2 takes runs of these from the end: accents, symbols, digits and currencies.
        var isBackward: Bool { key.first.map { $0 < 12 } ?? true }
        /// The ranks on levels 2 and 3, 0 for the most common one.
        var weights: [(accent: Int, letterCase: Int)] = []
        /// The rank on level 4 among letters that are equal on the levels before.
        var rank = 0
        /// As how many lowest symbols it counts: its bytes, if glibc, which knows Unicode 9, does not know the symbol.
        var unknownBytes = 0
        /// Another text may sort as it does on all levels.
        var isAmbiguous = false

        /// Adds what it sorts by after this, in a form of a higher rank.
        mutating func append(_ next: Entry, form: Int = 0) {
            letters += next.letters
            key += next.key
            weights += next.weights.map { ($0.accent, $0.accent == 0 ? $0.letterCase + form : $0.letterCase) }
        }
    }

    static func entry(of scalar: Unicode.Scalar) -> Entry {
        scalar.value < common.count ? common[Int(scalar.value)] : look(up: scalar)
    }

    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: false
        }
    }

    /// The entries up to the end of Cyrillic.
    private static let common = (0..<0x530).map { Unicode.Scalar(UInt32($0)).map(look(up:)) ?? Entry() }

    private static func look(up scalar: Unicode.Scalar) -> Entry {
        if let entry = listed[scalar] { return entry }
        let category = scalar.properties.generalCategory
        let lower = CaseFolding.lowercased(scalar)
        let parts = String(scalar).decomposed
        if parts.first != scalar, lower != "й" {
            // `é` sorts after `e` and an accent alone; two scalars with the same parts are on both sides of U+1F00.
            var entry = Entry(rank: scalar.value < 0x1F00 ? 1 : 2, isAmbiguous: parts.count == 1)
            for part in parts { entry.append(look(up: part)) }
            return entry
        }
        if lower != scalar, var entry = listed[lower] {
            for index in entry.weights.indices where entry.weights[index].accent == 0 {
                if index == 0 || category != .titlecaseLetter { entry.weights[index].letterCase += upper }
            }
            if lower.properties.uppercaseMapping != String(scalar) { entry.isAmbiguous = true }
            return entry
        }
        if let (plain, form) = plainForm(of: scalar) {
            var entry = Entry(isAmbiguous: true)
            entry.append(look(up: plain), form: form)
            return entry
        }
        if isMark(scalar) { return mark(scalar) }
        switch category {
        case .modifierLetter where scalar.value < 0x400: break
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .spacingMark:
            var entry = unlisted(lower)
            if lower != scalar { entry.weights = [(0, upper)] }
            return entry
        case .decimalNumber, .letterNumber, .otherNumber:
            guard let value = scalar.properties.numericValue, 0..<1000 ~= value, Double(Int(value)) == value else {
                return unlisted(scalar)
            }
            var entry = Entry(isAmbiguous: true)
            for digit in String(Int(value)).unicodeScalars { entry.append(look(up: digit), form: 2) }
            return entry
        default: break
        }
        let isUnknown = scalar.properties.age.map { $0.major > 9 } ?? true
        return Entry(unknownBytes: isUnknown ? UTF8.width(scalar) : 0, isAmbiguous: isUnknown)
    }

    /// A letter without a place of its own: after all others, by its code point.
    private static func unlisted(_ letter: Unicode.Scalar) -> Entry {
        let bytes = [16, 8, 0].map { UInt8(truncatingIfNeeded: letter.value >> $0) }
        return Entry(letters: [letter], key: [65] + bytes, weights: [(0, 0)])
    }

    /// The combining accents in their order; all others follow together.
    private static let marks = Array(
        ("\u{332}\u{313}\u{314}\u{301}\u{300}\u{306}\u{302}\u{30C}\u{30A}\u{342}\u{308}\u{30B}\u{303}\u{307}\u{338}"
            + "\u{327}\u{328}\u{304}\u{337}\u{335}\u{309}\u{31B}\u{323}\u{331}\u{361}\u{360}").unicodeScalars)

    private static func mark(_ scalar: Unicode.Scalar) -> Entry {
        // A variation selector after an emoji is passed over as it is.
        if scalar.properties.isVariationSelector { return Entry() }
        return Entry(weights: [(1 + (marks.firstIndex(of: scalar) ?? marks.count), 0)], isAmbiguous: true)
    }

    /// The rank that capitals have above small letters on level 3, and those of the forms in `letters`: of the same
    /// letter with a stroke, joined, raised, lowered, final, in a fraction.
    static let upper = 5
    private static let forms: [Unicode.Scalar: Int] = ["~": 0, "=": 2, "^": 17, "_": 18, ">": 22, "/": 26]

    /// The letter or digit of ASCII whose full-width, mathematical or circled form this is, and the form's rank.
    private static func plainForm(of scalar: Unicode.Scalar) -> (plain: Unicode.Scalar, form: Int)? {
        let value: UInt32
        let form: Int
        switch scalar.value {
        case 0xFF10...0xFF19, 0xFF21...0xFF3A, 0xFF41...0xFF5A: (value, form) = (scalar.value - 0xFEE0, 1)
        case 0x1D400...0x1D6A3:
            let place = (scalar.value - 0x1D400) % 52
            (value, form) = (place < 26 ? 0x41 + place : 0x61 + place - 26, 3)
        case 0x24B6...0x24CF: (value, form) = (scalar.value - 0x24B6 + 0x41, 4)
        case 0x24D0...0x24E9: (value, form) = (scalar.value - 0x24D0 + 0x61, 4)
        default: return nil
        }
        return Unicode.Scalar(value).map { ($0, form) }
    }

    /// In a key, ASCII letters have the even bytes from 12 to 62 and ASCII digits 2 to 11, alone; letters between them
    /// have two bytes.
    static func keyOfLetter(_ small: UInt8) -> UInt8 {
        2 * (small - 0x61) + 12
    }

    private static let listed: [Unicode.Scalar: Entry] = {
        var entries: [Unicode.Scalar: Entry] = [:]
        var (lead, next) = (1 as UInt8, 0 as UInt8)
        let tokens = letters.unicodeScalars.split(separator: " ")
        for token in tokens where token.count == 1 {
            guard let letter = token.first else { continue }
            if letter.isASCII, letter != "$" {
                let value = UInt8(truncatingIfNeeded: letter.value)
                let key = value < 0x61 ? value - 0x30 + 2 : keyOfLetter(value)
                entries[letter] = Entry(letters: [letter], key: [key], weights: [(0, 0)])
                (lead, next) = (key + 1, 0)
            } else {
                entries[letter] = Entry(
                    letters: [letter], key: [lead, next], weights: [(0, 0)], isAmbiguous: letter == "й")
                (lead, next) = next == 255 ? (lead + 1, 0) : (lead, next + 1)
            }
        }
        for token in tokens where token.count > 1 {
            guard let letter = token.first, let form = token.dropFirst().first.flatMap({ forms[$0] }) else { continue }
            var entry = Entry(isAmbiguous: true)
            for part in token.dropFirst(2) { entry.append(entries[part] ?? mark(part), form: form) }
            entries[letter] = entry
        }
        return entries
    }()
}

extension String {
    /// The text in Unicode's canonical decomposition: each accent is a scalar of its own.
    var decomposed: String.UnicodeScalarView {
        #if canImport(Darwin)
            decomposedStringWithCanonicalMapping.unicodeScalars
        #else
            String.UnicodeScalarView(_nfd)
        #endif
    }
}
