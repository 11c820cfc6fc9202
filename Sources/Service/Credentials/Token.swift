import Bytes
import Platform

/// A bearer secret of 256 random bits, for a person or a program. Only its digest is stored.
///
/// Its text is the kind and 43 characters of base64url, such as `sooke_api_4fTq…`.
package struct Token: Sendable, Secret {
    package let kind: TokenKind
    private let text: [UInt8]

    package init(_ kind: TokenKind) throws(SystemError) {
        self.kind = kind
        text = Array((kind.rawValue + Base64URL.encode(try RandomSource.bytes(Self.byteCount))).utf8)
    }

    /// Nil for any other text. The token may never have been issued.
    @specialized(where Text == ArraySlice<UInt8>)
    package init?<Text: Collection<UInt8>>(text: Text) {
        guard text.count <= Self.textLimit else { return nil }
        let characters = Array(text)
        // Bytes have only one text, so the text can replace them.
        guard let (kind, prefix) = Self.prefixes.first(where: { characters.starts(with: $0.prefix) }),
            Base64URL.isText(characters[prefix.count...], of: Self.byteCount)
        else { return nil }
        (self.kind, self.text) = (kind, characters)
    }

    private static let prefixes = TokenKind.allCases.map { (kind: $0, prefix: Array($0.rawValue.utf8)) }

    /// To be shown once to its owner and never again.
    package func reveal() -> String {
        String(decoding: text, as: UTF8.self)
    }

    /// The SHA-256 of the text with its kind, so that a token of one kind is not accepted as another, as 64 hexadecimal
    /// digits. A look-up needs no constant time: a client chooses the token, not its digest, and the time for a digest
    /// that it cannot choose reveals nothing about stored ones.
    package var digest: String { Hex.encode(SHA256.digest(text)) }

    static let byteCount = 32
    private static let textLimit = 64
}

/// The purpose of a token. Its text begins with the kind, so that secret scanners recognize it.
package enum TokenKind: String, Sendable, CaseIterable {
    case session = "sooke_ses_"
    case api = "sooke_api_"
    case setup = "sooke_set_"
    case invitation = "sooke_inv_"
    case passwordReset = "sooke_rst_"
    case confirmation = "sooke_cnf_"
    case reference = "sooke_ref_"
}

extension Token {
    /// A text for a log, with `***` in place of all but the kind of each token: people paste tokens where they do not
    /// belong, such as into a path.
    package static func masking(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        // Most texts contain none, and are not copied.
        guard var secret = firstSecret(in: text) else { return text }
        var masked: [UInt8] = []
        var rest = text
        while true {
            masked += rest[..<secret.lowerBound]
            masked.append("***")
            rest = rest[secret.upperBound...]
            guard let next = firstSecret(in: rest) else { break }
            secret = next
        }
        return masked[...] + rest
    }

    /// The range after the first name of a kind; both may be percent-encoded, even several times.
    private static func firstSecret(in text: ArraySlice<UInt8>) -> Range<Int>? {
        for index in text.indices where text[index] == UInt8(ascii: "s") || text[index] == UInt8(ascii: "%") {
            for kind in TokenKind.allCases {
                guard let start = end(of: kind.rawValue.utf8, at: index, in: text) else { continue }
                var end = start
                while let (byte, next) = decoded(at: end, in: text), isSecret(byte) { end = next }
                if start < end { return start..<end }
            }
        }
        return nil
    }

    private static func end(of name: String.UTF8View, at start: Int, in text: ArraySlice<UInt8>) -> Int? {
        var place = start
        for letter in name {
            guard let (byte, next) = decoded(at: place, in: text), byte == letter else { return nil }
            place = next
        }
        return place
    }

    /// The byte at an index of the text, and the index of the next one. `%5F` is `_`, and so is `%255F`, which a client
    /// sends that encodes a text twice.
    private static func decoded(at start: Int, in text: ArraySlice<UInt8>) -> (byte: UInt8, next: Int)? {
        guard start < text.endIndex else { return nil }
        var (byte, next) = (text[start], start + 1)
        while byte == UInt8(ascii: "%"), next + 1 < text.endIndex, let high = ASCII.hexValue(text[next]),
            let low = ASCII.hexValue(text[next + 1])
        {
            (byte, next) = (high << 4 | low, next + 2)
        }
        return (byte, next)
    }

    private static func isSecret(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || ASCII.lowercased(byte) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_")
    }
}

/// A value that is never shown by a print, log line, string interpolation or dump.
package protocol Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Secret {
    package var description: String { "(secret)" }
    package var debugDescription: String { "(secret)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
