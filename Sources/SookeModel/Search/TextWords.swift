import Bytes

public struct TextWord: Equatable, Sendable {
    /// What it is a word of.
    public enum Kind: Sendable {
        /// It stands alone, or between hyphens.
        case plain
        /// It stands before or after an apostrophe, such as `auberge` in `l'auberge`.
        case piece
        /// All that hyphens join, such as `coop` in `co-op`, and initials in a row, such as `cj` in `C. J. Abel`.
        case compound
        /// Two neighbours in a name as one word, such as `harbourside` in `Harbour Side`.
        case joined
        case acronym
    }

    public let word: Word
    public let kind: Kind
    /// Where it is in the text, in bytes.
    public let range: Range<Int>
}

/// Finds the words of a text: folded, and separated by all that is neither letter nor digit.
///
/// An apostrophe joins: `Joe's` is the word `joes`, and the piece `joe`. A hyphen separates and joins: `co-op` is `co`,
/// `op`, and the compound `coop`. Single letters with only dots, spaces and `&` between them are a compound, too: `A&W`
/// is `aw`. `&` is the word `and`. An ideograph is a word alone.
public struct TextWords {
    /// The plain word at the end of what was read, and what of it follows the last apostrophe.
    private var plain = WordBuffer()
    private var piece = WordBuffer()
    /// All since the last separator.
    private var compound = WordBuffer()
    private var initials = WordBuffer()
    private var endOfInitials = 0
    private var hasApostrophe = false
    private var hasHyphen = false
    /// An apostrophe or a hyphen after a letter: it joins if a letter follows.
    private var joint: Class?
    private var end = 0

    private enum Class: Sendable {
        case separator, gap, letter, apostrophe, hyphen, ampersand
    }

    /// Calls a function with each word of a text; a compound comes after its parts.
    public static func forEach(in text: Span<UInt8>, _ body: (TextWord) -> Void) {
        var words = TextWords()
        var index = 0
        while index < text.count {
            let byte = text[index]
            if byte < 0x80 {
                words.read(ascii: byte, at: index, body)
                index += 1
            } else {
                let (scalar, length) = text.scalar(at: index)
                words.read(scalar, in: index..<index + length, body)
                index += length
            }
        }
        words.endCompound(body)
        words.endInitials(body)
    }

    public static func forEach(in text: String, _ body: (TextWord) -> Void) {
        text.withUTF8Bytes { forEach(in: $0.span, body) }
    }

    public static func all(in text: String) -> [TextWord] {
        var words: [TextWord] = []
        forEach(in: text) { words.append($0) }
        return words
    }

    @inline(__always)
    private mutating func read(ascii byte: UInt8, at index: Int, _ body: (TextWord) -> Void) {
        let folded = ASCII.lowercased(byte)
        if 0x61...0x7A ~= folded || 0x30...0x39 ~= folded {
            if joint != nil { join(body) }
            append(folded, in: index..<index + 1)
            return
        }
        switch byte {
        case UInt8(ascii: "'"): read(.apostrophe, in: index..<index + 1, body)
        case UInt8(ascii: "-"): read(.hyphen, in: index..<index + 1, body)
        case UInt8(ascii: "&"): read(.ampersand, in: index..<index + 1, body)
        case UInt8(ascii: "."), UInt8(ascii: " "): read(.gap, in: index..<index + 1, body)
        default: read(.separator, in: index..<index + 1, body)
        }
    }

    private mutating func read(_ scalar: Unicode.Scalar, in range: Range<Int>, _ body: (TextWord) -> Void) {
        switch scalar {
        case "\u{2019}", "\u{2018}", "\u{2BC}", "\u{2BB}": return read(.apostrophe, in: range, body)
        case "\u{2010}", "\u{2011}": return read(.hyphen, in: range, body)
        default: break
        }
        switch WordFolding.fold(scalar) {
        case .separator: read(.separator, in: range, body)
        case .mark: if end == range.lowerBound { end = range.upperBound }
        case .ascii(var letters):
            if joint != nil { join(body) }
            while letters > 0 {
                append(UInt8(truncatingIfNeeded: letters), in: range)
                letters >>= 8
            }
        case .letter(let letter):
            if joint != nil { join(body) }
            append(letter, in: range)
        case .ideograph(let letter):
            endCompound(body)
            append(letter, in: range)
            endCompound(body)
            endInitials(body)
        }
    }

    private mutating func read(_ separator: Class, in range: Range<Int>, _ body: (TextWord) -> Void) {
        let isJoint = separator == .apostrophe || separator == .hyphen
        // Only between two letters, so that a quoted word or a dash does not join.
        if isJoint, !compound.isEmpty, joint == nil, end == range.lowerBound {
            joint = separator
            return
        }
        endCompound(body)
        if separator != .gap, separator != .ampersand { endInitials(body) }
        if separator == .ampersand {
            body(TextWord(word: Word("and".utf8), kind: .plain, range: range))
        }
    }

    private mutating func append(_ byte: UInt8, in range: Range<Int>) {
        plain.append(byte, in: range)
        piece.append(byte, in: range)
        compound.append(byte, in: range)
        end = range.upperBound
    }

    private mutating func append(_ letter: Unicode.Scalar, in range: Range<Int>) {
        plain.append(letter, in: range)
        piece.append(letter, in: range)
        compound.append(letter, in: range)
        end = range.upperBound
    }

    /// Applies the apostrophe or the hyphen before the next letter.
    private mutating func join(_ body: (TextWord) -> Void) {
        endInitials(body)
        if joint == .hyphen {
            endPlain(body)
            hasHyphen = true
        } else {
            hasApostrophe = true
            endPiece(body)
        }
        joint = nil
    }

    private mutating func endPiece(_ body: (TextWord) -> Void) {
        // One letter is an elision or a possessive.
        if hasApostrophe, piece.letterCount > 1 { body(piece.take(.piece, to: end)) }
        piece = WordBuffer()
    }

    private mutating func endPlain(_ body: (TextWord) -> Void) {
        endPiece(body)
        if !plain.isEmpty { body(plain.take(.plain, to: end)) }
        plain = WordBuffer()
        hasApostrophe = false
    }

    private mutating func endCompound(_ body: (TextWord) -> Void) {
        let (initial, start) = (hasHyphen ? nil : compound.initial, compound.start)
        if initial == nil, !compound.isEmpty { endInitials(body) }
        if !plain.isEmpty { endPlain(body) }
        if hasHyphen { body(compound.take(.compound, to: end)) }
        compound = WordBuffer()
        (hasHyphen, joint) = (false, nil)
        if let initial {
            initials.append(initial, in: start..<end)
            endOfInitials = end
        }
    }

    private mutating func endInitials(_ body: (TextWord) -> Void) {
        if initials.isEmpty { return }
        if initials.letterCount > 1 { body(initials.take(.compound, to: endOfInitials)) }
        initials = WordBuffer()
    }
}

extension [TextWord] {
    /// The ranges in the text of some whole words in a row.
    public func places(of phrase: [Word]) -> [Range<Int>] {
        let plain = filter { $0.kind == .plain }
        guard phrase.count <= plain.count, !phrase.isEmpty else { return [] }
        return (0...plain.count - phrase.count).compactMap { start in
            let part = plain[start..<start + phrase.count]
            guard zip(part, phrase).allSatisfy({ $0.word == $1 }) else { return nil }
            return plain[start].range.lowerBound..<plain[start + phrase.count - 1].range.upperBound
        }
    }
}

private struct WordBuffer {
    private var word = Word()
    private var count = 0
    private(set) var start = 0
    private(set) var letterCount = 0

    var isEmpty: Bool { letterCount == 0 }

    var initial: UInt8? { letterCount == 1 && count == 1 && 0x61...0x7A ~= word[0] ? word[0] : nil }

    mutating func append(_ byte: UInt8, in range: Range<Int>) {
        if letterCount == 0 { start = range.lowerBound }
        letterCount += 1
        guard count < Word.capacity else { return }
        word[count] = byte
        count += 1
    }

    /// Appends a letter of several bytes; not a part of it.
    mutating func append(_ letter: Unicode.Scalar, in range: Range<Int>) {
        if letterCount == 0 { start = range.lowerBound }
        letterCount += 1
        let bytes = UTF8.encode(letter) ?? UTF8.encodedReplacementCharacter
        guard count + bytes.count <= Word.capacity else {
            count = Word.capacity
            return
        }
        for byte in bytes {
            word[count] = byte
            count += 1
        }
    }

    func take(_ kind: TextWord.Kind, to end: Int) -> TextWord { TextWord(word: word, kind: kind, range: start..<end) }
}

extension Span<UInt8> {
    /// The scalar of valid UTF-8 at an offset, and the number of its bytes.
    fileprivate func scalar(at index: Int) -> (Unicode.Scalar, Int) {
        let first = UInt32(self[index])
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        var value = first & (0x7F >> UInt32(length))
        for next in index + 1..<Swift.min(index + length, count) { value = value << 6 | UInt32(self[next] & 0x3F) }
        return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
    }
}
