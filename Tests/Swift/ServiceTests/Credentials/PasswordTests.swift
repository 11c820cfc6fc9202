import Testing

@testable import Service

/// The normalized form of a password (RFC 8265, section 4.2.2), with the examples of its section 4.3.
@Suite struct PasswordTests {
    @Test(
        arguments: [
            ("spaces are kept", "correct horse battery staple", "correct horse battery staple"),
            ("case is kept", "Correct Horse Battery Staple", "Correct Horse Battery Staple"),
            ("Greek is kept", "\u{3C0}\u{DF}\u{E5}", "\u{3C0}\u{DF}\u{E5}"),
            ("a card suit is kept", "Jack of \u{2666}s", "Jack of \u{2666}s"),
            ("an Ogham space mark becomes a space", "foo\u{1680}bar", "foo bar"),
            ("a space that does not break becomes a space", "foo\u{A0}bar", "foo bar"),
            ("an accent of its own is composed", "cafe\u{301}", "caf\u{E9}"),
            ("an accent already composed is kept", "caf\u{E9}", "caf\u{E9}"),
            ("Hangul is composed", "\u{1112}\u{1161}\u{11AB}", "\u{D55C}"),
            ("accents get their order", "q\u{307}\u{323}", "q\u{323}\u{307}"),
            ("the ångström sign is a letter", "\u{212B}", "\u{C5}"),
            ("compatibility characters are kept", "\u{FB01}\u{FF21}", "\u{FB01}\u{FF21}"),
            ("leading and trailing spaces are kept", " a ", " a "), ("nothing", "", ""),
        ])
    func normalized(name: String, typed: String, kept: String) {
        #expect(Password(typed).reveal() == Array(kept.utf8), "\(name)")
    }

    /// Normalizing takes quadratic time, so a long text is not normalized. It matches no account.
    @Test func isNormalizedUpToALength() throws {
        let marks = "a" + String(repeating: "\u{301}\u{316}", count: 255) + "bcd"
        #expect(marks.utf8.count == Password.maximumInputBytes)
        #expect(Password(marks).reveal() != Array(marks.utf8))
        for longer in [marks + "e", marks + String(repeating: "\u{301}\u{316}", count: 1 << 18)] {
            let password = Password(longer)
            #expect(password.reveal() == Array(longer.utf8.prefix(Password.maximumInputBytes)))
            #expect(PasswordPolicy.problem(with: password) == .tooLong)
            #expect(throws: PasswordHashError.unusablePassword) { try PasswordHash.make(password, cost: .lowest) }
        }
    }
}
