import Bytes
import SookeModel
import Store

/// Confirmations: who last said that hours and data of a business are right, and when.
extension TownService {
    package func confirmBusiness(_ slug: Slug, for context: RequestContext) -> Transaction<Outcome> {
        once(for: context, .businessEditor, at: slug) { [self] transaction in
            let id = try business(slug, matching: context.precondition, in: transaction.town).id
            return try transaction.confirm(id, by: context.caller.personID, at: clock())
        }
    }

    /// With it somebody confirms the data of a business, once and without an account.
    package func issueConfirmationLink(
        _ slug: Slug, for context: RequestContext
    ) async throws(ServiceError) -> IssuedCredential {
        let (token, clock) = (try Token.make(.confirmation), expiryClock)
        return try await run(
            once(for: context, .businessOwner, at: slug) { transaction in
                guard let business = transaction.town.businesses[slug] else {
                    throw ServiceError.notFound(.record(.business))
                }
                let open = transaction.town.credentials.about(business: business.id).filter {
                    $0.purpose == .confirmation
                }
                for link in open.dropLast(AccountLimits.standard.confirmationLinks - 1) {
                    transaction.deleteCredential(link.id)
                }
                var credential = Credential(.confirmation, token, at: clock.now(), lasting: 30 * 86_400)
                (credential.business, credential.person) = (business.id, context.caller.personID)
                credential.setCreator(context.caller, in: transaction.town)
                return transaction.issue(token, credential, for: context)
            }, for: context)
    }

    /// The transaction throws `deadLink` when the link is not valid: it was used or has expired, its business was
    /// deleted, or its creator may no longer edit the business.
    package func confirmBusiness(byLink text: String, for context: RequestContext) -> Transaction<Outcome> {
        // Who made links counts for what they are used for.
        let creator = Token(text: text.utf8).flatMap { context.town.credentials[digest: $0.digest]?.createdBy }
        let payers = context.payers(for: .local) + (creator.map { [.account($0)] } ?? [])
        return Transaction(for: context, by: .local, .anyone, payers: payers) { [self] transaction in
            let town = transaction.town
            let link = try link(text, for: .confirmation, in: town)
            guard let business = link.business.flatMap({ town.businesses[$0] }),
                town.mayConfirm(business, link.createdBy)
            else { throw ServiceError.deadLink }
            context.subject?.set(link)
            transaction.deleteCredential(link.id)
            return try transaction.confirm(business.id, by: nil, at: clock())
        }
    }
}

extension Town {
    /// The owner of the data folder is nobody.
    fileprivate func mayConfirm(_ business: BusinessRecord, _ creator: Int?) -> Bool {
        guard let creator else { return true }
        return self.people[creator].map { $0.role == .superAdmin || business.isManaged(by: $0) } ?? false
    }
}

extension WriteTransaction {
    mutating func confirm(
        _ id: Int, by person: Int?, at moment: Timestamp
    ) throws(WriteError) -> Outcome {
        var patch = Patch<Business>()
        (patch.values.confirmedAt, patch.values.confirmedBy) = (moment, person)
        patch.fields = ["confirmed_at", "confirmed_by"]
        try update(id, patch)
        guard let business = town.businesses[id] else { throw .notFound }
        return .updated(business.joined(in: town))
    }
}

package struct ConfirmationsDue: Sendable {
    package enum Reason: String, ChoiceValue {
        /// Not confirmed for a year.
        case year
        /// Without confirmed hours for the next public holiday.
        case holiday
    }

    /// Those that were not confirmed for the longest time first, those that never were by name.
    package let page: Page<BusinessRecord>
    /// Within 30 days; nil when there is none.
    package let holiday: (name: String, date: CivilDate)?

    /// How long a confirmation counts.
    static let days = 365
    /// How long before a holiday its hours are to be confirmed.
    static let daysBeforeHoliday = 30
}

extension TownService {
    /// Of the businesses that the caller may edit.
    package func confirmationsDue(
        _ reason: ConfirmationsDue.Reason, page request: PageRequest, for caller: Caller, in town: Town
    ) -> ConfirmationsDue {
        let now = clock()
        let clocks = clocks(of: town)
        let holiday = clocks.nextHoliday(from: clocks.zone.localDate(at: now).date)
        let isEditor = caller.isEditor(in: town)
        let person = caller.person(in: town)
        let days = reason == .year ? ConfirmationsDue.days : ConfirmationsDue.daysBeforeHoliday
        let limit = now.advanced(bySeconds: -days * 86_400)
        var known: [String: Bool] = [:]
        guard isEditor || person.map({ $0.role != .generalUser }) ?? false else {
            return ConfirmationsDue(page: Page(of: [], request), holiday: holiday)
        }
        let due = town.listedBusinesses.filter { business in
            guard isEditor || person.map(business.isManaged) ?? false else { return false }
            guard business.confirmedAt.map({ $0 < limit }) ?? true else { return false }
            return reason == .year || holiday.map { business.hasRegularHours(onHoliday: $0.date, &known) } ?? false
        }
        return ConfirmationsDue(page: Page(of: due.sortedByConfirmation, request), holiday: holiday)
    }

}

extension TownClocks {
    fileprivate func nextHoliday(from today: CivilDate) -> (name: String, date: CivilDate)? {
        for day in 0...ConfirmationsDue.daysBeforeHoliday {
            let date = today.advanced(by: day)
            if let name = holidays.name(on: date) { return (name, date) }
        }
        return nil
    }
}

extension [BusinessRecord] {
    /// Those that were never confirmed stay in their order.
    fileprivate var sortedByConfirmation: [BusinessRecord] {
        let earliest = Timestamp.beginningOfTime
        return sorted { ($0.confirmedAt ?? earliest) < ($1.confirmedAt ?? earliest) }
    }
}
