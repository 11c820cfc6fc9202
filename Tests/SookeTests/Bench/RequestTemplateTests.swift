import TestSupport
import Testing

@testable import sooke

@Suite struct RequestTemplateTests {
    /// A template and what it may become for request 12.
    @Test(arguments: [
        ("/plain?a=b", ["/plain?a=b"]),
        ("", [""]),
        ("/page={3..3}", ["/page=3"]),
        ("{0..1}{5..6}", ["05", "06", "15", "16"]),
        (#"{"name":"number {n}"}"#, [#"{"name":"number 12"}"#]),
        ("{n}-{n}", ["12-12"]),
        ("{}{a..b}{1..}{..2}{1.2}{1...2}{-1..2}", ["{}{a..b}{1..}{..2}{1.2}{1...2}{-1..2}"]),
        ("{{n}}", ["{{n}}", "{12}"]),
        ("open {", ["open {"]),
        (#"{"hours":{"from":{8..8}}}"#, [#"{"hours":{"from":8}}"#]),
    ])
    func fillsIn(text: String, results: [String]) throws {
        let template = try RequestTemplate(text)
        var seen: Set<String> = []
        var random = SplitMix64(seed: 7)
        for _ in 0..<100 {
            var bytes: [UInt8] = []
            template.append(to: &bytes, number: 12, random: &random)
            seen.insert(String(decoding: bytes, as: UTF8.self))
        }
        #expect(seen.isSubset(of: results) && (seen == Set(results) || text == "{{n}}"))
    }

    @Test(arguments: ["{2..1}", "{0..1000000001}", "{99999999999999999999..99999999999999999999}"])
    func refuses(text: String) {
        #expect(throws: CommandError.self) { try RequestTemplate(text) }
    }
}
