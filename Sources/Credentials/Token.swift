import Bytes

/// 256 random bits that stand for a person or a program: who shows it is let in. Only its digest is kept.
///
/// As text it is the kind and 43 characters of base64url, such as `sooke_api_4fTq…`.
public struct Token: Sendable, Secret {
    /// What the token is good for.
    public let kind: TokenKind
    private let text: [UInt8]

    /// A new token.
    ///
    /// - Throws: `RandomBytes.Failure` when the operating system has no random bytes.
    public init(_ kind: TokenKind) throws(RandomBytes.Failure) {
        self.kind = kind
        text = Array((kind.rawValue + Base64URL.encode(try RandomBytes.make(Self.byteCount))).utf8)
    }

    /// Reads the text of a token, as a client sends it; nil for anything else. It says nothing about whether the token
    /// was ever given out.
    @specialized(where Text == ArraySlice<UInt8>)
    public init?<Text: Collection<UInt8>>(text: Text) {
        // Longer text is refused before it is looked at.
        guard text.count <= Self.textLimit else { return nil }
        self.init(characters: Array(text))
    }

    private init?(characters: [UInt8]) {
        // Bytes have one text only, so the text stands for them.
        guard let (kind, prefix) = Self.prefixes.first(where: { characters.starts(with: $0.prefix) }),
            Base64URL.isText(characters[prefix.count...], of: Self.byteCount)
        else { return nil }
        (self.kind, text) = (kind, characters)
    }

    private static let prefixes = TokenKind.allCases.map { (kind: $0, prefix: Array($0.rawValue.utf8)) }

    /// The text of the token, to be shown once to whom it belongs and nowhere else.
    public func reveal() -> String {
        String(decoding: text, as: UTF8.self)
    }

    /// What is kept of the token. It covers the kind, so that a token of one kind cannot pass for one of another.
    public var digest: TokenDigest { TokenDigest(of: text) }

    static let byteCount = 32
    private static let textLimit = 64
}

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

/// The SHA-256 of a token's text: what the server keeps, and finds the token by.
///
/// It may stand in a log and in a dictionary. Looking one up takes no constant time and needs none: a client chooses
/// the token, not its digest, and learns nothing of a stored digest from how long one that it cannot choose took.
public struct TokenDigest: Sendable, Hashable {
    /// The 32 bytes.
    public let bytes: [UInt8]

    init(of text: [UInt8]) {
        bytes = SHA256.digest(text)
    }

    /// Reads 64 hexadecimal digits, as they are stored; nil for anything else.
    public init?(hex: some Collection<UInt8>) {
        guard hex.count == 2 * SHA256.byteCount, let bytes = Hex.decode(hex) else { return nil }
        self.bytes = bytes
    }

    /// The digest as 64 hexadecimal digits in lower case, for storage.
    public var hex: String { Hex.encode(bytes) }
}
