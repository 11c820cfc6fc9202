import Service
import Testing

/// Tokens are masked in texts for logs.
@Suite struct TokenMaskingTests {
    @Test(arguments: [
        ("", ""),
        ("/api/v1/businesses?page=2", "/api/v1/businesses?page=2"),
        ("/api/v1/admin/tokens/sooke_api_4fTq-_Z9", "/api/v1/admin/tokens/sooke_api_***"),
        ("/x/sooke_ses_AAAA/y?z=sooke_inv_BBBB&sooke_rst_C", "/x/sooke_ses_***/y?z=sooke_inv_***&sooke_rst_***"),
        ("ssooke_set_AAAA%20", "ssooke_set_***%20"),
        ("sooke_api_", "sooke_api_"),
        ("sooke_api_/sooke_api_A", "sooke_api_/sooke_api_***"),
        ("/businesses/sooke_harbour", "/businesses/sooke_harbour"),
        ("/x?t=sooke%5Fapi%5F4fTq%2D_Z9&y=1", "/x?t=sooke%5Fapi%5F***&y=1"),
        ("/x?t=sooke%5fses%5fAAAA", "/x?t=sooke%5fses%5f***"),
        ("/%73ooke_inv_%41%42C/y", "/%73ooke_inv_***/y"),
        ("/%73%6F%6F%6B%65%5F%72%73%74%5F%41", "/%73%6F%6F%6B%65%5F%72%73%74%5F***"),
        ("/sooke%255Fapi%255F4fTq%252D9/", "/sooke%255Fapi%255F***/"),
        ("/%2573ooke_api_A%", "/%2573ooke_api_***%"),
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
