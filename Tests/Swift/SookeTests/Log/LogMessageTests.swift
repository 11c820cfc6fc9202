import Foundation
import Testing

@testable import sooke

@Suite struct LogMessageTests {
    private static func object(_ text: String) throws -> [String: Any] {
        #expect(text.hasSuffix("\n") && text.dropLast().allSatisfy { !$0.isNewline }, "one line")
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test(arguments: ["all is well", "two\nlines", "a \"quoted\" \\ \u{1B}[2J", "café"])
    func isALineInBothFormats(message: String) throws {
        #expect(LogMessage(.info, message).text(isJSON: false) == "sooke: \(message)\n")
        let object = try Self.object(LogMessage(.warning, message).text(isJSON: true))
        #expect(object["message"] as? String == message)
        #expect(object["level"] as? String == "warning")
        #expect(Set(object.keys) == ["time", "level", "message"])
    }

    @Test func hasFurtherMembers() throws {
        let message = LogMessage(.info, "ready") { $0.member("businesses", 40) }
        #expect(try Self.object(message.text(isJSON: true))["businesses"] as? Int == 40)
        #expect(message.text(isJSON: false) == "sooke: ready\n")
    }
}
