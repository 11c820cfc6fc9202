/// The weights of scalars in glibc's en_US.UTF-8, read in place from the binary: nothing is unpacked at start.
///
/// The literals beside this file contain numbers in digits of six bits from `0`, the highest digit first. A *row* is a
/// range of scalars that share a *shape*: all of their weights but the last code.
enum CollationTable {
    /// The entry of a scalar.
    struct Entry {
        /// The code of the last letter, or of the symbol where there is no letter.
        let code: UInt16
        /// Where the record of the shape begins.
        let record: Int

        /// The facts about the shape.
        var flags: Flags { Flags(rawValue: digits(shapes, at: record, count: 1)) }
        /// The rank on level 4 among letters that are equal on the levels before.
        var rank: Int { digits(shapes, at: record + 1, count: 2) }
        /// The codes of the letters before the last one.
        var prefix: some Collection<UInt16> {
            let start = record + 5
            return (0..<prefixCount).lazy.map { UInt16(digits(shapes, at: start + 3 * $0, count: 3)) }
        }
        /// The ranks on levels 2 and 3, 0 for the most common one.
        var weights: some BidirectionalCollection<(accent: Int, letterCase: Int)> {
            let start = record + 5 + 3 * prefixCount
            return (0..<digits(shapes, at: record + 4, count: 1)).lazy.map {
                let both = digits(shapes, at: start + 3 * $0, count: 3)
                return (both >> 6, both & 0x3F)
            }
        }

        private var prefixCount: Int { digits(shapes, at: record + 3, count: 1) }
    }

    /// Facts about a scalar.
    struct Flags: OptionSet {
        let rawValue: Int

        /// It sorts by a letter (or digit); otherwise level 1 passes over it.
        static let letter = Flags(rawValue: 1)
        /// It belongs to a section that level 2 compares from its end: symbols, accents and digits.
        static let backward = Flags(rawValue: 2)
        /// Another text sorts as it does on all levels.
        static let ambiguous = Flags(rawValue: 4)
        /// It begins two or three scalars that sort as one.
        static let startsComposition = Flags(rawValue: 8)
        /// A vowel sign written before its consonant and sorted after it, in Thai, Lao, New Tai Lue and Tai Viet.
        static let prefixVowel = Flags(rawValue: 16)
        /// A consonant that may stand after such a vowel.
        static let consonant = Flags(rawValue: 32)
    }

    /// The entry of a scalar; nil without one. Not for the ideographs U+4E00 to U+9FA5.
    static func entry(of scalar: UInt32) -> Entry? {
        let page: Int
        switch scalar >> 8 {
        case 0..<0x300: page = Int(scalar >> 8)
        // Tags and variation selectors; there are no entries between them and plane 2.
        case 0xE00...0xE01: page = 0x300 + Int(scalar >> 8 & 1)
        default: return nil
        }
        let table = page < 0x100 ? basicRows : supplementaryRows
        let low = Int(scalar & 0xFF)
        let row: Int
        if page == 0 {
            row = low
        } else {
            let place = 3 * (page < 0x100 ? page : page + 1)
            var rows = digits(pages, at: place, count: 3)..<digits(pages, at: place + 3, count: 3)
            if rows.isEmpty { return nil }
            while rows.count > 1 {
                let middle = rows.lowerBound + rows.count / 2
                let first = digits(table, at: 6 * middle, count: 2) >> 4
                rows = first <= low ? middle..<rows.upperBound : rows.lowerBound..<middle
            }
            row = rows.lowerBound
        }
        let fields = digits(table, at: 6 * row, count: 6)
        let shape = fields & 0x7FF
        guard shape > 0 else { return nil }
        let step = (fields >> 27 & 1) * (low - fields >> 28)
        return Entry(
            code: UInt16(truncatingIfNeeded: fields >> 11) &+ UInt16(step),
            record: digits(shapeStarts, at: 3 * shape, count: 3))
    }

    /// The scalar as which `first` and the start of `rest` sort together, and how many they are.
    static func composition(
        of first: Unicode.Scalar, and rest: Substring.UnicodeScalarView
    ) -> (scalar: UInt32, count: Int)? {
        guard let second = rest.first, !second.isASCII else { return nil }
        for row in stride(from: 0, to: compositions.utf8CodeUnitCount, by: 16) {
            guard digits(compositions, at: row, count: 4) == first.value,
                digits(compositions, at: row + 4, count: 4) == second.value
            else { continue }
            let third = digits(compositions, at: row + 8, count: 4)
            if third > 0, rest.dropFirst().first.map({ Int($0.value) }) != third { continue }
            return (UInt32(digits(compositions, at: row + 12, count: 4)), third > 0 ? 3 : 2)
        }
        return nil
    }

    /// The number in `count` digits of a literal. The offsets come from the literals, never from a text.
    fileprivate static func digits(_ literal: StaticString, at place: Int, count: Int) -> Int {
        let start = literal.utf8Start + place
        var number = 0
        for index in 0..<count { number = number << 6 | Int(start[index] &- 0x30) }
        return number
    }
}
