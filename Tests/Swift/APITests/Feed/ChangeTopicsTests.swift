import HTTP
import Testing

@testable import API

@Suite struct ChangeTopicsTests {
    @Test(arguments: [",", "business,", ",business", Array(repeating: "a", count: 21).joined(separator: ",")])
    func otherTopicsAreRefused(text: String) {
        #expect(throws: HTTPError.self) { try ChangeTopics(text) }
    }

    @Test(
        arguments: [
            (nil, true, 5), ("settings,category,event_type,business,event", true, 5), ("business", false, 1),
            ("business,event", false, 2), ("settings", false, 1), ("zeds", false, 5), ("business,zeds", false, 5),
        ] as [(String?, Bool, Int)])
    func theKindsThatMayOccur(text: String?, isAll: Bool, kinds: Int) throws {
        let topics = try ChangeTopics(text)
        #expect(topics.isAll == isAll)
        #expect(topics.possibleKinds.count == kinds)
    }
}
