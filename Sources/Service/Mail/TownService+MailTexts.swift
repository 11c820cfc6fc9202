import Bytes
import SookeModel
import Store

/// What messages say. It is written when they are sent: one that has become wrong is not.
extension TownService {
    /// A one-time link gets its secret now: a further one beside that of the record, for each try, because an earlier
    /// one may have arrived.
    ///
    /// - Returns: nil when there is nothing to say any more.
    func message(of mail: Mail, in transaction: inout WriteTransaction, at now: Timestamp) throws -> MailMessage? {
        var link = ""
        if let id = mail.credential {
            guard var credential = transaction.town.credentials[id], !accounts.isEnded(id),
                isInTime(credential, at: now)
            else { return nil }
            let token = try Token.make(credential.purpose.tokenKind)
            (credential.id, credential.digest) = (0, token.digest)
            transaction.put(credential)
            // That of a confirmation shows what is to be confirmed.
            link = token.kind == .confirmation ? "\(url)/confirm/\(token.reveal())" : self.link(for: token)
        }
        let town = transaction.town
        guard let to = mail.email ?? mail.person.flatMap({ town.people[$0]?.email }),
            let (subject, text) = words(of: mail, link, in: town, at: now)
        else { return nil }
        let settings = town.settings
        var message = MailMessage(mail.id, from: self.mail.program == nil ? settings.mailFrom : nil, to: to)
        (message.subject, message.date, message.replyTo) = (subject, now, settings.contactEmail)
        message.sender = settings.mailName ?? settings.title
        message.messageID = "\(key.code(of: "mail \(mail.id)"))@\(host)"
        message.stop = url + stopPath(of: mail, to: to)
        let foot = [message.sender, settings.mailAddress].compactMap(\.self).joined(separator: "\n")
        message.text = "\(text)\n\n-- \n\(foot)\n\nNo more e-mail of this kind: \(message.stop)\n"
        return message
    }

    /// That of the site, without a port.
    private var host: String {
        let authority = url.split(separator: "/").last ?? "localhost"
        return String(authority.prefix { $0 != ":" })
    }

    private func words(
        of mail: Mail, _ link: String, in town: Town, at now: Timestamp
    ) -> (subject: String, text: String)? {
        let title = town.settings.title
        switch mail.topic {
        case .invitation:
            return (
                "Your account at \(title)",
                """
                You have been invited. Make your account here, within a week:

                \(link)

                If you own a place, we ask you by e-mail before holidays that you answer for one by one, and after \
                half a year whether its details are still correct. You can end that in your account.
                """
            )
        case .password:
            return (
                "A new password",
                "Set a new password here, within a day:\n\n\(link)\n\nIf you did not ask for it, do nothing."
            )
        case .test:
            return (
                "A test of the e-mail of \(title)",
                "This message was sent to try out the e-mail of \(title), \(url). It has arrived."
            )
        case .waiting, .published, .reference, .holiday, .confirmation:
            return words(of: mail, link: link, in: town, at: now)
        }
    }
}

/// The end of e-mail: an address that only this server can make, for a person or for who has an address, and a topic.
extension TownService {
    private func stopPath(of mail: Mail, to address: String) -> String {
        let whom = mail.email == nil ? mail.person.map { "\($0)" } : nil
        let text = "\(whom ?? key.digest(ofAddress: address)).\(mail.topic.rawValue)"
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
            let topics = person.mailOff.filter { !$0.hasSameBytes(as: stop.topic.rawValue) } + [stop.topic.rawValue]
            try transaction.setMailOff(topics, of: person.id)
        }
    }
}

package struct MailStop: Sendable {
    package let topic: Mail.Topic
    /// The ID of a person, or the digest of an address.
    let whom: String
}

extension WriteTransaction {
    mutating func setMailOff(_ topics: [String], of person: Int) throws(WriteError) {
        var patch = Patch<Person>()
        (patch.values.mailOff, patch.fields) = (topics, ["mail_off"])
        try update(person, patch)
    }
}

extension Credential.Purpose {
    fileprivate var tokenKind: TokenKind {
        switch self {
        case .session: .session
        case .apiToken: .api
        case .invitation: .invitation
        case .passwordReset: .passwordReset
        case .confirmation: .confirmation
        case .reference: .reference
        }
    }
}
