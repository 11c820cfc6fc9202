import Bytes
import SookeModel

/// The order of a list of businesses.
public enum BusinessOrder: Sendable, Hashable {
    /// By name; see `NameKey`.
    case name
    /// The nearest first.
    case distance
    /// The last changed first.
    case updated
    /// The best matches of a ranked search first.
    case relevance
}

/// The place of a business in a list: it is unique, and stays the same as long as the business is not changed.
public enum BusinessKey: Sendable {
    case name(NameKey)
    /// By the square of the chord (see `SurfacePoint`), then by ID.
    case distance(squaredChord: Double, id: Int)
    /// By the time of the last change, the last one first; equal ones by ID, the highest first.
    case updated(Timestamp, id: Int)
    /// By rank, then by name.
    case relevance(rank: Int, NameKey)

    /// The order to which it belongs.
    public var order: BusinessOrder {
        switch self {
        case .name: .name
        case .distance: .distance
        case .updated: .updated
        case .relevance: .relevance
        }
    }
}

extension BusinessKey: Comparable {
    /// Whether a business is before another in a list; both keys are of one order.
    public static func < (left: BusinessKey, right: BusinessKey) -> Bool {
        switch (left, right) {
        case (.name(let left), .name(let right)): left < right
        case (.distance(let left, let leftID), .distance(let right, let rightID)):
            left == right ? leftID < rightID : left < right
        case (.updated(let left, let leftID), .updated(let right, let rightID)):
            left == right ? rightID < leftID : right < left
        case (.relevance(let left, let leftName), .relevance(let right, let rightName)):
            left == right ? leftName < rightName : left < right
        default: preconditionFailure("keys of different orders")
        }
    }

    /// Whether it is the same place; both keys are of one order.
    public static func == (left: BusinessKey, right: BusinessKey) -> Bool { !(left < right) && !(right < left) }
}

extension BusinessRecord {
    /// The time of the last change; that of the beginning of time if it is not recorded.
    var updated: Timestamp { times.updated ?? .beginningOfTime }

    /// The key in the list of last changes.
    var updatedKey: MomentKey { MomentKey(moment: updated, id: id) }
}

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
