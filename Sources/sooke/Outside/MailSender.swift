import Bytes
import Platform
import Service

struct OutgoingMail: Sendable {
    let id: Int
    let to: String
    let bytes: [UInt8]
}

struct MailSender {
    let take: () throws(CommandError) -> OutgoingMail?
    let send: (OutgoingMail) -> MailReport
    let report: (MailReport) throws(CommandError) -> Void
    let console: Console

    /// After a message that was not taken: the next one would probably fare no better.
    private static let pause = Duration.seconds(10)

    /// False when none is due.
    func sendNext() throws(CommandError) -> Bool {
        guard let mail = try take() else { return false }
        let result = send(mail)
        func tell() throws(CommandError) -> Bool {
            try report(result)
            return false
        }
        // What was sent must not be sent again.
        try WorkLoop.run([tell], until: .done, console)
        if result.outcome == .sent { return true }
        console.log(.warning, "message \(mail.id) was not sent: \(result.words.withoutAddresses)")
        if result.outcome == .failed { Thread.sleep(Self.pause) }
        return true
    }
}

extension MailSender {
    /// Sends by a program of this machine with the interface of `sendmail -t`.
    init(_ service: TownService, program: String, _ console: Console) {
        self.console = console
        take = { () throws(CommandError) in
            try CommandError.translating { try waitFor { try await service.takeMail(from: nil) } }
                .map { OutgoingMail(id: $0.id, to: $0.to, bytes: $0.bytes) }
        }
        send = { mail in
            let (output, failure) = Subprocess.run(program, ["-t", "-i"], input: mail.bytes, timeLimit: 60_000)
            guard let failure else { return MailReport(mail.id, .sent) }
            let said = String(decoding: output, as: UTF8.self).split(whereSeparator: \.isNewline).last
            return MailReport(mail.id, .failed, words: "\(program): \(failure)\(said.map { ": \($0)" } ?? "")")
        }
        report = { report throws(CommandError) in
            try CommandError.translating { try waitFor { try await service.reportMail(report) } }
        }
    }

    init(_ server: SMTPServer, from: String, _ curl: Curl, _ client: OutsideClient, _ console: Console) {
        self.console = console
        take = { () throws(CommandError) in
            let target = "\(OutsideSocket.due)?from=\(PercentCoding.encode(from.utf8))"
            guard let mail = try client.ask(AdminCall(.get, target)), let id = mail.number("id") else { return nil }
            return OutgoingMail(id: id, to: try mail.required("to"), bytes: Array(try mail.required("message").utf8))
        }
        send = { mail in
            let (output, failure) = curl.run(server.options(from: from, to: mail.to), upload: mail.bytes)
            let talk = SMTPConversation(String(decoding: output, as: UTF8.self), failure: failure)
            return MailReport(mail.id, talk.outcome, words: talk.words, conversation: talk.text)
        }
        report = { report throws(CommandError) in
            let members = [
                ("id", "\(report.id)"), ("outcome", report.outcome.rawValue), ("words", report.words),
                ("conversation", report.conversation),
            ]
            _ = try client.ask(AdminCall(.post, OutsideSocket.result, members))
        }
    }
}
