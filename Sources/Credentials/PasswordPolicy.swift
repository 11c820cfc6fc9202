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
    /// - Parameter words: facts about the person, such as an e-mail address or a name. Their parts of four letters or
    ///   more count as words that are guessed first, as does the name of the town.
    package static func problem(with password: Password, knowing words: [String] = []) -> PasswordProblem? {
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

    /// A password with fewer pieces is easy to guess: a word or a row of keys counts as one piece, as does a single
    /// character.
    static let minimumPieces = 8

    /// The runs of letters and digits that are long enough to be a word.
    private static func parts(of word: String) -> [String] {
        word.lowercased().split { !$0.isLetter && !$0.isNumber }.filter { $0.count >= 4 }.map(String.init)
    }
}

/// Why a password must not be set.
package enum PasswordProblem: Sendable, Equatable, CustomStringConvertible {
    case tooShort
    case tooLong
    /// It contains a control character, such as NUL or a line feed, which cannot be typed.
    case controlCharacter
    case common
    /// It consists mostly of known words, rows of keys or one repeated piece.
    case predictable

    /// A message for the person, without the password.
    package var description: String {
        switch self {
        case .tooShort: "must have \(PasswordPolicy.minimumCharacters) characters or more"
        case .tooLong: "must not be longer than \(PasswordPolicy.maximumBytes) bytes"
        case .controlCharacter: "must not contain control characters"
        case .common: "is one of the passwords that are tried first"
        case .predictable: "is easy to guess: use more than a word, a name or a row of keys"
        }
    }
}
