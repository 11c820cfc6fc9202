import Platform

/// Which passwords may be set: long enough ones of whatever characters, unless they are among the first that are
/// guessed (after NIST SP 800-63B-3, section 5.1.1.2). Passwords that were set are not judged again at a login.
public enum PasswordPolicy {
    /// The fewest code points.
    public static let minimumCharacters = 12

    /// The most bytes of UTF-8, normalized. It is what crypt(3) takes; a longer password would have to be cut or hashed
    /// before it is hashed. It is room for 127 code points of any script, and for 511 of ASCII.
    public static let maximumBytes = Crypt.phraseLimit

    /// What speaks against a password; nil when it may be set.
    ///
    /// - Parameter words: what is known of the person, such as an e-mail address or a name. Their parts of four letters
    ///   or more count as words that everybody guesses, as does the name of the town.
    public static func problem(with password: Password, knowing words: [String] = []) -> PasswordProblem? {
        let scalars = String(decoding: password.reveal(), as: UTF8.self).unicodeScalars
        guard password.characterCount >= minimumCharacters else { return .tooShort }
        guard password.byteCount <= maximumBytes else { return .tooLong }
        guard !scalars.contains(where: { $0.properties.generalCategory == .control }) else { return .controlCharacter }
        let text = String(scalars).lowercased()
        guard !CommonPasswords.whole.contains(text) else { return .common }
        let known = CommonPasswords.words + words.flatMap(parts)
        guard PasswordPieces.count(text, words: known) >= minimumPieces,
            PasswordPieces.countAroundTwoWords(text, words: known) >= minimumPieces
        else { return .predictable }
        guard !CommonPasswords.listedSet.contains(text), !CommonPasswords.isCommonWord(text) else { return .common }
        return nil
    }

    /// Below this little is left to guess: a word or a row of keys counts as one piece, as does a single character.
    static let minimumPieces = 8

    /// The runs of letters and digits that are long enough to be a word.
    private static func parts(of word: String) -> [String] {
        word.lowercased().split { !$0.isLetter && !$0.isNumber }.filter { $0.count >= 4 }.map(String.init)
    }
}

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
