/// What a token is good for. It stands at its beginning, so that programs that look for leaked secrets know it.
public enum TokenKind: String, Sendable, CaseIterable {
    /// The session of a person who logged in.
    case session = "sooke_ses_"
    /// The key of a program that uses the API.
    case api = "sooke_api_"
    /// The link by which the first owner sets the server up.
    case setup = "sooke_set_"
}
