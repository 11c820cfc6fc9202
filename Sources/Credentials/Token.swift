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
