import Bytes
import SookeModel

extension WriteTransaction {
    /// Joins a business with another one, which stays: it gets the events of the first, what it lacks of its fields,
    /// and its slugs as former ones, so that old addresses lead to it. Proposals to change the first are displaced.
    ///
    /// - Parameter keepsOwner: whether the other one gets the owner of the first if it has none.
    /// - Throws: `notFound`; `invalid` when both are the same, and when what is joined is too large.
    @discardableResult
    package mutating func mergeBusiness(_ id: Int, into other: Int, keepsOwner: Bool) throws(WriteError) -> Business {
        guard let business = Business.find(id, in: town),
            let existing = Business.find(other, in: town).map(Existing.init)
        else { throw .notFound }
        guard id != other else {
            var problems = FieldProblems()
            problems.add("slug", "is this place itself; choose another one")
            throw .invalid(problems)
        }
        var merged = existing.record
        merged.fillGaps(from: business, keepsOwner: keepsOwner)
        for slug in business.formerSlugs + [business.slug] where slug != merged.slug {
            merged.formerSlugs.appendFormer(slug)
        }
        try completeOrThrow(&merged, after: existing)
        closeLinksAndProposals(ofBusiness: id, movingTo: other)
        moveEvents(from: business, to: merged, zoneBefore: existing.record.timeZone)
        append(.delete(.business, id: id))
        write(merged, after: existing)
        return merged
    }

    /// Series at both keep their clocks, where those of the place are others now.
    private mutating func moveEvents(from business: Business, to merged: Business, zoneBefore: String?) {
        let zoneOfTown = town.settings.timeZone
        let zones = [business.slug: business.timeZone, merged.slug: zoneBefore]
        for record in town.events.inOrderOfID {
            var event = record.value
            guard let slug = event.business, let own = zones[slug] else { continue }
            let before = own ?? zoneOfTown
            let keepsZone = before != merged.timeZone ?? zoneOfTown && event.hasSeries && event.timeZone == nil
            if keepsZone { event.timeZone = before }
            event.business = merged.slug
            if keepsZone || slug != merged.slug { append(.put(AnyRecord(event))) }
        }
    }
}

extension Business {
    /// What a record keeps when another one is joined with it; a time zone comes with its hours.
    private static let kept: FieldSet<Business> = [
        "id", "name", "slug", "former_slugs", "confirmed_at", "confirmed_by", "time_zone",
    ]
    /// Fields of which none is taken when there is one of the others.
    private static let wholes: [FieldSet<Business>] = [
        ["latitude", "longitude"], ["hours", "opening_hours", "special_hours"],
    ]

    fileprivate mutating func fillGaps(from other: Business, keepsOwner: Bool) {
        var visitor = EmptyFields(subject: self)
        Self.visit(&visitor)
        var gaps = visitor.found.subtracting(keepsOwner ? Self.kept : Self.kept.union(["owner_id"]))
        for whole in Self.wholes where !whole.isSubset(of: gaps) { gaps = gaps.subtracting(whole) }
        let hasHours = !other.hours.isEmpty || other.openingHours != nil
        if timeZone == nil, hasHours, gaps.contains("hours") { gaps.insert("time_zone") }
        take(gaps, from: other)
    }
}

private struct EmptyFields: FieldVisitor {
    typealias Subject = Business

    let subject: Business
    private(set) var found = FieldSet<Business>()
    private var index = 0

    init(subject: Business) { self.subject = subject }

    mutating func field<Value: FieldValue>(
        _ name: StaticString, _ path: WritableKeyPath<Business, Value>, _ rule: Value.Rule, _ options: FieldOptions,
        _ explanation: StaticString
    ) {
        let value = subject[keyPath: path]
        if value.isNothing || value.cell?.isEmpty ?? false { found.insert(index) }
        index += 1
    }
}
