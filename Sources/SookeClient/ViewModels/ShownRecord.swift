/// Which record a detail shows: the one with a slug, which is followed by its ID from then on.
struct ShownRecord {
    /// The slug with which it was opened.
    private(set) var slug: String?
    private var id: Int64?

    init(slug: String? = nil) {
        self.slug = slug
    }

    /// The record as it is now; nil if it does not exist, or no longer.
    ///
    /// - Parameter fetched: the record as the server has it, for a slug that the town does not contain.
    mutating func record<Record: Identifiable<Int64>>(
        _ fetched: Record?, id find: (Int64) -> Record?, slug findSlug: (String) -> Record?
    ) -> Record? {
        if id == nil { id = slug.flatMap(findSlug)?.id ?? fetched?.id }
        return id.flatMap(find)
    }
}

extension LiveTown {
    /// Whether the replica has a whole version.
    var hasRecords: Bool { replica.position != nil }
}

extension LiveTown? {
    /// A selected category as it is now; nil when it was deleted.
    @MainActor
    func current(_ category: Category?) -> Category? {
        guard let self, self.hasRecords, let category else { return category }
        return self.replica.category(id: category.id)
    }

    /// A selected type of events as it is now; nil when it was deleted.
    @MainActor
    func current(_ eventType: EventType?) -> EventType? {
        guard let self, self.hasRecords, let eventType else { return eventType }
        return self.replica.eventType(id: eventType.id)
    }
}
