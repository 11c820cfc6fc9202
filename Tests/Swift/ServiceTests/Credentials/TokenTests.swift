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
            ("a session", "sooke_ses_" + body, true), ("an API key", "sooke_api_" + body, true),
            ("nothing", "", false), ("no kind", body, false), ("the kind alone", "sooke_api_", false),
            ("a kind that there is not", "sooke_xyz_" + body, false),
            ("the kind in capitals", "SOOKE_API_" + body, false),
            ("a character too few", "sooke_api_" + body.dropLast(), false),
            ("a character too many", "sooke_api_" + body + "A", false), ("padding", "sooke_api_" + body + "=", false),
            ("a space before", " sooke_api_" + body, false), ("a line feed after", "sooke_api_" + body + "\n", false),
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
}

/// Tokens are masked in texts for logs.
@Suite struct TokenMaskingTests {
    @Test(arguments: [
        ("", ""), ("/api/v1/businesses?page=2", "/api/v1/businesses?page=2"),
        ("/api/v1/admin/tokens/sooke_api_4fTq-_Z9", "/api/v1/admin/tokens/sooke_api_***"),
        ("/x/sooke_ses_AAAA/y?z=sooke_inv_BBBB&sooke_rst_C", "/x/sooke_ses_***/y?z=sooke_inv_***&sooke_rst_***"),
        ("ssooke_set_AAAA%20", "ssooke_set_***%20"), ("sooke_api_", "sooke_api_"),
        ("sooke_api_/sooke_api_A", "sooke_api_/sooke_api_***"),
        ("/businesses/sooke_harbour", "/businesses/sooke_harbour"),
        ("/x?t=sooke%5Fapi%5F4fTq%2D_Z9&y=1", "/x?t=sooke%5Fapi%5F***&y=1"),
        ("/x?t=sooke%5fses%5fAAAA", "/x?t=sooke%5fses%5f***"), ("/%73ooke_inv_%41%42C/y", "/%73ooke_inv_***/y"),
        ("/%73%6F%6F%6B%65%5F%72%73%74%5F%41", "/%73%6F%6F%6B%65%5F%72%73%74%5F***"),
        ("/sooke%255Fapi%255F4fTq%252D9/", "/sooke%255Fapi%255F***/"), ("/%2573ooke_api_A%", "/%2573ooke_api_***%"),
        ("/sooke_api_A%2", "/sooke_api_***%2"), ("%", "%"), ("/%zz%73%7", "/%zz%73%7"),
        ("/sooke%20api%20A", "/sooke%20api%20A"),
    ])
    func masks(text: String, masked: String) {
        #expect(String(decoding: Token.masking(Array(text.utf8)[...]), as: UTF8.self) == masked)
    }

    @Test func nothingOfANewTokenIsLeft() throws {
        for kind in TokenKind.allCases {
            let token = try Token(kind).reveal()
            let masked = Token.masking(Array("/a/\(token)/b".utf8)[...])
            #expect(String(decoding: masked, as: UTF8.self) == "/a/\(kind.rawValue)***/b")
        }
    }
}

/// No conversion to text shows a secret.
@Suite struct SecretTests {
    /// Not private: the name of a private type has an address in it, whose digits can be those of a secret.
    struct Holder {
        let token: Token
        let password: Password?
    }

    private static func texts(of value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return ["\(value)", String(describing: value), String(reflecting: value), dumped]
    }

    @Test func noneShowsItself() throws {
        let (token, password) = (try Token(.api), Password("aardvark-zebra-42"))
        let hash = try PasswordHash.make(password, cost: .lowest)
        let secret = String(token.reveal().dropFirst(token.kind.rawValue.count))
        let holder = Holder(token: token, password: password)
        for value in [token, [token], password, Optional(password) as Any, hash, holder] as [Any] {
            for text in Self.texts(of: value) {
                #expect(text.contains("(secret)"))
                for part in [secret, "bytes", "aardvark", "97", "$y$"] {
                    #expect(!text.contains(part), "\(part)")
                }
            }
        }
    }
}
