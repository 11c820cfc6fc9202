import Bytes
import SookeModel
import Store

/// E-mail: a change puts it into the queue, in the same commit; whoever sends takes one message at a time and says what
/// became of it.
extension TownService {
    /// Whether what is put into the queue will leave it: somebody sends, or has sent and is not silent for a day.
    package func sendsMail(in town: Town) -> Bool {
        if mail.program != nil { return true }
        guard town.settings.mailFrom != nil else { return false }
        if let seconds = mail.secondsSinceAsked, seconds < 86_400 { return true }
        let oldest = town.mails.due(limit: 1).first
        return oldest.map { clock() < $0.dueAt.advanced(bySeconds: 86_400) } ?? true
    }

    package var sendsMail: Bool { sendsMail(in: store.current.town) }

    /// Nil when nothing sends, too many wait, or its receiver does not want it.
    @discardableResult
    func queue(_ message: Mail, in transaction: inout WriteTransaction) -> Mail? {
        let town = transaction.town
        guard sendsMail(in: town), town.mails.waitingCount < MailQueue.mostWaiting else { return nil }
        if let person = message.person, message.email == nil {
            guard let person = town.people[person], !person.refuses(message.topic) else { return nil }
        } else if message.topic != .test, town.mails.isStopped(key.digest(ofAddress: message.email ?? "")) {
            return nil
        }
        return transaction.put(message)
    }

    /// For the one who sends; nil when nothing is due, or as many as may be were sent in the last hour.
    ///
    /// - Parameter address: from which `sooke outside` sends; nil for a program that this server runs.
    package func takeMail(from address: String?) async throws(ServiceError) -> MailMessage? {
        if (address == nil) != (mail.program != nil) { throw .forbidden }
        let transaction = Transaction<MailMessage?>.ofServer { [self] transaction in
            let now = expiryClock.now()
            if let address, transaction.town.settings.mailFrom?.hasSameBytes(as: address) != true {
                var patch = Patch<Settings>()
                (patch.values.mailFrom, patch.fields) = (address, ["mail_from"])
                try transaction.upsert(patch)
            }
            if mail.beginAsking(on: clocks(of: transaction.town).zone.localDate(at: now).date) {
                deleteOldMails(in: &transaction, at: now)
                try askOwners(in: &transaction, at: now)
            }
            return try next(in: &transaction, at: now)
        }
        return try await run(transaction)
    }

    /// What was asked is known for longer, so that it is not asked again.
    private func deleteOldMails(in transaction: inout WriteTransaction, at now: Timestamp) {
        let asked = now.advanced(bySeconds: -MailQueue.askedSeconds)
        let end = now.advanced(bySeconds: -MailQueue.storedSeconds)
        let old = transaction.town.mails.done(in: Timestamp.beginningOfTime..<end).reversed()
            .filter { mail in (mail.topic != .holiday && mail.topic != .confirmation) || mail.madeAt < asked }
        for mail in old.prefix(1_000) { transaction.deleteMail(mail.id) }
    }

    private func next(in transaction: inout WriteTransaction, at now: Timestamp) throws -> MailMessage? {
        // Those of a later time were sent before the clock was set back.
        let hour = now.advanced(bySeconds: -3600)..<now.advanced(bySeconds: 86_400)
        let sent = transaction.town.mails.done(in: hour).count { $0.state == .sent }
        let end = now.advanced(bySeconds: 1)
        if sent >= mail.perHour { return nil }
        for message in transaction.town.mails.due(before: end, limit: 100) where mail.lease(message.id) {
            guard let whole = try self.message(of: message, in: &transaction, at: now) else {
                // What it was about is done.
                transaction.deleteMail(message.id)
                continue
            }
            let isLate = now >= message.madeAt.advanced(bySeconds: MailQueue.waitSeconds)
            if !isLate, MailMessage.isAddress(whole.to) { return whole }
            let words = isLate ? message.words ?? "nothing sent it within a week" : "its address is no mail address"
            transaction.put(message.done(.failed, words, at: now))
        }
        return nil
    }

    /// One that was sent, or will never be, stays as a record without its address. Others are tried again, after a
    /// minute and then ever later.
    package func reportMail(_ report: MailReport) async throws(ServiceError) {
        let transaction = Transaction<Void>.ofServer { [self] transaction in
            let now = expiryClock.now()
            guard var message = transaction.town.mails[report.id], message.state == .waiting else { return }
            let (isSent, isTest) = (report.outcome == .sent, message.topic == .test)
            let isOver = report.outcome != .failed || message.tries + 1 >= MailQueue.mostTries
            message.words =
                isTest ? "\(report.words)\n\(report.conversation)" : isSent ? nil : report.words.withoutAddresses
            message.dueAt = now.advanced(bySeconds: min(4 * 3600, 60 << min(message.tries, 20)))
            message.tries += 1
            mail.endLease(report.id)
            if isOver { message = message.done(isSent ? .sent : .failed, message.words, at: now) }
            transaction.put(message)
        }
        try await run(transaction)
    }

    /// To an address that an administrator types.
    package func sendTestMail(to address: String, for context: RequestContext) -> Transaction<Int> {
        Transaction(for: context, .superAdmin) { [self] transaction in
            guard MailMessage.isAddress(address) else {
                throw ServiceError.invalid("email", "must be an e-mail address like name@example.org")
            }
            let message = Mail(.test, to: nil, email: address, at: expiryClock.now())
            guard let queued = queue(message, in: &transaction) else { throw ServiceError.overloaded }
            return queued.id
        }
    }

    package func mailStatus(in town: Town) -> MailStatus {
        let week = clock().advanced(bySeconds: -604_800)
        return MailStatus(
            program: mail.program, address: mail.program == nil ? town.settings.mailFrom : nil,
            secondsSinceAsked: mail.secondsSinceAsked, waiting: town.mails.waitingCount,
            failed: Array(town.mails.done(in: week..<Timestamp.endOfTime).filter { $0.state == .failed }.prefix(100)),
            trouble: town.mails.trouble)
    }
}

package struct MailStatus: Sendable {
    /// How long whoever sends may be silent, in seconds: one round every quarter of an hour is often enough.
    private static let silence = 1_200

    let program, address: String?
    package let secondsSinceAsked: Int?
    package let waiting: Int
    /// In the last seven days, the last one first.
    package let failed: [Mail]
    /// What was said when the last message could not be sent; nil when it was sent.
    let trouble: String?

    package var isSending: Bool { secondsSinceAsked.map { $0 < Self.silence } ?? false }

    package var text: String {
        guard isSending else {
            return address.map { "nothing sends; it was sooke outside, from \($0)" } ?? "nothing sends"
        }
        let count = failed.isEmpty ? "" : ", \(failed.count) failed in the last week"
        return "sent by \(program ?? "sooke outside")\(address.map { " from \($0)" } ?? ""); \(waiting) waiting\(count)"
    }
}

extension Table<Mail> {
    fileprivate var trouble: String? {
        let last = done().first
        let tried = due(limit: 100).first { $0.tries > 0 }
        let isLater = tried.map { tried in last?.doneAt.map { $0 < tried.madeAt } ?? true } ?? false
        guard isLater || last?.state == .failed else { return nil }
        return ((isLater ? tried : last)?.words ?? "").split(separator: "\n").first.map(String.init)
            ?? "no reason given"
    }
}

extension String {
    /// No address of somebody without an account stays when their message is done.
    package var withoutAddresses: String {
        split(separator: " ").map { $0.utf8.contains(UInt8(ascii: "@")) ? "(address)" : $0 }.joined(separator: " ")
    }
}

extension Person {
    package func refuses(_ topic: Mail.Topic) -> Bool { mailOff.contains(where: topic.rawValue.hasSameBytes) }
}

extension StoreKey {
    func digest(ofAddress text: String) -> String { code(of: "address \(text.lowercased())") }
}
