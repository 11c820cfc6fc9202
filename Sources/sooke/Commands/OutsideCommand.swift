import Bytes
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
        "ca", "FILE", ValueSyntax.file, help: "Certificates to trust instead of the machine's, as PEM.")
    private static let allowPrivate = Parameter.repeated(
        "allow-private", "HOST:PORT", ValueSyntax.text("a host with its port"),
        help: "Also fetches calendars of this host, if it is in a private network.")
    private static let follow = Parameter.flag("follow", help: "Goes on, and sends what comes; without it one round.")
    private static let parent = Parameter<Int?>.optional(
        "parent", "PID", .count(of: "a process", in: 1...1 << 22), help: "Ends with this process, which started it.")

    static let outside = Command(
        name: "outside",
        summary: "Send the e-mail of a town, and fetch calendars",
        discussion: [
            """
            The server opens no connection to other machines. This command does, as a user of its own that cannot read \
            the data folder: it asks the server for messages, hands each to the mail server, and reports what became \
            of it; and it fetches the calendars that are due. It runs curl, which must be installed.
            """
        ],
        parameters: [socket, mail, from, password, authority, allowPrivate, follow, parent],
        examples: [
            Example(
                "sooke outside --mail smtps://a%40b.example@smtp.example --follow",
                "Sends by a provider, as a@b.example."),
            Example("sooke outside --mail smtp://localhost --mail-from a@b.example", "Sends what waits, once."),
        ],
        exitCodes: [.success, .noInput, .unavailable, .notPermitted, .inputOutput, .configuration]
    ) { invocation in
        if let parent = try invocation[parent], !Supervisor.endWithParent(Int32(parent)) { return }
        let console = invocation.console
        let (curl, client) = (try Curl(console), OutsideClient(socket: try invocation[socket]))
        var calendars = CalendarFetcher(curl: curl, client: client, console: console)
        calendars.authority = try invocation[authority]
        calendars.privateHosts = Set(try invocation[allowPrivate])
        let mails = try mailSender(invocation, curl, client)
        let end: WorkLoop.End = try invocation[follow] ? .never : .doneOrFailed
        // Two calendars at once, beside the mail.
        let second = calendars
        let thread = try CommandError.translating {
            try Thread(name: "calendars") { try? WorkLoop.run([second.fetchNext], until: end, console) }
        }
        try WorkLoop.run([mails?.sendNext, calendars.fetchNext].compactMap(\.self), until: end, console)
        thread.join()
    }

    /// Nil without a mail server.
    private static func mailSender(
        _ invocation: Invocation, _ curl: Curl, _ client: OutsideClient
    ) throws(CommandError) -> MailSender? {
        let console = invocation.console
        guard var server = try invocation[mail] else { return nil }
        guard let from = try invocation[from] ?? server.user.flatMap({ MailMessage.isAddress($0) ? $0 : nil }) else {
            throw CommandError(.usage, "the address of the sender is missing: add --mail-from ADDRESS")
        }
        server.authority = try invocation[authority]
        if let name = try invocation[password] {
            let line = try InputFile.read(name, console).prefix { $0 != ASCII.lineFeed && $0 != ASCII.carriageReturn }
            guard let text = String(validating: line, as: UTF8.self), !text.isEmpty else {
                throw CommandError(.noInput, "\(name) has no password in its first line")
            }
            server.password = text
        }
        return MailSender(server, from: from, curl, client, console)
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
