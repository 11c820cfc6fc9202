import Bytes
import Testing

@testable import Service

/// Tokens: their text, their digest, and that they are not shown.
@Suite struct TokenTests {
    @Test(arguments: TokenKind.allCases) func comesBackFromItsText(kind: TokenKind) throws {
        let token = try Token(kind)
        let read = try #require(Token(text: token.reveal().utf8))
        #expect(read.kind == kind)
        #expect(read.reveal() == token.reveal())
        #expect(read.digest == token.digest)
    }

    static let body = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"

    @Test(
        arguments: [
            ("a session", "sooke_ses_" + body, true),
            ("an API key", "sooke_api_" + body, true),
            ("nothing", "", false),
            ("no kind", body, false),
            ("the kind alone", "sooke_api_", false),
            ("a kind that there is not", "sooke_xyz_" + body, false),
            ("the kind in capitals", "SOOKE_API_" + body, false),
            ("a character too few", "sooke_api_" + body.dropLast(), false),
            ("a character too many", "sooke_api_" + body + "A", false),
            ("padding", "sooke_api_" + body + "=", false),
            ("a space before", " sooke_api_" + body, false),
            ("a line feed after", "sooke_api_" + body + "\n", false),
            ("base64 of the other alphabet", "sooke_api_+" + body.dropFirst(), false),
            ("bits beyond the end", "sooke_api_" + body.dropLast() + "9", false),
            ("very long", "sooke_api_" + String(repeating: "A", count: 100_000), false),
        ])
    func readsOnlyTokens(name: String, text: String, isToken: Bool) {
        #expect((Token(text: text.utf8) != nil) == isToken, "\(name)")
    }

    @Test func theDigestIsTheHashOfTheText() throws {
        let token = try #require(Token(text: ("sooke_api_" + Self.body).utf8))
        #expect(token.digest == Hex.encode(SHA256.digest(("sooke_api_" + Self.body).utf8)))
        #expect(token.digest == "c25426a5cc33f826bddb3bb761f710eddc1327dbc6368c3e2d21e3b0e7800431")
    }

    @Test func theSameBitsAsAnotherKindHaveAnotherDigest() throws {
        let tokens = try TokenKind.allCases.map { try #require(Token(text: ($0.rawValue + Self.body).utf8)) }
        #expect(Set(tokens.map(\.digest)).count == TokenKind.allCases.count)
    }
}
