/// A kind of record. Each is declared beside its record type; the tables of a `Town` determine the list of all.
public struct RecordKind: Sendable {
    /// The name of a record of this kind in the log, such as `event_type`.
    public let name: String
    /// The key of this kind's records in a dataset, such as `event_types`.
    public let collection: String
    /// Whether exports and imports contain the records. The others are private: they are only in the log and in
    /// snapshots.
    public let isShared: Bool

    /// A kind with a name that no other kind has.
    public init(_ name: String, collection: String, isShared: Bool = true) {
        (self.name, self.collection, self.isShared) = (name, collection, isShared)
    }

    /// The name of a record of this kind in messages.
    public var label: String { name.split(separator: "_").joined(separator: " ") }
}

extension RecordKind: Hashable {
    /// Whether two kinds have the same name.
    public static func == (left: RecordKind, right: RecordKind) -> Bool { left.name == right.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
