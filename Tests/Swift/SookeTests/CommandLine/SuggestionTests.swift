import Bytes
import Testing

@testable import sooke

@Suite struct SuggestionTests {
    @Test(arguments: [
        ("sevre", "serve"), ("serv", "serve"), ("exprot", "export"), ("imports", "import"), ("stat", "status"),
        ("s", nil), ("", nil), ("-", nil), ("backup", nil), ("xyz", nil),
    ])
    func findsTheNearest(word: String, nearest: String?) {
        let commands = ["serve", "import", "export", "status", "snapshot"]
        #expect(Suggestion.nearest(to: word, in: commands) == nearest)
    }

    @Test(arguments: [
        ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("abc", "abd", 1), ("abc", "acb", 1),
        ("prot", "port", 1), ("kitten", "sitting", 3), ("ca", "abc", 3),
    ])
    func measuresDistance(left: String, right: String, distance: Int) {
        #expect(Suggestion.distance(Array(left.utf8), Array(right.utf8)) == distance)
    }
}
