import Bytes
import Platform
import SookeModel
import Store

/// Who gets what: each message is put into the queue in the commit that is its reason, and what the clock is the reason
/// of, once a day.
extension TownService {
    private static let mostDeciders = 20

    /// Who decides hears of what waits, at most once an hour: the owner of its place, else who decides for the town.
    func tellDeciders(
        at business: BusinessRecord?, notTo sender: Int?, in transaction: inout WriteTransaction, at now: Timestamp
    ) {
        let town = transaction.town
        let deciders =
            town.manager(of: business).map { [$0] }
            ?? town.people.inOrderOfID.filter { $0.role == .editor || $0.role == .superAdmin }
        for person in deciders.prefix(Self.mostDeciders) where person.id != sender {
            let earlier = town.mails.of(person: person.id).filter { $0.topic == .waiting }
            if earlier.contains(where: { $0.state == .waiting }) { continue }
            var mail = Mail(.waiting, to: person.id, at: now)
            if let last = earlier.compactMap(\.doneAt).max() { mail.dueAt = max(now, last.advanced(bySeconds: 3600)) }
            queue(mail, in: &transaction)
        }
    }

    func tellSubmitter(of id: Int, notTo decider: Int?, in transaction: inout WriteTransaction, at now: Timestamp) {
        guard let event = transaction.town.events[id]?.value, event.status == .approved,
            let person = event.submittedBy, person != decider
        else { return }
        queue(Mail(.published, to: person, about: id, at: now), in: &transaction)
    }

    /// The private link of what somebody without an account has sent: one message, and few in a day.
    func sendReference(
        _ reference: Credential, of proposal: Proposal, from network: ClientNetwork,
        in transaction: inout WriteTransaction,
        at now: Timestamp
    ) {
        guard let email = proposal.email, proposal.isOfStranger, limits.admitMail(from: network) else { return }
        var mail = Mail(.reference, to: nil, email: email, about: proposal.id, at: now)
        mail.credential = reference.id
        queue(mail, in: &transaction)
    }

    private static let (daysBeforeHoliday, daysConfirmed) = (14, 183)

    /// Asks owners about the next holiday, and about places of which nobody has confirmed the details for half a year.
    func askOwners(in transaction: inout WriteTransaction, at now: Timestamp) throws {
        let town = transaction.town
        let clock = openHoursClock(of: town, at: now)
        let holiday = clock.moment.holidays(within: Self.daysBeforeHoliday).first { $0.date > clock.moment.date }?.date
        let limit = now.advanced(bySeconds: -Self.daysConfirmed * 86_400)
        var (asked, count) = (Set<Int>(), 0)
        for business in town.listedBusinesses {
            guard let owner = town.manager(of: business) else { continue }
            // With some time between them: links that people wait for come first.
            var mail = Mail(.holiday, to: owner.id, about: holiday?.daysSinceEpoch, at: now)
            mail.dueAt = now.advanced(bySeconds: count * 60)
            let earlier = transaction.town.mails.of(person: owner.id)
            if let holiday, town.asks(about: holiday, at: business, clock),
                !earlier.contains(where: { $0.topic == .holiday && $0.about == mail.about })
            {
                count += queue(mail, in: &transaction) == nil ? 0 : 1
            }
            let last = business.confirmedAt ?? business.times.created ?? .epoch
            (mail.topic, mail.about) = (.confirmation, business.id)
            let isAsked = earlier.contains { $0.topic == .confirmation && $0.about == mail.about && $0.madeAt > limit }
            guard last < limit, !isAsked, !owner.refuses(.confirmation), asked.insert(owner.id).inserted
            else { continue }
            let token = try Token.make(.confirmation)
            var link = Credential(.confirmation, token, at: now, lasting: 30 * 86_400)
            (link.business, link.person, link.createdBy) = (business.id, owner.id, owner.id)
            mail.credential = transaction.put(link).id
            count += queue(mail, in: &transaction) == nil ? 0 : 1
        }
    }

    package func business(toConfirm text: String, in town: Town) throws(ServiceError) -> BusinessRecord {
        let business = try link(text, for: .confirmation, in: town).business.flatMap { town.businesses[$0] }
        guard let business else { throw .deadLink }
        return business
    }

    package func setMail(
        _ wanted: [Mail.Topic], of choices: [Mail.Topic], for context: RequestContext
    ) -> Transaction<Void> {
        Transaction(for: context, .member) { transaction in
            guard let person = context.caller.person(in: transaction.town) else { throw ServiceError.noAccount }
            let off = Mail.Topic.allCases.filter { topic in
                choices.contains(topic) ? !wanted.contains(topic) : person.refuses(topic)
            }
            try transaction.setMailOff(off, of: person.id)
        }
    }
}

extension Town {
    /// The owner of a place, if they may change it.
    func manager(of business: BusinessRecord?) -> Person? {
        guard let business, let owner = business.ownerID.flatMap({ self.people[$0] }) else { return nil }
        return business.isManaged(by: owner) ? owner : nil
    }

    /// Whether an owner answers for each holiday, and has not for this one.
    func asks(about date: CivilDate, at business: BusinessRecord, _ clock: OpenHoursClock) -> Bool {
        business.value.publicHolidays == .ask && business.isUnconfirmed(on: date, at: clock)
    }
}
