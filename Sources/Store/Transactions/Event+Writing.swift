import SookeModel

extension Event: SluggedRecord {
    /// The event of a number.
    public static func find(_ id: Int, in community: Community) -> Event? { community.events[id]?.value }

    /// The event of a slug.
    public static func find(_ slug: Slug, in community: Community) -> Event? { community.events[slug]?.value }

    /// A public event is found by its former slugs, whoever submits another of that name.
    public func isKept(_ slug: Slug, in community: Community) -> Bool {
        community.events.publicEvent(formerly: slug).map { $0.value.id != id } ?? false
    }

    /// Keeps the slug that it had before a change, if the public has found it there.
    ///
    /// An event that stops being public keeps its slug among the former ones at once: whatever happens to it then, that
    /// is where the public has found it.
    public mutating func keepSlug(of existing: Event) {
        if status.isPublic { formerSlugs.removeAll { $0 == slug } }
        if existing.status.isPublic, !status.isPublic || slug != existing.slug { formerSlugs.remember(existing.slug) }
    }

    /// Notes an event type, a business and a person that are not there.
    public func checkReferences(in community: Community, _ problems: inout FieldProblems) {
        if !eventType.isEmpty, community.eventTypes[eventType] == nil {
            problems.add("event_type", unknown("event type", eventType))
        }
        if let business, community.businesses[business] == nil {
            problems.add("business", unknown("business", business))
        }
        checkPerson(submittedBy, "submitted_by", in: community, &problems)
    }
}
