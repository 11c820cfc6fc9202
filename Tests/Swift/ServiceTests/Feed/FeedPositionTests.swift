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

    @Test(arguments: [
        "", ".", "120", "120.", "x.3fa9c0de12345678", "120.3fa9c0de12345678.", "120.3fa9c0de12345678.ALL",
        "120.3fa9c0de12345678.07", "120.3fa9c0de12345678.+7", "120.3fa9c0de12345678.7.1",
        "120.3fa9c0de12345678.99999999999999999999",
    ])
    func otherTextIsNoPosition(text: String) {
        #expect(FeedPosition(text) == nil)
    }
}
