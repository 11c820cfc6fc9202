/// The order of names: that of PostgreSQL 15 under `en_US.UTF-8` with glibc 2.36.
///
/// Letters are compared first, then accents, then case, and finally spaces and punctuation: `cafe`, `Cafe`, `café`, `co
/// op`, `co-op`, `coop`. The locale follows ISO 14651; its weights were measured, see
/// `Tests/Generators/CollationTable/generate.py`.
public enum Collation {
    /// The sort key of a text: bytes whose bytewise order is the order of the database.
    ///
    /// Equal keys mean equal bytes: texts that are equal on all levels are ordered by their bytes. The key of a name of
    /// plain letters and spaces is at most twice as long as the name.
    public static func sortKey(_ text: String) -> [UInt8] {
        var builder = CollationKeyBuilder(capacity: 2 * text.utf8.count + 8)
        let scalars = text.unicodeScalars
        var index = scalars.startIndex
        while index < scalars.endIndex {
            let scalar = scalars[index]
            scalars.formIndex(after: &index)
            if 0x4E00...0x9FA5 ~= scalar.value {
                builder.append(ideograph: scalar.value)
                continue
            }
            guard let entry = CollationTable.entry(of: scalar.value) else {
                builder.append(unknown: scalar)
                continue
            }
            let flags = entry.flags
            if !flags.isDisjoint(with: [.startsComposition, .prefixVowel]), index < scalars.endIndex {
                if flags.contains(.prefixVowel), let consonant = consonant(scalars[index], after: scalar) {
                    builder.append(consonant: consonant, before: entry)
                    scalars.formIndex(after: &index)
                    continue
                }
                if let composition = CollationTable.composition(of: scalar, and: scalars[index...]),
                    let composed = CollationTable.entry(of: composition.scalar)
                {
                    builder.append(composed, flags: composed.flags)
                    scalars.formIndex(&index, offsetBy: composition.count - 1)
                    continue
                }
            }
            builder.append(entry, flags: flags)
        }
        return builder.finish(text)
    }

    /// The entry of a consonant that sorts before the vowel it follows.
    private static func consonant(_ scalar: Unicode.Scalar, after vowel: Unicode.Scalar) -> CollationTable.Entry? {
        // The four scripts are in four blocks of 128.
        guard scalar.value >> 7 == vowel.value >> 7, let entry = CollationTable.entry(of: scalar.value),
            entry.flags.contains(.consonant)
        else { return nil }
        return entry
    }
}
