/// A key of an object, read with `JSONReader.nextMember`.
public enum JSONMember: Sendable, Equatable {
    /// The index of its name.
    case known(Int)
    case unknown(String)
}

/// The keys of one kind of object, made once per type: finds the index of a key in a document without a `String`.
///
/// Objects whose keys are in the order of the names are read fastest. It is a class, so that passing it counts one
/// reference and not one per array: threads that read documents of one kind share it.
public final class JSONKeys: Sendable {
    private let names: [[UInt8]]
    /// The first eight bytes of each name, padded with zeros.
    private let heads: [UInt64]
    private let quoted: [Quoted]

    /// `"name"` as two words that may overlap, so that it is compared without a loop.
    private struct Quoted {
        let length: Int
        let head: UInt64
        let tail: UInt64
        let tailOffset: Int
        /// The significant bits of both words.
        let mask: UInt64

        init(_ name: [UInt8]) {
            let bytes = [UInt8(ascii: "\"")] + name + [UInt8(ascii: "\"")]
            length = bytes.count
            tailOffset = max(0, length - 8)
            mask = JSONKeys.mask(length)
            head = JSONKeys.head(bytes.span.bytes, at: 0, length: length)
            tail = JSONKeys.head(bytes.span.bytes, at: tailOffset, length: min(length, 8))
        }
    }

    /// The table of some names: at most 64, distinct, without escapes in JSON.
    public init(_ names: [String]) {
        let names = names.map { Array($0.utf8) }
        precondition(names.count <= 64 && Set(names).count == names.count, "at most 64 different keys")
        precondition(
            names.joined().allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") },
            "keys that JSON writes without escapes")
        self.names = names
        heads = names.map { Self.head($0.span.bytes, at: 0, length: $0.count) }
        quoted = names.map(Quoted.init)
    }

    /// The index of the name at `start`, or nil when it is none. The names from `expected` on are tried first: after
    /// fields that were left out it is one of the next.
    func index(of text: RawSpan, at start: Int, length: Int, expected: Int) -> Int? {
        let head = Self.head(text, at: start, length: length)
        for step in names.indices {
            let next = expected + step
            let index = next < names.count ? next : next - names.count
            if heads[index] == head, names[index].count == length, matches(index, text, at: start, from: 8) {
                return index
            }
        }
        return nil
    }

    /// The end of the name with this index, after its closing quote, if its opening quote is at `quote`; otherwise nil,
    /// and nil near the end of the document.
    @inline(__always)
    func endOfName(_ index: Int, in text: RawSpan, at quote: Int) -> Int? {
        guard index < quoted.count else { return nil }
        let key = quoted[index]
        guard text.byteCount &- quote >= key.tailOffset &+ 8 else { return nil }
        // The line above is the check for both words.
        let head = text.uncheckedWord(at: quote)
        let tail = text.uncheckedWord(at: quote &+ key.tailOffset)
        guard head & key.mask == key.head, tail & key.mask == key.tail,
            key.length <= 16 || matches(index, text, at: quote + 1, from: 7)
        else { return nil }
        return quote &+ key.length
    }

    /// Whether the rest of the name, from an offset on, is equal to the text.
    private func matches(_ index: Int, _ text: RawSpan, at start: Int, from first: Int) -> Bool {
        let name = names[index]
        var offset = first
        while offset < name.count {
            guard name[offset] == text[start + offset] else { return false }
            offset += 1
        }
        return true
    }

    private static func head(_ text: RawSpan, at start: Int, length: Int) -> UInt64 {
        if start + 8 <= text.byteCount { return text.word(at: start) & mask(length) }
        var word: UInt64 = 0
        for offset in 0..<min(length, 8) { word |= UInt64(text[start + offset]) << UInt64(8 * offset) }
        return word
    }

    private static func mask(_ length: Int) -> UInt64 {
        length < 8 ? ~(UInt64.max << UInt64(8 * length)) : .max
    }
}
