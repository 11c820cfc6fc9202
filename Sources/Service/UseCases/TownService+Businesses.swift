import SookeModel
import Store

/// A record that was looked up by a slug.
package enum Located<Record> {
    case found(Record)
    /// The slug of the record that had the slug before.
    case moved(Slug)
}

extension Slug {
    /// With its accents composed, as most are written; nil when it is the same. Some systems decompose the accents in
    /// an address.
    package var composed: Slug? {
        let composed = Slug(String(decoding: text._nfcCodeUnits, as: UTF8.self))
        return composed == self ? nil : composed
    }
}

extension TownService {
    /// One without a category is visible to its owner and editors only.
    package func business(
        _ slug: Slug, for caller: Caller, in town: Town
    ) throws(ServiceError) -> Located<BusinessRecord> {
        if let business = town.businesses[slug], business.isVisible(to: caller, in: town) {
            return .found(business)
        }
        if let moved = town.businesses[formerly: slug], moved.categoryID != nil { return .moved(moved.slug) }
        guard let composed = slug.composed else { throw .notFound(.record(.business)) }
        switch try business(composed, for: caller, in: town) {
        case .found(let business): return .moved(business.slug)
        case .moved(let slug): return .moved(slug)
        }
    }

    package func createBusiness(_ input: PatchInput<Business>, for context: RequestContext) -> Transaction<Outcome> {
        once(for: context, .editor) { [self] transaction in
            var (patch, problems) = try context.restricted(input, in: transaction.town)
            checkTimeZone(patch.values.timeZone, &problems)
            problems.add(consequences: patch.values.problemsWithIDs(of: nil))
            try transaction.requireNone(of: problems) { [patch] trial throws(WriteError) in try trial.create(patch) }
            let id = try transaction.create(patch).id
            return .created(try transaction.town.joined(Business.self, id: id))
        }
    }

    package func updateBusiness(
        _ slug: Slug, _ input: PatchInput<Business>, confirms: Bool = false, for context: RequestContext
    ) -> Transaction<Outcome> {
        once(for: context, .businessEditor, at: slug) { [self] transaction in
            let business = try business(slug, matching: context.precondition, in: transaction.town)
            var (patch, problems) = try context.restricted(input, in: transaction.town)
            checkTimeZone(patch.values.timeZone, &problems)
            problems.add(consequences: patch.values.problemsWithIDs(of: business))
            try transaction.requireNone(of: problems) { [patch] trial throws(WriteError) in
                try trial.update(business.id, patch)
            }
            try transaction.update(business.id, patch)
            if confirms { return try transaction.confirm(business.id, by: context.caller.personID, at: clock()) }
            return .updated(try transaction.town.joined(Business.self, id: business.id))
        }
    }

    /// Its events stay at its location.
    package func deleteBusiness(_ slug: Slug, for context: RequestContext) -> Transaction<Outcome> {
        once(for: context, .editor, at: slug) { [self] transaction in
            try transaction.deleteBusiness(
                try business(slug, matching: context.precondition, in: transaction.town).id)
            return .deleted
        }
    }

    func business(
        _ slug: Slug, matching precondition: Precondition, in town: Town
    ) throws(ServiceError) -> BusinessRecord {
        guard let business = town.businesses[slug] else { throw .notFound(.record(.business)) }
        try precondition.require(business, in: town)
        return business
    }
}

extension RequestContext {
    /// - Throws: `forbidden` when the caller was a super admin when the request arrived, and may not set all of them
    ///   now.
    fileprivate func restricted(
        _ input: PatchInput<Business>, in town: Town
    ) throws(ServiceError) -> (patch: Patch<Business>, problems: FieldProblems) {
        if caller.isSuperAdmin(in: town) { return input.restricted(to: SettableFields.business) }
        let fields = caller.isEditor(in: town) ? SettableFields.editedBusiness : SettableFields.ownBusiness
        if isSuperAdmin, !input.patch.fields.isSubset(of: fields) { throw .forbidden }
        return input.restricted(to: fields)
    }
}

extension Business {
    /// For rows of hours, menus and items with IDs other than their existing ones. Only the server assigns new IDs: a
    /// client that chose the highest possible one would leave none for others.
    func problemsWithIDs(of existing: BusinessRecord?) -> FieldProblems {
        var problems = FieldProblems()
        if hours.isEmpty, menus.isEmpty { return problems }
        let existing = existing?.value ?? Business()
        problems.require(hours.map(\.id), of: existing.hours.map(\.id), in: "hours")
        problems.require(menus.map(\.id), of: existing.menus.map(\.id), in: "menus")
        for (index, menu) in menus.enumerated() {
            let before = existing.menus.first { $0.id == menu.id }
            problems.require(
                menu.items.map(\.id), of: before?.items.map(\.id) ?? [], in: "menus[\(index)].items")
        }
        return problems
    }
}

extension FieldProblems {
    fileprivate mutating func require(_ ids: [Int], of known: [Int], in place: String) {
        for (index, id) in ids.enumerated() where id != 0 && !known.contains(id) {
            add("\(place)[\(index)].id", "there is no \(id) here; leave it out to get a new ID")
        }
    }
}

extension TownService {
    /// The other one stays; see `WriteTransaction.mergeBusiness`. Only a super admin gives it an owner by that.
    package func mergeBusinesses(_ slug: Slug, into other: Slug, for context: RequestContext) -> Transaction<Outcome> {
        once(for: context, .editor) { [self] transaction in
            let town = transaction.town
            let business = try business(slug, matching: context.precondition, in: town)
            guard let target = town.businesses[other] ?? town.businesses[formerly: other] else {
                throw ServiceError.invalid("slug", "is not the slug of a place")
            }
            let merged = try transaction.mergeBusiness(
                business.id, into: target.id, keepsOwner: context.caller.isSuperAdmin(in: town))
            return .updated(try transaction.town.joined(Business.self, id: merged.id))
        }
    }

    /// Without those that the town has.
    package func addStarterTerms(for context: RequestContext) -> Transaction<Void> {
        Transaction(for: context, .editor) { transaction in StarterTerms.create(in: &transaction) }
    }
}
