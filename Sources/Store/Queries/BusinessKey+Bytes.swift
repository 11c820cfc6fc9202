import Bytes

/// Keys as bytes, for cursors.
extension BusinessKey {
    /// The key as bytes.
    public var bytes: [UInt8] {
        switch self {
        case .name(let key): key.bytes
        case .distance(let squaredChord, let id): UInt64(bitPattern: Int64(id)).bytes + squaredChord.bitPattern.bytes
        case .updated(let moment, let id):
            UInt64(bitPattern: Int64(id)).bytes + UInt64(bitPattern: Int64(moment.microseconds)).bytes
        case .relevance(let rank, let key): UInt64(bitPattern: Int64(rank)).bytes + key.bytes
        }
    }

    /// The key of an order with these bytes; nil when none has them.
    public init?(_ order: BusinessOrder, bytes: some Collection<UInt8>) {
        var bytes = bytes[...]
        guard let first = bytes.takeInteger() else { return nil }
        switch order {
        case .name: self = .name(NameKey(sortKey: Array(bytes), id: Int(truncatingIfNeeded: first)))
        case .distance:
            guard let bits = bytes.takeInteger(), bytes.isEmpty else { return nil }
            let squaredChord = Double(bitPattern: bits)
            guard squaredChord.isFinite else { return nil }
            self = .distance(squaredChord: squaredChord, id: Int(truncatingIfNeeded: first))
        case .updated:
            guard let bits = bytes.takeInteger(), bytes.isEmpty else { return nil }
            self = .updated(
                Timestamp(microseconds: Int(truncatingIfNeeded: bits)), id: Int(truncatingIfNeeded: first))
        case .relevance:
            guard let id = bytes.takeInteger() else { return nil }
            let name = NameKey(sortKey: Array(bytes), id: Int(truncatingIfNeeded: id))
            self = .relevance(rank: Int(truncatingIfNeeded: first), name)
        }
    }
}

extension NameKey {
    fileprivate var bytes: [UInt8] { UInt64(bitPattern: Int64(id)).bytes + sortKey }
}

extension UInt64 {
    /// The eight bytes, the highest first.
    fileprivate var bytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: self >> (56 - 8 * $0)) } }
}

extension Collection<UInt8> where SubSequence == Self {
    /// Removes eight bytes and returns them as a number, the highest first; nil when there are not enough.
    fileprivate mutating func takeInteger() -> UInt64? {
        let eight = prefix(8)
        guard eight.count == 8 else { return nil }
        self = dropFirst(8)
        return eight.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
