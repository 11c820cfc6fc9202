import SookeModel

extension Event: SluggedRecord {
    /// The event of a number.
    public static func find(_ id: Int, in community: Community) -> Event? { community.events[id]?.value }

    /// The event of a slug.
    public static func find(_ slug: Slug, in community: Community) -> Event? { community.events[slug]?.value }

    /// The event as a record of any kind.
    public var ofAnyKind: AnyRecord { .event(self) }

    /// Keeps a slug that it had before.
    public mutating func remember(formerSlug: Slug) {
        formerSlugs.remember(formerSlug, now: slug)
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
