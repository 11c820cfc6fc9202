import Bytes

/// The order of names: that of PostgreSQL 15 under `en_US.UTF-8` with glibc 2.36.
///
/// Letters count first, then accents, then letter case, and last spaces and punctuation: `cafe`, `Cafe`, `café`,
/// `co op`, `co-op`, `coop`. The locale follows ISO 14651; its weights were measured, see
/// `Tests/CollationTable/generate.py`.
public enum Collation {
    /// The sort key of a text: bytes that compare, byte by byte, as the database orders the texts.
    ///
    /// Equal keys mean equal texts, byte for byte: what sorts alike on all levels is put in order by its bytes.
    /// A name of plain letters and spaces has a key twice its length or shorter.
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
        // The four scripts lie in four blocks of 128.
        guard scalar.value >> 7 == vowel.value >> 7, let entry = CollationTable.entry(of: scalar.value),
            entry.flags.contains(.consonant)
        else { return nil }
        return entry
    }
}

/// Takes the elements of a text and writes its sort key.
///
/// Key: letters, 0, accents, cases, scalars; and 0 and the text itself where another text has the same weights.
struct CollationKeyBuilder {
    private var key: [UInt8] = []
    private var accents = CollationLevel(base: 0)
    private var cases = CollationLevel(base: 0)
    private var scalars = CollationLevel(base: 66)
    /// Elements that level 2 will take from the end; nil for one that the locale does not know.
    private var backward: [CollationTable.Entry?] = []
    /// Ideographs directly before `backward`.
    private var ideographs = 0
    /// Ideographs since the last weight on level 4.
    private var distance = 0
    private var isAmbiguous = false

    init(capacity: Int) {
        key.reserveCapacity(capacity)
    }

    mutating func append(ideograph value: UInt32) {
        append(letter: CollationTable.firstIdeograph + UInt16(value - 0x4E00))
        ideographs = endBackward(byForward: true) ? 0 : ideographs + 1
        distance += 1
    }

    /// A scalar that the locale does not know is a lowest symbol for each of its bytes.
    mutating func append(unknown scalar: Unicode.Scalar) {
        isAmbiguous = true
        for _ in 0..<UTF8.width(scalar) {
            backward.append(nil)
            endDistance()
            scalars.append(symbol: 0x100)
        }
    }

    mutating func append(_ entry: CollationTable.Entry, flags: CollationTable.Flags) {
        appendLetters(entry, flags: flags)
        endDistance()
        if !flags.contains(.letter) {
            scalars.append(symbol: entry.code)
        } else if case let rank = entry.rank, rank > 0 {
            scalars.append(rank: rank)
        } else {
            scalars.appendCommon()
        }
    }

    /// A consonant and the vowel that stands before it sort as consonant and vowel, and as one on level 4.
    mutating func append(consonant: CollationTable.Entry, before vowel: CollationTable.Entry) {
        appendLetters(consonant, flags: consonant.flags)
        appendLetters(vowel, flags: vowel.flags)
        endDistance()
        scalars.append(rank: 1)
    }

    /// The key of the whole text.
    mutating func finish(_ text: String) -> [UInt8] {
        _ = endBackward(byForward: false)
        accents.end()
        cases.end()
        scalars.end()
        key.append(0)
        key.append(contentsOf: accents.bytes)
        key.append(contentsOf: cases.bytes)
        key.append(contentsOf: scalars.bytes)
        if isAmbiguous {
            key.append(0)
            key.append(utf8: text)
        }
        return key
    }

    /// Levels 1 to 3 of an element.
    private mutating func appendLetters(_ entry: CollationTable.Entry, flags: CollationTable.Flags) {
        if flags.contains(.ambiguous) { isAmbiguous = true }
        if flags.contains(.letter) {
            for code in entry.prefix { append(letter: code) }
            append(letter: entry.code)
        }
        for weight in entry.weights {
            if weight.letterCase == 0 { cases.appendCommon() } else { cases.append(rank: weight.letterCase) }
        }
        if flags.contains(.backward) {
            backward.append(entry)
        } else {
            _ = endBackward(byForward: true)
            ideographs = 0
            appendAccents(entry)
        }
    }

    private mutating func append(letter code: UInt16) {
        let high = UInt8(code >> 8)
        key.append(high)
        // ASCII digits have the bytes 2 to 11, letters the even ones from 12 to 62, alone.
        let isAlone = 2...11 ~= high || 12...62 ~= high && high.isMultiple(of: 2)
        if !isAlone { key.append(UInt8(truncatingIfNeeded: code)) }
    }

    private mutating func appendAccents(_ entry: CollationTable.Entry) {
        for weight in entry.weights {
            if weight.accent == 0 { accents.appendCommon() } else { accents.append(rank: weight.accent) }
        }
    }

    /// Writes the accents of a run of backward elements, from its end, and tells whether there was one.
    ///
    /// `strcoll` loses one on the way, and so must we: going back over the run it passes over the last but one when a
    /// forward element ended the run, and over one more for every ideograph directly before the run.
    private mutating func endBackward(byForward: Bool) -> Bool {
        guard let last = backward.last else { return false }
        if let last { appendAccents(last) }
        let lost = 1 + ideographs + (byForward ? 1 : 0)
        for entry in backward.dropLast(lost).reversed() {
            if let entry { appendAccents(entry) }
        }
        backward.removeAll(keepingCapacity: true)
        ideographs = 0
        return true
    }

    /// On level 4 the number of elements without a weight before one counts first.
    private mutating func endDistance() {
        for _ in 0..<distance { scalars.appendHighest() }
        distance = 0
    }
}
