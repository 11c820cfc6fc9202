import SookeModel

extension Business: SluggedRecord {
    /// The business of a number.
    public static func find(_ id: Int, in community: Community) -> Business? { community.businesses[id]?.value }

    /// The business of a slug.
    public static func find(_ slug: Slug, in community: Community) -> Business? { community.businesses[slug]?.value }

    /// The number of the business that has a slug.
    public static func id(of slug: Slug, in community: Community) -> Int? { community.businesses[slug]?.id }

    /// The business as a record of any kind.
    public var ofAnyKind: AnyRecord { .business(self) }

    /// Keeps a slug that it had before.
    public mutating func remember(formerSlug: Slug) {
        formerSlugs.remember(formerSlug, now: slug)
    }

    /// Gives numbers to its hours, menus and items that bring none, and puts them in order.
    public mutating func number(after existing: Business?, _ numbers: inout RecordNumbers) {
        keepNumbers(of: existing, &numbers)
        putInOrder()
    }

    /// Notes a category and an owner that are not there.
    public func checkReferences(in community: Community, _ problems: inout FieldProblems) {
        if let category, community.categories[category] == nil {
            problems.add("category", unknown("category", category))
        }
        checkPerson(ownerID, "owner_id", in: community, &problems)
    }

    /// The events at it. When it is gone they are at a public place, which is where it was.
    public func mentions(in community: Community, after slug: Slug?) -> [AnyRecord] {
        community.events.inOrderOfID.filter { $0.value.business == self.slug }.map { record in
            var event = record.value
            event.business = slug
            if slug == nil { (event.latitude, event.longitude) = (latitude, longitude) }
            return .event(event)
        }
    }
}
