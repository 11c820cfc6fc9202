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
            (nil, true, 4), ("category,event_type,business,event", true, 4), ("business", false, 1),
            ("business,event", false, 2), ("zeds", false, 4), ("business,zeds", false, 4),
        ] as [(String?, Bool, Int)])
    func theKindsThatMayOccur(text: String?, isAll: Bool, kinds: Int) throws {
        let topics = try ChangeTopics(text)
        #expect(topics.isAll == isAll)
        #expect(topics.possibleKinds.count == kinds)
    }
}
