import Bytes
import SookeModel

/// The key of a name in the order of the server's lists.
struct NameOrder: Comparable, Sendable {
    private let bytes: [UInt8]

    init(_ name: String) {
        bytes = Collation.sortKey(name)
    }

    static func < (left: NameOrder, right: NameOrder) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
}

/// A record in a list by name.
protocol NamedReplicaRecord: ReplicaRecord {
    var name: String { get }
}

extension NamedReplicaRecord {
    var sortKey: NameOrder { NameOrder(name) }
    var foldedName: [UInt8] { CaseFolding.fold(name) }
}

extension Category: NamedReplicaRecord {}
extension EventType: NamedReplicaRecord {}
extension BusinessRecord: NamedReplicaRecord {}

extension EventRecord: ReplicaRecord {
    /// The start in microseconds since 1970.
    var sortKey: Int { Timestamp(rfc3339: startTime)?.microseconds ?? .min }
    var foldedName: [UInt8] { CaseFolding.fold(name) }
}
