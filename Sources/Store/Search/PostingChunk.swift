/// A posting: a word occurs in some fields of the record with a slot.
struct Posting: Equatable, Sendable {
    let slot: UInt32
    /// The bits of the fields; see `SearchField`.
    let fields: UInt8
}

/// Some hundred postings of a word, by slot.
///
/// After the first one, each takes a byte or two: the difference of the slots and a bit that says whether other fields
/// follow, in groups of seven bits, the lowest first. A word with a single posting needs no memory of its own.
struct PostingChunk: Sendable {
    private(set) var rest: [UInt8] = []
    private(set) var first: Posting
    private(set) var count: UInt16 = 1

    init(_ first: Posting) {
        self.first = first
    }

    init(_ postings: some Collection<Posting>, from first: Posting) {
        var encoder = PostingEncoder(after: first)
        for posting in postings.dropFirst() { encoder.append(posting) }
        self.init(encoder)
    }

    init(_ encoder: PostingEncoder) {
        // A copy without spare capacity.
        (first, rest, count) = (encoder.first, Array(encoder.bytes[...]), encoder.count)
    }

    @inline(__always)
    func forEach(_ body: (UInt32, UInt8) -> Void) {
        var (slot, fields) = (first.slot, first.fields)
        body(slot, fields)
        let bytes = rest.span
        var index = 0
        while index < bytes.count {
            var byte = bytes[index]
            index += 1
            var value = UInt32(byte & 0x7F)
            var shift: UInt32 = 7
            while byte & 0x80 != 0 {
                byte = bytes[index]
                index += 1
                value |= UInt32(byte & 0x7F) << shift
                shift += 7
            }
            if value & 1 != 0 {
                fields = bytes[index]
                index += 1
            }
            slot &+= value >> 1
            body(slot, fields)
        }
    }

    var postings: [Posting] {
        var postings: [Posting] = []
        postings.reserveCapacity(Int(count))
        forEach { postings.append(Posting(slot: $0, fields: $1)) }
        return postings
    }
}

struct PostingEncoder: Sendable {
    private(set) var bytes: [UInt8] = []
    private(set) var count: UInt16 = 1
    let first: Posting
    private var last: Posting

    init(after first: Posting) {
        (self.first, last) = (first, first)
    }

    mutating func append(_ posting: Posting) {
        let isChanged = posting.fields != last.fields
        var value = (posting.slot - last.slot) << 1 | (isChanged ? 1 : 0)
        while value >= 0x80 {
            bytes.append(UInt8(value & 0x7F) | 0x80)
            value >>= 7
        }
        bytes.append(UInt8(value))
        if isChanged { bytes.append(posting.fields) }
        last = posting
        count += 1
    }
}
