import SookeModel

extension Settings: TableRecord, WritableRecord {
    package static var table: TablePath<Settings> { \.settings }

    package typealias Indexes = NoIndexes<Settings>
    package typealias Stored = Settings

    /// The ID is not assigned.
    package static func recordIDs(of value: Settings, in sequences: inout IDSequences) {}

    /// There is one record.
    package var importKey: String { Self.kind.name }

    /// There is one record, whose key does not change.
    package static func rename(
        _ id: Int, _ patch: Patch<Settings>, in transaction: inout WriteTransaction
    ) throws(WriteError) {}

    package static func upsert(
        _ patch: Patch<Settings>, in transaction: inout WriteTransaction
    ) throws(FieldProblems) -> WriteTransaction.Effect {
        try transaction.upsert(patch)
    }
}

extension Town {
    /// What the town says of itself; the defaults until somebody has set it.
    package var settings: Settings { storedSettings ?? Settings() }

    /// What somebody has set of it; nil before.
    package var storedSettings: Settings? { storage[0].settings[Settings.onlyID] }
}

extension Town {
    /// The businesses whose locations are not known yet.
    package var waitingForLocation: [BusinessRecord] { self.businesses.inOrderOfID.filter { $0.coordinates == nil } }
}

extension WriteTransaction {
    /// Changes what the town says of itself.
    ///
    /// - Throws: all problems; the step then has no effect.
    @discardableResult
    package mutating func upsert(_ patch: Patch<Settings>) throws(FieldProblems) -> Effect {
        let existing = town.storedSettings.map(Existing.init)
        var settings = patch.applied(to: existing?.record ?? Settings())
        if settings.id == 0 { settings.id = Settings.onlyID }
        try complete(&settings, after: existing)
        return write(settings, after: existing)
    }
}
