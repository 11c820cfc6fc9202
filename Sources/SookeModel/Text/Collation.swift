import Bytes

/// The order of names: that of PostgreSQL 15 under `en_US.UTF-8` (glibc 2.36) for Latin, Greek and Cyrillic; letters of
/// other scripts follow by code point.
///
/// Letters are compared first, then accents, then case, and finally spaces and punctuation: `cafe`, `Cafe`, `café`, `co
/// op`, `co-op`, `coop`. The order of letters was measured, see `Tests/Generators/CollationTable/generate.py`.
public enum Collation {
    /// The sort key of a text: bytes whose bytewise order is the order of texts.
    ///
    /// Equal keys mean equal bytes. The key of a name of plain letters and spaces is at most twice as long as the name.
    ///
    /// Key: letters, 0, accents, cases, scalars; and 0 and the text itself if another text may have the same weights.
    public static func sortKey(_ text: String) -> [UInt8] {
        var key: [UInt8] = []
        key.reserveCapacity(2 * text.utf8.count + 8)
        var accents = CollationLevel(base: 0)
        var cases = CollationLevel(base: 0)
        var scalars = CollationLevel(base: CollationLevel.baseOfScalars)
        var isAmbiguous = false
        var backward: [CollationTable.Entry] = []
        var rest = text.unicodeScalars.makeIterator()
        var next = rest.next()
        while var scalar = next {
            next = rest.next()
            if scalar.isASCII, ASCII.isLetter(UInt8(scalar.value)) {
                let small = ASCII.lowercased(UInt8(scalar.value))
                key.append(CollationTable.keyOfLetter(small))
                accents.append(&backward, isEnd: false)
                accents.append(rank: 0)
                cases.append(rank: scalar.value == small ? 0 : CollationTable.upper)
                scalars.append(rank: 0)
                continue
            }
            // й is a letter of its own, in two scalars too.
            if next == "\u{306}", scalar == "и" || scalar == "И" {
                next = rest.next()
                scalar = scalar == "и" ? "й" : "Й"
            }
            let entry = CollationTable.entry(of: scalar)
            key.append(contentsOf: entry.key)
            for weight in entry.weights { cases.append(rank: weight.letterCase) }
            if entry.isBackward {
                backward.append(contentsOf: repeatElement(entry, count: max(1, entry.unknownBytes)))
            } else {
                accents.append(&backward, isEnd: false)
                for weight in entry.weights { accents.append(rank: weight.accent) }
            }
            if !entry.letters.isEmpty {
                scalars.append(rank: entry.rank)
            } else if entry.unknownBytes > 0 {
                scalars.append(unknownBytes: entry.unknownBytes)
            } else {
                scalars.append(symbol: scalar)
            }
            if entry.isAmbiguous { isAmbiguous = true }
        }
        accents.append(&backward, isEnd: true)
        accents.end()
        cases.end()
        scalars.end()
        key.append(0)
        key.append(contentsOf: accents.bytes)
        key.append(contentsOf: cases.bytes)
        key.append(contentsOf: scalars.bytes)
        if isAmbiguous {
            key.append(0)
            key.append(contentsOf: text.utf8)
        }
        return key
    }
}
