/// Writes the sort key of a text of plain ASCII, which most names are: the one that `CollationKeyBuilder` writes.
///
/// With one accent, no ideograph and a place for each letter, a level needs nothing of the others: each is written
/// behind the one before it, in one piece of memory.
enum SimpleCollationKey {
    /// The sort key, or nil when a scalar of the text is not simple.
    static func key(of text: String) -> [UInt8]? {
        // Nil for a text that is not kept as UTF-8, which none is on Linux.
        text.utf8.withContiguousStorageIfAvailable(key(of:)) ?? nil
    }

    private static func key(of text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        let elements = CollationTable.simpleElements
        var key: [UInt8] = []
        key.reserveCapacity(2 * text.count + 8)
        guard let accents = appendLetters(of: text, elements, to: &key) else { return nil }
        key.append(0)
        var level = CollationLevel(base: 0, after: consume key)
        level.append(mostCommon: accents)
        level.end()
        level = CollationLevel(base: 0, after: level.bytes)
        for byte in text {
            switch elements[Int(byte)] {
            case .letter(_, let letterCase), .digit(_, let letterCase): level.append(rank: Int(letterCase))
            case .symbol, .other: break
            }
        }
        level.end()
        level = CollationLevel(base: CollationLevel.baseOfScalars, after: level.bytes)
        for byte in text {
            if case .symbol(let code) = elements[Int(byte)] {
                level.append(symbol: code)
            } else {
                level.append(rank: 0)
            }
        }
        level.end()
        return level.bytes
    }

    /// Appends level 1; gives the number of weights on level 2, or nil when an element is not simple.
    ///
    /// Level 2 loses a digit before the last symbol or digit in front of a letter: see
    /// `CollationKeyBuilder.endBackward`.
    private static func appendLetters(
        of text: UnsafeBufferPointer<UInt8>, _ elements: [CollationTable.SimpleElement], to key: inout [UInt8]
    ) -> Int? {
        var accents = 0
        var (lastIsDigit, lastButOneIsDigit) = (false, false)
        for byte in text {
            guard byte < 0x80 else { return nil }
            switch elements[Int(byte)] {
            case .letter(let letter, _):
                key.append(letter)
                accents += lastButOneIsDigit ? 0 : 1
                (lastIsDigit, lastButOneIsDigit) = (false, false)
            case .digit(let digit, _):
                key.append(digit)
                accents += 1
                (lastIsDigit, lastButOneIsDigit) = (true, lastIsDigit)
            case .symbol:
                (lastIsDigit, lastButOneIsDigit) = (false, lastIsDigit)
            case .other:
                return nil
            }
        }
        return accents
    }
}
