import Credentials

/// Passwords that a person can read and type: syllables such as `bafo-kiru-mepo-sadu-lina`.
enum ReadablePassword {
    private static let consonants = Array("bdfghjklmnprstvz")
    private static let vowels = Array("aiou")
    private static let syllables = 10

    /// A new password of 60 random bits, which is allowed for an account.
    static func make(for email: String) throws(RandomBytes.Failure) -> String {
        while true {
            let text = text(of: try RandomBytes.make(syllables))
            // A few happen to consist of words.
            if PasswordPolicy.problem(with: Password(text), knowing: [email]) == nil { return text }
        }
    }

    /// The text of some bytes: six bits of each make a syllable, and all syllables are equally likely.
    static func text(of bytes: [UInt8]) -> String {
        var text = ""
        for (index, byte) in bytes.enumerated() {
            if index > 0, index.isMultiple(of: 2) { text.append("-") }
            text.append(consonants[Int(byte >> 2 & 15)])
            text.append(vowels[Int(byte & 3)])
        }
        return text
    }
}
