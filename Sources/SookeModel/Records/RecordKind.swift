/// A kind of record. Each is declared beside its record type; the tables of a `Town` determine the list of all.
public struct RecordKind: Sendable {
    /// How far the records of a kind go; each reach includes those before it.
    public enum Reach: Int, Sendable, Comparable {
        /// The log and snapshots: the records are private.
        case store
        /// Exports and imports.
        case datasets
        /// The feed of changes, to those who see the record; see `StoredRecord.audience`.
        case feed

        /// Whether one reach is part of another.
        public static func < (left: Reach, right: Reach) -> Bool { left.rawValue < right.rawValue }
    }

    /// The name of a record of this kind in the log, such as `event_type`.
    public let name: String
    /// The key of this kind's records in a dataset, such as `event_types`.
    public let collection: String
    /// How far the records go.
    public let reach: Reach

    /// A kind with a name that no other kind has.
    public init(_ name: String, collection: String, reach: Reach) {
        (self.name, self.collection, self.reach) = (name, collection, reach)
    }

    /// Whether exports and imports contain the records. The others are private.
    public var isShared: Bool { reach >= .datasets }

    /// Whether the feed of changes has the records.
    public var isInFeed: Bool { reach >= .feed }

    /// The name of a record of this kind in messages.
    public var label: String { name.split(separator: "_").joined(separator: " ") }
}

extension RecordKind: Hashable {
    /// Whether two kinds have the same name.
    public static func == (left: RecordKind, right: RecordKind) -> Bool { left.name == right.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
