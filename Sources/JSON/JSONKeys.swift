/// The keys of one kind of object, as an enumeration whose raw values are their names. It is created once per type, and
/// finds the case of a key in the document without creating a `String`.
/// Objects whose keys are in the order of the cases are read fastest.
public struct JSONKeys<Field: Sendable>: Sendable {
    @usableFromInline let fields: [Field]
    @usableFromInline let table: JSONKeyTable

    /// The table of all cases: at most 64, with distinct names that need no escapes in JSON.
    public init() where Field: CaseIterable & RawRepresentable<String> {
        fields = Array(Field.allCases)
        table = JSONKeyTable(fields.map { Array($0.rawValue.utf8) })
    }
}

extension JSONKeys where Field == Int {
    /// The table of some names, each with its index: at most 64, distinct, without escapes in JSON.
    public init(_ names: [String]) {
        fields = Array(names.indices)
        table = JSONKeyTable(names.map { Array($0.utf8) })
    }
}

/// A key of an object, read with `JSONReader.nextMember`.
public enum JSONMember<Field> {
    case known(Field)
    case unknown(String)
}

extension JSONMember: Sendable where Field: Sendable {}
extension JSONMember: Equatable where Field: Equatable {}

/// Finds a name in a document among at most 64: a hash table with open addressing, at most a quarter full.
///
/// It is a class, so that passing it counts one reference and not one per array: threads that read documents of one
/// kind share it.
@usableFromInline
final class JSONKeyTable: Sendable {
    private let names: [[UInt8]]
    /// The first eight bytes of each name, padded with zeros.
    private let heads: [UInt64]
    private let quoted: [Quoted]
    /// The index of a name in each slot, or -1.
    private let slots: [Int8]

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
            mask = JSONKeyTable.mask(length)
            head = JSONKeyTable.head(bytes.span.bytes, at: 0, length: length)
            tail = JSONKeyTable.head(bytes.span.bytes, at: tailOffset, length: min(length, 8))
        }
    }

    init(_ names: [[UInt8]]) {
        precondition(names.count <= 64 && Set(names).count == names.count, "at most 64 different keys")
        precondition(
            names.joined().allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") },
            "keys that JSON writes without escapes")
        self.names = names
        heads = names.map { Self.head($0.span.bytes, at: 0, length: $0.count) }
        quoted = names.map(Quoted.init)
        var slots = [Int8](repeating: -1, count: 256)
        for (index, name) in names.enumerated() {
            var slot = Self.slot(of: heads[index], length: name.count)
            while slots[slot] >= 0 { slot = (slot + 1) & 0xFF }
            slots[slot] = Int8(index)
        }
        self.slots = slots
    }

    /// The index of the name at `start`, or nil when the table does not contain it.
    func index(of text: RawSpan, at start: Int, length: Int) -> Int? {
        let head = Self.head(text, at: start, length: length)
        var slot = Self.slot(of: head, length: length)
        while slots[slot] >= 0 {
            let index = Int(slots[slot])
            if heads[index] == head, names[index].count == length, matches(index, text, at: start, from: 8) {
                return index
            }
            slot = (slot + 1) & 0xFF
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

    private static func slot(of head: UInt64, length: Int) -> Int {
        // The multiplier is 2^64 divided by the golden ratio (Knuth, The Art of Computer Programming, section 6.4).
        Int(((head ^ UInt64(length)) &* 0x9E37_79B9_7F4A_7C15) >> 56)
    }
}
