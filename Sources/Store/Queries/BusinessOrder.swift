import Bytes
import SookeModel

package enum BusinessOrder: Sendable, Hashable {
    /// By name; see `NameKey`.
    case name
    case distance
    /// The last changed first.
    case updated
    /// The best matches of a ranked search first.
    case relevance
}

/// The place of a business in a list: it is unique, and stays the same as long as the business is not changed.
package enum BusinessKey: Sendable {
    case name(NameKey)
    /// By the square of the chord (see `SurfacePoint`), then by ID.
    case distance(squaredChord: Double, id: Int)
    /// By the time of the last change, the last one first; equal ones by ID, the highest first.
    case updated(Timestamp, id: Int)
    case relevance(rank: Int, NameKey)

    package var order: BusinessOrder {
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
    package static func < (left: BusinessKey, right: BusinessKey) -> Bool {
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

    package static func == (left: BusinessKey, right: BusinessKey) -> Bool { !(left < right) && !(right < left) }
}

extension BusinessRecord {
    /// The time of the last change; that of the beginning of time if it is not recorded.
    var updated: Timestamp { times.updated ?? .beginningOfTime }

    var updatedKey: MomentKey { MomentKey(moment: updated, id: id) }
}
