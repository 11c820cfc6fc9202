/// Why a password may not be set.
public enum PasswordProblem: Sendable, Equatable, CustomStringConvertible {
    /// It has fewer than `PasswordPolicy.minimumCharacters` characters.
    case tooShort
    /// It has more than `PasswordPolicy.maximumBytes` bytes.
    case tooLong
    /// It holds a control character, such as NUL or a line feed, which no keyboard types into a field.
    case controlCharacter
    /// It is one of those that everybody tries first.
    case common
    /// It is little more than known words, rows of keys or one piece over and over.
    case predictable

    /// A sentence for the person who chose the password. It does not repeat it.
    public var description: String {
        switch self {
        case .tooShort: "must have \(PasswordPolicy.minimumCharacters) characters or more"
        case .tooLong: "must not be longer than \(PasswordPolicy.maximumBytes) bytes"
        case .controlCharacter: "must not hold control characters"
        case .common: "is one of the passwords that are tried first"
        case .predictable: "is easy to guess: use more than a word, a name or a row of keys"
        }
    }
}
