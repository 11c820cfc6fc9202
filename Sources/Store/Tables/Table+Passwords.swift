import SookeModel

/// A password has the ID of its person.
extension PasswordRecord: TableRecord {
    /// Passwords are only queried by ID.
    public typealias Indexes = NoIndexes<PasswordRecord>

    /// A password has no ID of its own.
    public static func recordIDs(of value: PasswordRecord, in sequences: inout IDSequences) {}
}
