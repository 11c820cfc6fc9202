import Foundation
import HTTP
import Store
import Testing

@testable import API

/// `q` on lists.
@Suite struct SearchRoutesTests {
    @Test(arguments: [
        ("q=eclair", ["Éclair 100%", "Zed's"]), ("q=ECLAR", ["Éclair 100%", "Zed's"]), ("q=zed", ["Zed's"]),
        ("q=bar", ["anchor", "Zed's"]), ("q=bakery", ["Éclair 100%"]), ("q=%22lunch%22", ["Zed's"]), ("q=shed", []),
        ("q=eclair&category=bars", ["Zed's"]), ("q=eclair&search=100%25", ["Éclair 100%"]),
        ("q=eclair&category=nope", []), ("q=eclair&per_page=1&page=2", ["Zed's"]),
        ("q=", ["anchor", "Éclair 100%", "Zed's"]),
    ])
    func findsBusinesses(_ query: String, _ names: [String]) async throws {
        let answer = try await TestTown().send(.get, "/api/v1/businesses?\(query)")
        #expect(answer.status == .ok)
        let body = try #require(JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
        let items = try #require(body["items"] as? [[String: Any]])
        #expect(items.compactMap { $0["name"] as? String } == names)
        #expect((body["is_bounded"] as? Bool) == (query == "q=" ? nil : false))
        for item in items { #expect((item["matches"] == nil) == (query == "q=")) }
    }

    @Test func showsWhatMatches() async throws {
        let answer = try await TestTown().send(.get, "/api/v1/businesses?q=eclair+bars")
        let matches =
            #""matches":[{"field":"category_name","text":"Bars"},{"field":"menus","text":"Éclair","item":"Éclair"}]}]"#
        #expect(answer.text.contains(matches), "\(answer.text)")
    }

    @Test(arguments: [
        ("%3F%21", "q needs a letter or a digit"), ("a+b+c+d+e+f+g+h+i+j+k", "q has 11 words, at most 10 are allowed"),
        (String(repeating: "a", count: 201), "q is 201 bytes long, at most 200 are allowed"),
    ])
    func refusesWhatCannotBeSearched(_ text: String, _ message: String) async throws {
        let answer = try await TestTown().send(.get, "/api/v1/businesses?q=\(text)")
        #expect(answer.status == .badRequest)
        #expect(answer.text.contains(#"{"code":"invalid_parameter","message":"\#(message)""#), "\(answer.text)")
    }
}
