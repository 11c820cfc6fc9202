import SookeModel

extension Event: SluggedRecord {
    /// The form in which its table stores it.
    public typealias Stored = EventRecord

    /// The event with a slug.
    public static func find(_ slug: Slug, in town: Town) -> Event? { town.events[slug]?.value }

    /// The ID of the event that had a slug before it was public, or later.
    public static func id(formerly slug: Slug, in town: Town) -> Int? {
        (town.events[pending: slug] ?? town.events[formerly: slug])?.id
    }

    /// The former slugs of a public event are reserved, so that nobody can take them over with another event of that
    /// name.
    public func isReserved(_ slug: Slug, in town: Town) -> Bool {
        town.events.publicEvent(formerly: slug).map { $0.value.id != id } ?? false
    }

    /// Adds the slug before a change to the former ones, if the event was public with it.
    ///
    /// The slug of an event that stops being public becomes a former one at once, because links to it exist.
    public mutating func addFormerSlug(of existing: Event) {
        if status.isPublic { formerSlugs.removeAll { $0 == slug } }
        if existing.status.isPublic, !status.isPublic || slug != existing.slug {
            formerSlugs.appendFormer(existing.slug)
        }
    }
}
