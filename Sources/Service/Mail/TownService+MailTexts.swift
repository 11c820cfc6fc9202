import Bytes
import CFiles
import SookeModel
import Store

extension Mail.Topic {
    /// The lines of `mails.txt`: the name of the topic, its title on pages, the subject, an empty one, the text.
    private static let parts = String(cString: sooke_mails_txt()).split(separator: "=").map { part in
        part.split(separator: "\n", maxSplits: 4, omittingEmptySubsequences: false).map(String.init)
    }

    private var part: [String] { Self.parts.first { $0[0] == rawValue } ?? [] }

    package var title: String { part[1] }
    fileprivate var subject: String { part[2] }
    fileprivate var text: String { part[4] }
}

/// What messages say. It is written when they are sent: one that has become wrong is not.
extension TownService {
    /// A one-time link gets its secret now: a further one beside that of the record, for each try, because an earlier
    /// one may have arrived.
    func message(of mail: Mail, in transaction: inout WriteTransaction, at now: Timestamp) throws -> MailMessage? {
        var link: String?
        if let id = mail.credential {
            guard var credential = transaction.town.credentials[id], !accounts.isEnded(id),
                isInTime(credential, at: now), let kind = Self.kinds[credential.purpose]
            else { return nil }
            let token = try Token.make(kind)
            (credential.id, credential.digest) = (0, token.digest)
            transaction.put(credential)
            // That of a confirmation shows what is to be confirmed.
            link = kind == .confirmation ? "\(url)/confirm/\(token.reveal())" : self.link(for: token)
        }
        let (town, settings) = (transaction.town, transaction.town.settings)
        guard let to = mail.email ?? mail.person.flatMap({ town.people[$0]?.email }),
            var values = values(of: mail, in: town, at: now)
        else { return nil }
        (values["title"], values["url"], values["link"]) = (settings.title, url, link)
        var message = MailMessage(mail.id, from: self.mail.program == nil ? settings.mailFrom : nil, to: to)
        message.subject = mail.topic.subject.filled(values)
        (message.date, message.replyTo) = (now, settings.contactEmail)
        message.sender = settings.mailName ?? settings.title
        let host = url.split(separator: "/").last?.prefix { $0 != ":" } ?? "localhost"
        message.messageID = "\(key.code(of: "mail \(mail.id)"))@\(host)"
        message.stop = url + stopPath(of: mail, to: to)
        let foot = [message.sender, settings.mailAddress].compactMap(\.self).joined(separator: "\n")
        let text = mail.topic.text.filled(values)
        message.text = "\(text)\n-- \n\(foot)\n\nNo more e-mail of this kind: \(message.stop)\n"
        return message
    }

    private static let kinds: [Credential.Purpose: TokenKind] = [
        .invitation: .invitation, .passwordReset: .passwordReset, .confirmation: .confirmation, .reference: .reference,
    ]

    /// What stands in the text beside the town and the link; nil when there is nothing to say any more.
    private func values(of mail: Mail, in town: Town, at now: Timestamp) -> [String: String]? {
        switch mail.topic {
        case .invitation, .password, .reference, .test: return [:]
        case .waiting:
            guard let person = mail.person.flatMap({ town.people[$0] }) else { return nil }
            let count = waitingCount(of: Decider(person, in: town, at: now))
            if count == 0 { return nil }
            return ["count": count == 1 ? "One event or report waits" : "\(count) events and reports wait"]
        case .published:
            guard let event = mail.about.flatMap({ town.events[$0]?.value }), event.status == .approved
            else { return nil }
            return ["name": event.name, "slug": event.slug.text]
        case .holiday:
            let clock = openHoursClock(of: town, at: now)
            guard let date = mail.about.map({ CivilDate(daysSinceEpoch: $0) }), date > clock.moment.date,
                let name = clock.moment.holidays.name(on: date), let owner = mail.person
            else { return nil }
            let places = town.businesses.owned(by: owner).compactMap { town.businesses[$0] }
                .filter { town.asks(about: date, at: $0, clock) }
            if places.isEmpty { return nil }
            let list = places.prefix(20).map { "\($0.name)\n\(url)/account/businesses/\($0.slug)/hours" }
            return ["name": name, "date": date.text, "places": list.joined(separator: "\n\n")]
        case .confirmation:
            guard let business = mail.about.flatMap({ town.businesses[$0] }), let owner = mail.person,
                town.manager(of: business)?.id == owner
            else { return nil }
            let facts = [business.name, business.addressOrArea, business.value.phone, business.value.website]
            return [
                "name": business.name, "slug": business.slug.text,
                "facts": facts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "\n"),
            ]
        }
    }
}

/// The end of e-mail: an address that only this server can make, for a person or for who has an address, and a topic.
extension TownService {
    private func stopPath(of mail: Mail, to address: String) -> String {
        let person = mail.email == nil ? mail.person.map { "\($0)" } : nil
        let text = "\(person ?? key.digest(ofAddress: address)).\(mail.topic.rawValue)"
        return "/stop-mail/\(text).\(key.code(of: "stop \(text)"))"
    }

    /// What the end of such an address says; nil for another one.
    package func mailStop(_ code: String) -> MailStop? {
        let parts = code.split(separator: ".")
        guard parts.count == 3, let topic = Mail.Topic(named: String(parts[1])),
            key.code(of: "stop \(parts[0]).\(parts[1])").hasSameBytes(as: String(parts[2]))
        else { return nil }
        return MailStop(topic: topic, whom: String(parts[0]))
    }

    package func stopMail(_ stop: MailStop, for context: RequestContext) -> Transaction<Void> {
        Transaction(for: context, by: .local, .anyone, payers: context.payers(for: .local)) { [self] transaction in
            guard stop.whom.utf8.count < 20 else {
                if transaction.town.mails.isStopped(stop.whom) { return }
                var record = Mail(stop.topic, to: nil, email: stop.whom, at: expiryClock.now())
                record.state = .stopped
                transaction.put(record)
                return
            }
            guard let person = Int(stop.whom).flatMap({ transaction.town.people[$0] }) else { return }
            let off = Mail.Topic.allCases.filter { $0 == stop.topic || person.refuses($0) }
            try transaction.setMailOff(off, of: person.id)
        }
    }
}

package struct MailStop: Sendable {
    package let topic: Mail.Topic
    /// The ID of a person, or the digest of an address.
    let whom: String
}

extension WriteTransaction {
    mutating func setMailOff(_ topics: [Mail.Topic], of person: Int) throws(WriteError) {
        var patch = Patch<Person>()
        (patch.values.mailOff, patch.fields) = (topics.map(\.rawValue), ["mail_off"])
        try update(person, patch)
    }
}
