import CFiles
import Platform

/// The rules for new passwords: a minimum length, any characters, and not among the first that attackers guess (after
/// NIST SP 800-63B-3, section 5.1.1.2). Existing passwords are not checked again at a login.
package enum PasswordPolicy {
    package static let minimumCharacters = 12

    /// In UTF-8, normalized: the limit of crypt(3); a longer password would have to be truncated or hashed first. It
    /// has room for 127 code points of any script, and for 511 of ASCII.
    package static let maximumBytes = Crypt.phraseLimit

    /// The reason why a password must not be set; nil when it may. `facts` are what others know of the person and the
    /// town, such as names and an e-mail address: parts of four letters or digits or more are nothing to guess.
    package static func problem(with password: Password, knowing facts: [String] = []) -> PasswordProblem? {
        let text = String(decoding: password.reveal(), as: UTF8.self)
        guard password.characterCount >= minimumCharacters else { return .tooShort }
        guard password.byteCount <= maximumBytes else { return .tooLong }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            return .controlCharacter
        }
        let lowered = text.lowercased()
        guard !commonPasswords.contains(lowered), Set(lowered).count > 3 else { return .common }
        let scalars = Array(lowered.unicodeScalars)
        let rest = facts.flatMap(parts).reduce(scalars) { removing(Array($1.unicodeScalars), from: $0) }
        return rest.count < scalars.count && rest.count < minimumBesideFacts ? .predictable : nil
    }

    /// Characters beside those that are part of a name or an address.
    private static let minimumBesideFacts = 8

    /// The most common passwords of twelve characters or more, in lower case.
    static let commonPasswords = Set(String(cString: sooke_passwords_txt()).split(separator: "\n").map(String.init))

    private static func parts(of fact: String) -> [String] {
        fact.lowercased().split { !$0.isLetter && !$0.isNumber }.filter { $0.count >= 4 }.map(String.init)
    }

    private static func removing(_ part: [Unicode.Scalar], from text: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var (rest, place) = ([Unicode.Scalar](), 0)
        while place < text.count {
            if text[place...].starts(with: part) {
                place += part.count
            } else {
                rest.append(text[place])
                place += 1
            }
        }
        return rest
    }
}

package enum PasswordProblem: Sendable, Equatable, CustomStringConvertible {
    case tooShort
    case tooLong
    /// It cannot be typed.
    case controlCharacter
    case common
    case predictable

    package var description: String {
        switch self {
        case .tooShort: "must have \(PasswordPolicy.minimumCharacters) characters or more"
        case .tooLong: "must not be longer than \(PasswordPolicy.maximumBytes) bytes"
        case .controlCharacter: "must not contain control characters"
        case .common: "is one of the passwords that are tried first"
        case .predictable: "is easy to guess: use eight characters or more beside a name or an address"
        }
    }
}

/// A password, in the normalized form in which it is hashed and compared.
///
/// Keyboards and systems encode the same characters in different ways: é as one code point or as two, spaces of many
/// widths. So the text is normalized with the profile OpaqueString (RFC 8265, section 4.2.2): every space becomes
/// U+0020, then normalization form C. Case is significant, and nothing is truncated.
package struct Password: Sendable, Secret {
    private let bytes: [UInt8]
    /// Code points, by which the length of a password is counted (NIST SP 800-63B-3, section 5.1.1.2); unlike grapheme
    /// clusters they do not change with the version of Unicode.
    package let characterCount: Int

    /// Before normalization, which takes quadratic time for a long run of combining marks. A password may be half as
    /// long in form C.
    package static let maximumInputBytes = 1024

    /// A text longer than `maximumInputBytes` matches no account and cannot be set.
    package init(_ text: String) {
        guard text.utf8.count <= Self.maximumInputBytes else {
            bytes = Array(text.utf8.prefix(Self.maximumInputBytes))
            characterCount = Self.maximumInputBytes
            return
        }
        var spaced = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            spaced.append(scalar.properties.generalCategory == .spaceSeparator ? " " : scalar)
        }
        // The standard library computes this form for its own comparisons; the underscore means that a later version
        // may rename it, which the compiler would report.
        bytes = String(spaced)._nfcCodeUnits
        characterCount = String(decoding: bytes, as: UTF8.self).unicodeScalars.count
    }

    /// Only for hashing and checking.
    package func reveal() -> [UInt8] { bytes }

    var byteCount: Int { bytes.count }
}
