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
    mutating func confirm(_ id: Int, by person: Int?, at moment: Timestamp) throws(WriteError) -> Outcome {
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
        /// With hours for the next public holiday that nobody has confirmed.
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
    /// How far ahead all holidays are asked for together.
    package static let daysAhead = 60
}

extension TownService {
    /// Of the businesses that the caller may edit.
    package func confirmationsDue(
        _ reason: ConfirmationsDue.Reason, page request: PageRequest, for caller: Caller, in town: Town
    ) -> ConfirmationsDue {
        let now = clock()
        let clock = openHoursClock(of: town, at: now)
        let holiday = clock.moment.holidays(within: ConfirmationsDue.daysBeforeHoliday).first
        let isEditor = caller.isEditor(in: town)
        let person = caller.person(in: town)
        let limit = now.advanced(bySeconds: -ConfirmationsDue.days * 86_400)
        guard isEditor || person.map({ $0.role != .generalUser }) ?? false else {
            return ConfirmationsDue(page: Page(of: [], request), holiday: holiday)
        }
        let due = town.listedBusinesses.filter { business in
            guard isEditor || person.map(business.isManaged) ?? false else { return false }
            switch reason {
            case .year: return business.confirmedAt.map { $0 < limit } ?? true
            case .holiday: return holiday.map { business.isUnconfirmed(on: $0.date, at: clock) } ?? false
            }
        }
        return ConfirmationsDue(page: Page(of: due.sortedByConfirmation, request), holiday: holiday)
    }

    /// Says of a holiday that places are closed, or open as usual, where nobody has said anything yet; how many.
    package func confirmHoliday(
        on date: CivilDate, isClosed: Bool, at slugs: [Slug], for context: RequestContext
    ) -> Transaction<Int> {
        Transaction(for: context, .editor) { [self] transaction in
            let clock = openHoursClock(of: transaction.town, at: clock())
            let name = clock.moment.holidays.name(on: date) ?? ""
            var count = 0
            for case let business? in slugs.map({ transaction.town.businesses[$0] })
            where business.isUnconfirmed(on: date, at: clock) {
                guard let times = isClosed ? [] : business.usualTimes(on: date, at: clock) else { continue }
                var patch = Patch<Business>()
                patch.values.specialHours =
                    business.value.specialHours + SpecialHours.rows(of: times, from: date, to: date, reason: name)
                patch.fields = ["special_hours"]
                if patch.values.specialHours.count > SpecialHours.mostRows { continue }
                try transaction.update(business.id, patch)
                count += 1
            }
            return count
        }
    }
}

extension [BusinessRecord] {
    /// Those that were never confirmed stay in their order.
    fileprivate var sortedByConfirmation: [BusinessRecord] {
        let earliest = Timestamp.beginningOfTime
        return sorted { ($0.confirmedAt ?? earliest) < ($1.confirmedAt ?? earliest) }
    }
}
