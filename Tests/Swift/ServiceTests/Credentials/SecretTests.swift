import Service
import Testing

/// No conversion to text shows a secret.
@Suite struct SecretTests {
    private struct Holder {
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
