import Platform

/// The rules for new passwords: a minimum length, any characters, and not among the first that attackers guess (after
/// NIST SP 800-63B-3, section 5.1.1.2). Existing passwords are not checked again at a login.
package enum PasswordPolicy {
    /// The minimum number of code points.
    package static let minimumCharacters = 12

    /// The maximum length in bytes of UTF-8, normalized, which is the limit of crypt(3); a longer password would have
    /// to be truncated or hashed first. It has room for 127 code points of any script, and for 511 of ASCII.
    package static let maximumBytes = Crypt.phraseLimit

    /// The reason why a password must not be set; nil when it may.
    ///
    /// - Parameter facts: what others know of the person and the town, such as names and an e-mail address. Their parts
    ///   of four letters or digits or more are nothing to guess.
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

    /// The minimum number of characters beside those that are part of a name or an address.
    private static let minimumBesideFacts = 8

    /// The passwords of `common`.
    static let commonPasswords: Set<String> = {
        var (passwords, text): (Set<String>, [UInt8]) = ([], [])
        for byte in "\(common)A".utf8 {
            if UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte {
                if !text.isEmpty { passwords.insert(String(decoding: text, as: UTF8.self)) }
                text = Array(text.prefix(Int(byte - UInt8(ascii: "A"))))
            } else {
                text.append(byte)
            }
        }
        return passwords
    }()

    /// The runs of letters and digits that are long enough to be a word.
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

/// Why a password must not be set.
package enum PasswordProblem: Sendable, Equatable, CustomStringConvertible {
    case tooShort
    case tooLong
    /// It contains a control character, such as NUL or a line feed, which cannot be typed.
    case controlCharacter
    case common
    /// It consists mostly of parts of a name or an address.
    case predictable

    /// A message for the person, without the password.
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
