/// Words and passwords that attackers guess first.
enum CommonPasswords {
    /// Whether a text of ASCII letters in lower case is a common word, name or password: one of 11,700, of which 3,800
    /// have twelve letters or more.
    static func isCommonWord(_ text: String) -> Bool {
        commonWords.contains(text)
    }

    /// The shortest and the longest common words, in letters.
    static let commonWordLengths = 4...(commonWords.lazy.map(\.utf8.count).max() ?? 4)

    static let commonWords = Set(decode(firstWords) + decode(secondWords))

    /// The most common passwords that no other rule rejects, in lower case.
    static let listedSet = Set("\(listed)".split(separator: " ").map(String.init))

    /// Decodes front-coded words: each is a capital letter for the number of letters that it shares with the word
    /// before (`A` for none), and the rest of its letters.
    private static func decode(_ coded: StaticString) -> [String] {
        var words: [String] = []
        var word: [UInt8] = []
        for byte in "\(coded)".utf8 {
            if UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte {
                if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
                word = Array(word.prefix(Int(byte - UInt8(ascii: "A"))))
            } else {
                word.append(byte)
            }
        }
        return words + [String(decoding: word, as: UTF8.self)]
    }

    /// Whole passwords in lower case that the lists do not contain.
    static let whole: Set<String> = [
        "correcthorsebatterystaple", "correct horse battery staple", "correct-horse-battery-staple",
        "thequickbrownfox", "the quick brown fox", "thequickbrownfoxjumpsoverthelazydog", "tobeornottobe",
        "to be or not to be", "maytheforcebewithyou", "may the force be with you", "once upon a time",
        "itwasadarkandstormynight", "twinkletwinklelittlestar", "this is my password", "nothingtoseehere",
        "openthedoorplease", "ilovejesuschrist", "godisgoodallthetime", "inthenameofgod", "liverpoolfc1892",
        "youllneverwalkalone", "torontomapleleafs", "montrealcanadiens", "edmontonoilers", "lordoftherings",
        "gameofthrones", "thematrixhasyou", "hakunamatata1", "supercalifragilistic", "backstreetboys",
        "taylorswift13", "ferdinand1234", "temporarypassword", "blink182blink182",
    ]

    /// Words in lower case that occur in very many passwords: each counts as one piece only.
    static let words = [
        "password", "passwort", "passw", "motdepasse", "passphrase", "secret", "welcome", "letmein", "changeme",
        "iloveyou", "trustno", "login", "admin", "administrator", "superuser", "master", "default", "guest", "access",
        "monkey", "dragon", "shadow", "sunshine", "princess", "football", "baseball", "basketball", "hockey", "soccer",
        "superman", "batman", "pokemon", "starwars", "charlie", "michael", "jennifer", "jessica", "ashley", "daniel",
        "summer", "winter", "autumn", "spring", "january", "february", "march", "april", "june", "july", "august",
        "september", "october", "november", "december", "monday", "tuesday", "wednesday", "thursday", "friday",
        "saturday", "sunday", "hello", "whatever", "freedom", "flower", "cookie", "ginger", "pepper", "love",
        "sooke", "harbour", "victoria", "vancouver", "canada", "canucks", "columbia", "island",
        "2020", "2021", "2022", "2023", "2024", "2025", "2026", "2027", "2028", "2029", "2030",
    ]
}
