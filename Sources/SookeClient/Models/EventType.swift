/// A type of events.
public struct EventType: Codable, Identifiable, Sendable, Hashable {
    /// The unique ID.
    public let id: Int64
    /// Its name.
    public let name: String
    /// Its part of the address.
    public let slug: String

    /// A type of events.
    public init(id: Int64, name: String, slug: String) {
        (self.id, self.name, self.slug) = (id, name, slug)
    }
}

/// All types of events.
public struct EventTypeListResponse: Codable, Sendable, Hashable {
    /// The types by name.
    public let items: [EventType]

    /// A list of types.
    public init(items: [EventType]) {
        self.items = items
    }
}
