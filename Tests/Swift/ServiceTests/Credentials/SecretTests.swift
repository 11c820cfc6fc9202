import Testing

@testable import Service

/// No conversion to text shows a secret.
@Suite struct SecretTests {
    struct Holder {
        let token: Token
        let password: Password?
    }

    static func texts(of value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return ["\(value)", String(describing: value), String(reflecting: value), dumped]
    }

    @Test func tokensDoNotShowThemselves() throws {
        let token = try Token(.session)
        let secret = token.reveal().dropFirst(token.kind.rawValue.count)
        for text in Self.texts(of: token) + Self.texts(of: [token]) {
            #expect(text.contains("(secret)"))
            #expect(!text.contains(secret))
            #expect(!text.contains("bytes"))
        }
    }

    @Test func passwordsDoNotShowThemselves() throws {
        let password = Password("aardvark-zebra-42")
        for text in Self.texts(of: password) + Self.texts(of: Optional(password) as Any) {
            #expect(text.contains("(secret)"))
            #expect(!text.contains("aardvark") && !text.contains("97"))
        }
    }

    @Test func hashesDoNotShowThemselves() throws {
        let hash = try PasswordHash.make(Password("aardvark-zebra-42"), cost: .lowest)
        for text in Self.texts(of: hash) {
            #expect(text.contains("(secret)"))
            #expect(!text.contains("$y$"))
        }
    }

    @Test func noValueAroundThemShowsThem() throws {
        let holder = Holder(token: try Token(.api), password: Password("aardvark-zebra-42"))
        for text in Self.texts(of: holder) {
            #expect(text.contains("(secret)"))
            #expect(!text.contains(holder.token.reveal()) && !text.contains("aardvark") && !text.contains("97"))
        }
    }
}
