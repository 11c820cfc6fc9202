import Bytes

/// Encodes the sort key of a text from its elements.
///
/// Key: letters, 0, accents, cases, scalars; and 0 and the text itself if another text has the same weights.
struct CollationKeyBuilder {
    private var key: [UInt8] = []
    private var accents = CollationLevel(base: 0)
    private var cases = CollationLevel(base: 0)
    private var scalars = CollationLevel(base: CollationLevel.baseOfScalars)
    /// The elements that level 2 takes from the end; nil for a scalar without entry.
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

    /// A scalar without entry is a lowest symbol for each of its bytes.
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
        } else {
            scalars.append(rank: entry.rank)
        }
    }

    /// A consonant and the vowel written before it sort as consonant and vowel, and as one on level 4.
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
            cases.append(rank: weight.letterCase)
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
            accents.append(rank: weight.accent)
        }
    }

    /// Writes the accents of a run of backward elements, from its end. Returns whether there was one.
    ///
    /// `strcoll` loses one, which must be reproduced: on its way back over the run it skips the last but one when a
    /// forward element ended the run, and one more for each ideograph directly before the run.
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
