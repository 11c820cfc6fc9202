/// The order of names: that of PostgreSQL under `en_US.UTF-8` for Latin, Greek and Cyrillic; the letters of other
/// scripts follow by code point.
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
        let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        for scalar in isASCII ? text.unicodeScalars : text.decomposed {
            let entry = CollationTable.entry(of: scalar)
            key.append(contentsOf: entry.key)
            for weight in entry.weights {
                accents.append(rank: weight.accent)
                cases.append(rank: weight.letterCase)
            }
            if entry.isAmbiguous { isAmbiguous = true }
        }
        for scalar in text.unicodeScalars {
            let parts = scalar.isASCII ? nil : String(scalar).decomposed
            let first = parts?.first ?? scalar
            if CollationTable.entry(of: first).letters.isEmpty {
                scalars.append(symbol: scalar)
            } else {
                // `é` sorts after `e` and an accent alone; two scalars with the same parts are on both sides of U+1F00.
                scalars.append(rank: first == scalar ? 0 : scalar.value < 0x1F00 ? 1 : 2)
            }
            if first != scalar, parts?.count == 1 { isAmbiguous = true }
        }
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
