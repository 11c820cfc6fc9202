/// What a token is good for. It stands at its beginning, so that programs that look for leaked secrets know it.
public enum TokenKind: String, Sendable, CaseIterable {
    /// The session of a person who logged in.
    case session = "sooke_ses_"
    /// The key of a program that uses the API.
    case api = "sooke_api_"
    /// The link by which the first owner sets the server up.
    case setup = "sooke_set_"
    /// The link by which somebody who was invited makes an account.
    case invitation = "sooke_inv_"
    /// The link by which somebody sets a new password.
    case passwordReset = "sooke_rst_"
}
