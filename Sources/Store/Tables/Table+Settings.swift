import SookeModel

extension Settings: TableRecord, WritableRecord {
    package static var table: TablePath<Settings> { \.settings }

    package typealias Indexes = NoIndexes<Settings>
    package typealias Stored = Settings

    /// The ID is not assigned.
    package static func recordIDs(of value: Settings, in sequences: inout IDSequences) {}

    package var importKey: String { Self.kind.name }

    package static func existing(for patch: inout Patch<Settings>, in town: Town) -> Settings? {
        if patch.values.id == 0 { patch.values.id = onlyID }
        return town.storedSettings
    }
}

extension Town {
    package var settings: Settings { storedSettings ?? Settings() }

    /// What somebody has set of it; nil before.
    package var storedSettings: Settings? { storage[0].settings[Settings.onlyID] }
}

extension Town {
    package var waitingForLocation: [BusinessRecord] { self.businesses.inOrderOfID.filter { $0.coordinates == nil } }
}
