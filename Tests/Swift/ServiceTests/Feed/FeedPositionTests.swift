import Testing

@testable import Service
@testable import Store

@Suite struct FeedPositionTests {
    @Test(
        arguments: [
            ("120.3fa9c0de12345678", .anyone), ("120.3fa9c0de12345678.all", .all),
            ("120.3fa9c0de12345678.7", .person(7)),
        ] as [(String, Viewer.Scope)])
    func textBothWays(text: String, scope: Viewer.Scope) throws {
        let commit = try #require(HistoryPosition("120.3fa9c0de12345678"))
        let position = FeedPosition(commit, scope, nil)
        #expect(position.description == text)
        #expect(FeedPosition(text) == position)
    }

    /// The code depends on the store, the sequence number and the chain.
    @Test func theCodeIsThatOfTheStore() async throws {
        let (one, two) = (try await ServiceTown(), try await ServiceTown())
        let (first, second) = (one.store.current.position, two.store.current.position)
        let texts = [(first, one), (second, one), (first, two), (second, two)].map { commit, town in
            "\(FeedPosition(commit, .anyone, town.service.key))"
        }
        #expect(Set(texts).count == 4)
        #expect(!texts.contains("\(first)"))
        #expect(one.service.publicPosition(first) == texts[0])
        let version = one.store.current
        func commit(_ text: String) -> HistoryPosition? {
            FeedPosition(text)?.commit(in: version, for: .anyone, one.service.key)
        }
        #expect(commit(texts[0]) == first)
        for text in texts[1...] + ["\(first)", "x"] { #expect(commit(text) == nil) }
    }

    @Test(arguments: [
        "", ".", "120", "120.", "x.3fa9c0de12345678", "120.3fa9c0de12345678.", "120.3fa9c0de12345678.ALL",
        "120.3fa9c0de12345678.07", "120.3fa9c0de12345678.+7", "120.3fa9c0de12345678.7.1",
        "120.3fa9c0de12345678.99999999999999999999",
    ])
    func otherTextIsNoPosition(text: String) {
        #expect(FeedPosition(text) == nil)
    }
}
