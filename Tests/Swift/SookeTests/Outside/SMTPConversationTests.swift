import Service
import Testing

@testable import sooke

@Suite struct SMTPConversationTests {
    @Test(
        arguments: [
            ("smtps://smtp.example", "smtps://smtp.example", nil, false),
            ("smtp://ada%40town.example@smtp.example", "smtp://smtp.example:587", "ada@town.example", true),
            ("smtp://ada@smtp.example:2525", "smtp://smtp.example:2525", "ada", true),
            ("smtp://localhost", "smtp://localhost", nil, false),
            ("smtp://127.0.0.1:1025", "smtp://127.0.0.1:1025", nil, false),
            ("smtp://[::1]", "smtp://[::1]", nil, false),
            ("smtp://[2001:db8::1]", "smtp://[2001:db8::1]:587", nil, true),
        ] as [(String, String, String?, Bool)])
    func readsAServer(text: String, url: String, user: String?, tls: Bool) throws {
        let server = try #require(SMTPServer(text))
        #expect(server.url == url && server.user == user && server.requiresTLS == tls)
        let options = server.options(from: "a@town.example", to: "b@town.example")
        #expect(options.contains { $0.name == "ssl-reqd" } == tls && options.contains { $0.name == "proto" })
    }

    @Test(arguments: [
        "", "smtp.example", "https://smtp.example", "smtp://", "smtp://a@b@c", "smtp://a%3Ab@c", "smtp://c/path",
        "smtp://c\nuser=x", "smtp://a%0Ab@c",
    ])
    func refusesOthers(text: String) { #expect(SMTPServer(text) == nil) }

    /// What curl says with `verbose`; and that neither user nor password is in what is stored.
    private static let login = """
        * Connected to smtp.example port 465
        < 220 smtp.example
        > EHLO town.example
        < 250 AUTH LOGIN PLAIN
        > AUTH PLAIN AGFkYQBzZWNyZXQ=
        > c2VjcmV0
        < 235 OK
        > MAIL FROM:<a@town.example>
        < 250 OK

        """

    @Test(
        arguments: [
            ("> RCPT TO:<b@c>\n< 250 OK\n> DATA\n< 354 go on\n< 250 queued\n", nil, .sent, ""),
            (
                "> RCPT TO:<b@c>\n< 550 no such user\n> QUIT\ncurl: (55) RCPT failed", "exit 55", .refused,
                "550 no such user"
            ),
            ("> RCPT TO:<b@c>\n< 451 later\ncurl: (55) RCPT failed", "exit 55", .failed, "451 later"),
            ("> RCPT TO:<b@c>\ncurl: (56) cut", "exit 56", .failed, "curl: (56) cut"),
            ("< 535 no such login\ncurl: (67) Login denied", "exit 67", .failed, "535 no such login"),
            ("", "it was ended", .failed, "it was ended"),
        ] as [(String, String?, MailReport.Outcome, String)])
    func tellsWhatBecameOfAMessage(rest: String, failure: String?, outcome: MailReport.Outcome, words: String) {
        let talk = SMTPConversation(Self.login + rest, failure: failure)
        #expect(talk.outcome == outcome && talk.words == words)
        #expect(talk.text.contains("> AUTH PLAIN ***\n> ***\n") && !talk.text.contains("c2VjcmV0"))
    }
}
