import Testing

@testable import Service

@Suite struct TimeZoneSuggestionTests {
    private static let names = [
        "America/Argentina/San_Juan", "America/Edmonton", "America/Halifax", "America/Kentucky/Louisville",
        "America/Los_Angeles", "America/Louisville", "America/New_York", "America/Nome", "America/St_Johns",
        "America/Toronto", "America/Vancouver", "America/Winnipeg", "EST", "Europe/Berlin", "Europe/Dublin", "UTC",
    ]

    @Test(
        arguments: [
            ("PST", "America/Vancouver"), ("pdt", "America/Vancouver"), ("MST", "America/Edmonton"),
            ("CST", "America/Winnipeg"), ("EST", "America/Toronto"), ("EDT", "America/Toronto"),
            ("NST", "America/St_Johns"), ("ADT", "America/Halifax"), ("Pacific", "America/Vancouver"),
            ("Pacific Time", "America/Vancouver"), ("US/Pacific", "America/Los_Angeles"),
            ("Vancouver", "America/Vancouver"), ("vancouver", "America/Vancouver"),
            ("america/vancouver", "America/Vancouver"), ("America/vancouver", "America/Vancouver"),
            ("Los Angeles", "America/Los_Angeles"), ("america/new york", "America/New_York"),
            ("Louisville", "America/Louisville"), ("America/Vancuver", "America/Vancouver"),
            ("Vancoover", "America/Vancouver"), ("Vancoovr", "America/Vancouver"), ("Vncoovr", nil),
            ("Sooke", "America/Vancouver"), ("utc", "UTC"),
            ("Europe/Berlni", "Europe/Berlin"), ("America/Nope", "America/Nome"), ("Berlin/Europe", nil),
            ("Dubli", nil),
            ("UTC-8", nil), ("", nil), ("../../etc/passwd", nil), (String(repeating: "a", count: 101), nil),
        ] as [(String, String?)])
    func finds(text: String, zone: String?) {
        #expect(
            TimeZoneSuggestion.advice(for: text, among: Self.names) == zone.map { "did you mean \($0)?" })
    }

    /// Without a database there is nothing to recommend.
    @Test(arguments: ["PST", "Pacific", "Vancouver"])
    func recommendsOnlyWhatExists(text: String) {
        #expect(TimeZoneSuggestion.advice(for: text, among: []) == nil)
    }
}
