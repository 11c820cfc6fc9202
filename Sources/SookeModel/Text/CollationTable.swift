/// How scalars sort. What they sort by is read from `letters` when a text is first compared.
enum CollationTable {
    /// How one scalar sorts that has no decomposition.
    struct Entry {
        /// The letters by which it sorts on the first level; none for accents and symbols.
        var letters: [Unicode.Scalar] = []
        /// The bytes of these letters in a key.
        var key: [UInt8] = []
        /// The ranks on levels 2 and 3, 0 for the most common one.
        var weights: [(accent: Int, letterCase: Int)] = []
        /// Another scalar may sort as it does on all levels.
        var isAmbiguous = false
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
        let lower = CaseFolding.lowercased(scalar)
        if lower != scalar, var entry = listed[lower] {
            for index in entry.weights.indices where entry.weights[index].accent == 0 {
                entry.weights[index].letterCase += 2
            }
            if lower.properties.uppercaseMapping != String(scalar) { entry.isAmbiguous = true }
            return entry
        }
        if isMark(scalar) { return mark(scalar) }
        switch scalar.properties.generalCategory {
        case .modifierLetter where scalar.value < 0x400: return Entry()
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .spacingMark:
            // The full-width forms of ASCII.
            if 0xFF01...0xFF5E ~= scalar.value, let narrow = Unicode.Scalar(scalar.value - 0xFEE0) {
                return joined([narrow], in: [narrow: entry(of: narrow)])
            }
        case .decimalNumber, .letterNumber, .otherNumber:
            if let value = scalar.properties.numericValue, 0..<1000 ~= value, Double(Int(value)) == value {
                return joined(String(Int(value)).unicodeScalars, in: listed)
            }
        default: return Entry()
        }
        return unlisted(scalar)
    }

    /// A letter without a place of its own: after all others, by its code point.
    private static func unlisted(_ letter: Unicode.Scalar) -> Entry {
        let bytes = [16, 8, 0].map { UInt8(truncatingIfNeeded: letter.value >> $0) }
        return Entry(letters: [letter], key: [65] + bytes, weights: [(0, 0)])
    }

    /// The combining accents in their order; all others follow together.
    private static let marks = Array(
        ("\u{332}\u{313}\u{314}\u{301}\u{300}\u{306}\u{302}\u{30C}\u{30A}\u{342}\u{308}\u{30B}\u{303}\u{307}\u{338}"
            + "\u{327}\u{328}\u{304}\u{337}\u{335}\u{361}\u{360}").unicodeScalars)

    private static func mark(_ scalar: Unicode.Scalar) -> Entry {
        // A variation selector after an emoji is passed over as it is.
        if scalar.properties.isVariationSelector { return Entry() }
        return Entry(weights: [(1 + (marks.firstIndex(of: scalar) ?? marks.count), 0)])
    }

    /// What sorts as other letters do.
    private static func joined(
        _ scalars: some Sequence<Unicode.Scalar>, in listed: [Unicode.Scalar: Entry]
    ) -> Entry {
        var whole = Entry(isAmbiguous: true)
        for scalar in scalars {
            guard let part = listed[scalar] else {
                whole.weights += mark(scalar).weights
                continue
            }
            whole.letters += part.letters
            whole.key += part.key
            whole.weights += part.weights.map { ($0.accent, $0.letterCase + 1) }
        }
        return whole
    }

    /// The entries of `letters`. In a key, ASCII digits have the bytes 2 to 11 and ASCII letters the even ones from 12
    /// to 62, alone; letters between them have two bytes.
    private static let listed: [Unicode.Scalar: Entry] = {
        var entries: [Unicode.Scalar: Entry] = [:]
        var (lead, next) = (1 as UInt8, 0 as UInt8)
        let tokens = letters.unicodeScalars.split(separator: " ")
        for token in tokens where token.count == 1 {
            guard let letter = token.first else { continue }
            if letter.isASCII, letter != "$" {
                let value = UInt8(truncatingIfNeeded: letter.value)
                let key = value < 0x61 ? value - 0x30 + 2 : 2 * (value - 0x61) + 12
                entries[letter] = Entry(letters: [letter], key: [key], weights: [(0, 0)])
                (lead, next) = (key + 1, 0)
            } else {
                entries[letter] = Entry(letters: [letter], key: [lead, next], weights: [(0, 0)])
                (lead, next) = next == 255 ? (lead + 1, 0) : (lead, next + 1)
            }
        }
        for token in tokens where token.count > 1 {
            if let letter = token.first { entries[letter] = joined(token.dropFirst(2), in: entries) }
        }
        return entries
    }()
}
