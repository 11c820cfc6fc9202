import Bytes
import HTTP
import JSON
import Platform
import Service

extension Command {
    private static let socket = Parameter.option(
        "socket", "PATH", ValueSyntax.file, default: "/run/sooke/outside.sock", help: "The socket of the server.")
    private static let mail = Parameter<SMTPServer?>.optional(
        "mail", "URL", ValueSyntax.mailServer,
        help: "The mail server: smtps://USER@HOST, or smtp://USER@HOST with STARTTLS, and without TLS on this machine.")
    private static let from = Parameter<String?>.optional(
        "mail-from", "ADDRESS", ValueSyntax.mailAddress,
        help: "The address from which it is sent, without it the USER, if that is one.")
    private static let password = Parameter<String?>.optional(
        "mail-password-file", "FILE", ValueSyntax.file, help: "The file with the USER's password in its first line.")
    private static let authority = Parameter<String?>.optional(
        "mail-ca", "FILE", ValueSyntax.file, help: "Certificates to trust instead of the machine's, as PEM.")
    private static let follow = Parameter.flag("follow", help: "Goes on, and sends what comes; without it one round.")

    static let outside = Command(
        name: "outside",
        summary: "Send the e-mail of a town",
        discussion: [
            """
            The server opens no connection to other machines. This command does, as a user of its own that cannot read \
            the data folder: it asks the server for messages, hands each to the mail server, and reports what became \
            of it. It runs curl, which must be installed.
            """
        ],
        parameters: [socket, mail, from, password, authority, follow],
        examples: [
            Example(
                "sooke outside --mail smtps://a%40b.example@smtp.example --follow",
                "Sends by a provider, as a@b.example."),
            Example("sooke outside --mail smtp://localhost --mail-from a@b.example", "Sends what waits, once."),
        ],
        exitCodes: [.success, .noInput, .unavailable, .notPermitted, .inputOutput, .configuration]
    ) { invocation in
        let console = invocation.console
        guard let server = try invocation[mail] else {
            console.log(.info, "there is nothing to do without --mail: see `sooke outside --help`")
            return .success
        }
        guard let from = try invocation[from] ?? server.user.flatMap({ MailMessage.isAddress($0) ? $0 : nil }) else {
            throw CommandError(.usage, "the address of the sender is missing: add --mail-from ADDRESS")
        }
        guard let program = CurlMail.find(console.environment["PATH"]) else {
            throw CommandError(.configuration, "curl is missing, which sends the e-mail; install it: apt install curl")
        }
        var curl = CurlMail(program: program, server: server)
        curl.authority = try invocation[authority]
        if let name = try invocation[password] {
            let line = try InputFile.read(name, console).prefix { $0 != ASCII.lineFeed && $0 != ASCII.carriageReturn }
            guard let text = String(validating: line, as: UTF8.self), !text.isEmpty else {
                throw CommandError(.noInput, "\(name) has no password in its first line")
            }
            curl.password = text
        }
        var round = MailRound(curl: curl, from: from, socket: try invocation[socket], console: console)
        try round.run(follows: try invocation[follow])
        return .success
    }
}

extension ValueSyntax where Value == SMTPServer {
    fileprivate static let mailServer = Self(
        expectation: "an address such as smtps://user@smtp.example, with %40 for @ in the user", completion: .none
    ) { SMTPServer($0) }
}

extension ValueSyntax where Value == String {
    fileprivate static let mailAddress = Self(expectation: "an e-mail address", completion: .none) {
        MailMessage.isAddress($0) ? $0 : nil
    }
}

/// Takes messages of a server and sends them, one after the other.
struct MailRound {
    let curl: CurlMail
    let from: String
    let socket: String
    let console: Console
    /// So that a problem that lasts is said once.
    private var lastProblem = ""

    private static let pause = Duration.seconds(2)
    /// After a message that the mail server did not take: the next one would probably fare no better.
    private static let pauseAfterFailure = Duration.seconds(10)

    init(curl: CurlMail, from: String, socket: String, console: Console) {
        (self.curl, self.from, self.socket, self.console) = (curl, from, socket, console)
    }

    /// Goes on after any problem, except where another sender has to be stopped first.
    mutating func run(follows: Bool) throws(CommandError) {
        while true {
            do throws(CommandError) {
                if try sendNext() { continue }
                if !follows { return }
            } catch {
                if !follows || error.code == .configuration { throw error }
                log(error.message)
            }
            Thread.sleep(Self.pause)
        }
    }

    /// False when none is due.
    private mutating func sendNext() throws(CommandError) -> Bool {
        let target = "\(OutsideSocket.due)?from=\(PercentCoding.encode(from.utf8))"
        let body = try ask(AdminCall(.get, target))
        if body.isEmpty {
            lastProblem = ""
            return false
        }
        let members = try ResponseMembers(body)
        let message = Array(try members.required("message").utf8)
        let talk = curl.send(message, from: from, to: try members.required("to"))
        let id = try members.required("id")
        let report = JSONWriter.object { writer in
            writer.member("id", Int(id))
            writer.member("outcome", talk.outcome.rawValue)
            writer.member("words", talk.words)
            writer.member("conversation", talk.text)
        }
        try deliver(report)
        if talk.outcome == .sent { return true }
        log("message \(id) was not sent: \(talk.words.withoutAddresses)")
        if talk.outcome == .failed { Thread.sleep(Self.pauseAfterFailure) }
        return true
    }

    /// Until the server has it: what was sent must not be sent again.
    private mutating func deliver(_ report: [UInt8]) throws(CommandError) {
        while true {
            do throws(CommandError) {
                _ = try ask(AdminCall(.post, OutsideSocket.result, body: report))
                return
            } catch {
                log(error.message)
                Thread.sleep(Self.pause)
            }
        }
    }

    private func ask(_ call: AdminCall) throws(CommandError) -> [UInt8] {
        var client = try AdminClient.connect(toOutside: socket)
        try client.send(call)
        let body = try client.body()
        if 200...299 ~= client.status { return body }
        let message = (try? ResponseMembers(body))?["error.message"] ?? "no reason given"
        throw CommandError(client.status == 409 ? .configuration : .unavailable, message)
    }

    private mutating func log(_ problem: String) {
        if problem != lastProblem { console.log(.warning, problem) }
        lastProblem = problem
    }
}
