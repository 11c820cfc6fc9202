import Testing

@testable import Service

/// The rules for new passwords.
@Suite struct PasswordPolicyTests {
    @Test(
        arguments: [
            ("nothing", "", .tooShort), ("11 characters", "kX9#mP2$vL5", .tooShort),
            ("11 code points that were typed as 12", "kX9mP2vL5qe\u{301}".replacing("q", with: ""), .tooShort),
            ("11 emoji of 44 bytes", String(repeating: "\u{1F600}", count: 11), .tooShort),
            ("512 bytes", String("wet gravel under the bicycle ".map { $0 }.cycled(512)), .tooLong),
            ("100,000 bytes", String(repeating: "wet gravel", count: 10_000), .tooLong),
            ("a NUL", "wet gravel\0 under", .controlCharacter),
            ("a line feed", "wet gravel under\n", .controlCharacter),
            ("a known one", "correcthorsebatterystaple", .common),
            ("a known one in capitals", "CorrectHorseBatteryStaple", .common),
            ("a place", "BritishColumbia", .common), ("one digit", "111111111111", .common),
            ("two characters in turn", "abababababababababab", .common),
            ("a word twice", "passwordpassword", .common), ("digits in order", "123456789012", .common),
            ("rows of keys", "qwerasdfzxcv", .common), ("columns of keys", "1qaz2wsx3edc", .common),
            ("two rows in turn", "1q2w3e4r5t6y", .common), ("a team and digits", "Liverpool123", .common),
            ("the town three times", "SookeSookeSooke!", .predictable),
            ("the town and seven others", "Sooke1234567", .predictable),
            ("parts of the town's name", "East1962Sooke!", .predictable),
            ("the person's name and digits", "Marianne1962!", .predictable),
            ("the person's e-mail address", "marianne@slacktide.example", .predictable),
        ] as [(String, String, PasswordProblem)])
    func mayNotBeSet(name: String, text: String, problem: PasswordProblem) {
        let found = PasswordPolicy.problem(with: Password(text), knowing: ["marianne@slacktide.example", "East Sooke"])
        #expect(found == problem, "\(name)")
    }

    @Test func theList() {
        #expect(PasswordPolicy.commonPasswords.count == 3_000)
        for text in PasswordPolicy.commonPasswords {
            #expect(PasswordPolicy.problem(with: Password(text)) == .common, "\(text)")
        }
    }

    /// Phrases and other passwords that are not guessed first.
    @Test(arguments: [
        "a long walk to Whiffin Spit", "kelp and driftwood, 5 a.m.", "plum-ladder-oxide-42", "quartz-heron-fable-77",
        "seven otters under the pier", "gravelbicyclethursday", "liverpool beat us in the rain",
        "my california cousin sings badly", "dandelion wine by the sea", "three-purple-monkeys",
        "ferryboatsunrisecoffee",
        "liverpool8f3kq9", "tK4#liverpool9z!m", "california81726354", "grandma's 14 tomato plants",
        "kqzvtrwmxgph", "kX9#mP2$vL5q", "829461730592", "Sooke-kX9#mP2", "grandmother moved to sooke by ferry",
        "\u{6771}\u{4EAC}\u{5927}\u{962A}\u{540D}\u{53E4}\u{5C4B}\u{672D}\u{5E4C}\u{795E}\u{6238}\u{6D25}",
        String("wet gravel under the bicycle ".map { $0 }.cycled(511)),
        "J'aime bien les huîtres", "correct staple battery horse", "wir fahren nach vancouver", "olgaandottodrankgin",
    ])
    func phrasesAreAccepted(text: String) {
        #expect(
            PasswordPolicy.problem(with: Password(text), knowing: ["dan@a.example", "", "@", "Sooke"]) == nil, "\(text)"
        )
    }
}

extension [Character] {
    /// The elements over and over, `count` in all.
    fileprivate func cycled(_ count: Int) -> [Character] {
        (0..<count).map { self[$0 % self.count] }
    }
}
