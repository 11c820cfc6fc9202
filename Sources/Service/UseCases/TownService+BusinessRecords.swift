import SookeModel
import Store

/// Undoing the deletion of a business, and joining two records of one.
extension TownService {
    /// With its ID, its slug and its events; one that exists is unchanged.
    ///
    /// - Throws: `notFound` when it was never deleted, or so long ago that the history does not have it; `slugTaken`;
    ///   `limited`.
    package func restoreBusiness(_ id: Int, for context: RequestContext) async throws(ServiceError) -> Outcome {
        try Access.editor.check(context.caller, slug: nil, in: context.town)
        let deletion = try await limits.readLog(for: context.caller.personID) {
            try await store.writer.deletion(ofBusiness: id, isWanted: context.isWanted)
        }
        return try await run(
            once(for: context, .editor) { transaction in
                if !transaction.town.businesses.has(id: id) {
                    guard let deletion else { throw ServiceError.notFound(.record(.business)) }
                    try transaction.restore(deletion)
                }
                return .created(try transaction.town.joined(Business.self, id: id))
            }, for: context)
    }

    /// The other one stays; see `WriteTransaction.mergeBusiness`. Only a super admin gives it an owner by that.
    ///
    /// The transaction throws `invalid`, with a problem of `slug`, when there is no such other business.
    package func mergeBusinesses(
        _ slug: Slug, into other: Slug, for context: RequestContext
    ) -> Transaction<Outcome> {
        once(for: context, .editor) { [self] transaction in
            let town = transaction.town
            let business = try business(slug, matching: context.precondition, in: town)
            guard let target = town.businesses[other] ?? town.businesses[formerly: other] else {
                throw ServiceError.invalid("slug", "is the address of no place here")
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
