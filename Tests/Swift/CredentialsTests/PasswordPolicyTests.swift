import Testing

@testable import Credentials

/// The rules for new passwords.
@Suite struct PasswordPolicyTests {
    @Test(
        arguments: [
            ("12 random letters", "kqzvtrwmxgph"),
            ("12 random characters", "kX9#mP2$vL5q"),
            ("a passphrase", "wet gravel under the bicycle"),
            ("a passphrase in lower case without spaces", "gravelbicyclethursday"),
            ("64 characters", String(repeating: "wet gravel under", count: 3) + " the red bicycle"),
            ("only digits, without order", "829461730592"),
            (
                "code points of many bytes",
                "\u{6771}\u{4EAC}\u{5927}\u{962A}\u{540D}\u{53E4}\u{5C4B}\u{672D}\u{5E4C}\u{795E}\u{6238}\u{6D25}"
            ),
            (
                "emoji",
                "\u{1F600}\u{1F697}\u{1F33A}\u{1F41F}\u{26F5}\u{1F9C1}\u{1F3D4}\u{1F4DA}\u{1F511}\u{1F33B}"
                    + "\u{1F6B2}\u{1F99C}"
            ),
            ("the town in a sentence", "grandmother moved to sooke by ferry"),
            ("the person's name in a sentence", "marianne never eats oysters"),
            ("511 bytes", String("wet gravel under the bicycle ".map { $0 }.cycled(511))),
        ])
    func mayBeSet(name: String, text: String) {
        #expect(PasswordPolicy.problem(with: Password(text), knowing: ["marianne@town.example"]) == nil, "\(name)")
    }

    @Test(
        arguments: [
            ("nothing", "", .tooShort),
            ("11 characters", "kX9#mP2$vL5", .tooShort),
            ("11 code points that were typed as 12", "kX9mP2vL5qe\u{301}".replacing("q", with: ""), .tooShort),
            ("11 emoji of 44 bytes", String(repeating: "\u{1F600}", count: 11), .tooShort),
            ("512 bytes", String("wet gravel under the bicycle ".map { $0 }.cycled(512)), .tooLong),
            ("100,000 bytes", String(repeating: "wet gravel", count: 10_000), .tooLong),
            ("a NUL", "wet gravel\0 under", .controlCharacter),
            ("a line feed", "wet gravel under\n", .controlCharacter),
            ("a known one", "correcthorsebatterystaple", .common),
            ("a known one in capitals", "CorrectHorseBatteryStaple", .common),
            ("a place", "BritishColumbia", .predictable),
            ("one character", "aaaaaaaaaaaaaaaaaaaa", .predictable),
            ("two characters in turn", "abababababababababab", .predictable),
            ("a piece over and over", "x9!x9!x9!x9!x9!x9!x9!", .predictable),
            ("a word twice", "passwordpassword", .predictable),
            ("digits in order", "123456789012", .predictable),
            ("digits backwards", "210987654321", .predictable),
            ("the alphabet", "abcdefghijklmnop", .predictable),
            ("the alphabet backwards in capitals", "PONMLKJIHGFEDCBA", .predictable),
            ("blocks of one digit", "111122223333", .predictable),
            ("letters and digits in order", "abcdef123456", .predictable),
            ("rows of keys", "qwertyuiopasdfghjkl", .predictable),
            ("columns of keys", "1qaz2wsx3edc", .predictable),
            ("two rows in turn", "1q2w3e4r5t6y", .predictable),
            ("keys of a German keyboard", "qwertzuiop123", .predictable),
            ("a word and digits", "password12345678", .predictable),
            ("a word in disguise", "P@$$w0rd1234", .predictable),
            ("words and a year", "Summer2025Welcome!", .predictable),
            ("the town three times", "SookeSookeSooke!", .predictable),
            ("the person's name and digits", "Marianne1962!", .predictable),
            ("the person's e-mail address", "marianne@slacktide.example", .predictable),
        ] as [(String, String, PasswordProblem)])
    func mayNotBeSet(name: String, text: String, problem: PasswordProblem) {
        let found = PasswordPolicy.problem(with: Password(text), knowing: ["marianne@slacktide.example"])
        #expect(found == problem, "\(name)")
    }

    @Test func shortPartsOfAnAddressAreNoWords() {
        let password = Password("dandelion wine by the sea")
        #expect(PasswordPolicy.problem(with: password, knowing: ["dan@a.example", "", "@"]) == nil)
    }

    /// An entry that another rule rejects already is superfluous.
    @Test func theListHoldsOnlyWhatItDecides() {
        for text in CommonPasswords.whole {
            #expect(Password(text).characterCount >= PasswordPolicy.minimumCharacters, "\(text)")
            #expect(text == text.lowercased())
            #expect(!CommonPasswords.listedSet.contains(text), "\(text) is in the lists")
            let pieces = min(
                PasswordPieces.count(text, words: CommonPasswords.words),
                PasswordPieces.countAroundTwoWords(text, words: CommonPasswords.words))
            #expect(pieces >= PasswordPolicy.minimumPieces, "\(text) shows in its pieces")
        }
    }

    /// The lists of the most common passwords of twelve characters or more, all of which are refused.
    @Test func theTable() {
        let long = CommonPasswords.commonWords.filter { $0.utf8.count >= PasswordPolicy.minimumCharacters }
        #expect(long.count >= 3_000)
        #expect(CommonPasswords.listedSet.count >= 150)
        for text in long.union(CommonPasswords.listedSet) {
            #expect(PasswordPolicy.problem(with: Password(text)) != nil, "\(text)")
        }
        for word in ["password", "liverpool", "california", "accommodation"] {
            #expect(CommonPasswords.isCommonWord(word), "\(word)")
        }
        #expect(!CommonPasswords.isCommonWord("whiffin"))
    }

    /// Passwords that are guessed first: a common word, or two, with digits and signs around; rows of keys; dates.
    @Test(arguments: [
        "liverpool123", "california123", "liverpool123456", "california2024", "chelsea12345", "manchester1",
        "Manchester123!", "Arsenal123456", "jennifer1234", "jennifer19870412", "michelle2010", "alexander123",
        "christopher7", "butterfly123", "chocolate123", "basketball12", "football2024!", "princess1234",
        "sunshine1234", "superman1234", "spiderman123", "starwars1977", "minecraft123", "pokemon12345",
        "playstation5", "samsung12345", "computer2023", "internet1234", "qwerty123456", "qwertyuiop12",
        "1qaz2wsx3edc", "zaq12wsxcde3", "1q2w3e4r5t6y", "asdfghjkl123", "123456789abc", "123456789012",
        "111111111111", "987654321098", "abcdefghijkl", "iloveyou1234", "iloveyou2024", "ihateyou1234",
        "letmein12345", "welcome12345", "Welcome2024!", "password1234", "P@ssw0rd2024", "Password!234",
        "passw0rd1234", "administrator", "changeme1234", "masterpass12", "whatever1234", "blackberry12",
        "Vancouver2024", "Vancouver123", "victoria2024", "SookeHarbour1", "torontomaple", "Toronto2024!!",
        "edmonton1234", "hockey123456", "l1verp00l123", "!!liverpool!!", "2024liverpool", "123liverpool",
        "dragon.tiger", "purple-monkey", "blue-dolphin1", "Summer2024!!", "december2024", "monday123456",
        "charlie-2020", "accommodation", "relationships", "christopher1", "lost4815162342", "fallen_angel",
        "liverpoolliverpool", "jamesbond007", "mustang1967!", "harley-david1",
    ])
    func commonOnesAreRefused(text: String) {
        #expect(PasswordPolicy.problem(with: Password(text)) != nil, "\(text)")
    }

    /// Phrases and other passwords that are not guessed first.
    @Test(arguments: [
        "a long walk to Whiffin Spit", "kelp and driftwood, 5 a.m.", "plum-ladder-oxide-42", "quartz-heron-fable-77",
        "seven otters under the pier", "gravelbicyclethursday", "liverpool beat us in the rain",
        "my california cousin sings badly", "dandelion wine by the sea", "three-purple-monkeys",
        "ferryboatsunrisecoffee",
        "liverpool8f3kq9", "tK4#liverpool9z!m", "california81726354", "grandma's 14 tomato plants",
        "J'aime bien les huîtres", "correct staple battery horse", "wir fahren nach vancouver", "olgaandottodrankgin",
    ])
    func phrasesAreAccepted(text: String) {
        #expect(PasswordPolicy.problem(with: Password(text)) == nil, "\(text)")
    }

    /// The longest password is checked in negligible time.
    @Test func theLongestIsJudgedQuickly() {
        let long = String("liverpoolcaliforniap4ssw0rd2024".map { $0 }.cycled(511))
        #expect(PasswordPolicy.problem(with: Password(long)) == nil)
    }

    @Test func theWordsAreInTheFormThatIsCompared() {
        for word in CommonPasswords.words { #expect(!word.isEmpty && word == word.lowercased(), "\(word)") }
        #expect(Set(CommonPasswords.words).count == CommonPasswords.words.count)
    }

    @Test(
        arguments: [
            ("", 0), ("a", 1), ("kq", 2), ("aaa", 1), ("aab", 3), ("abc", 1), ("cba", 1), ("abz", 3), ("890", 1),
            ("901", 1), ("kqkq", 2), ("kqkqk", 5), ("word", 1), ("w0rd", 1), ("wordword", 1), ("wordx", 2), ("wor", 3),
            ("abcword", 2), ("wordsx", 2),
        ])
    func pieces(text: String, count: Int) {
        #expect(PasswordPieces.count(text, words: ["word", "words"]) == count)
    }
}

extension [Character] {
    /// The elements over and over, `count` in all.
    fileprivate func cycled(_ count: Int) -> [Character] {
        (0..<count).map { self[$0 % self.count] }
    }
}
