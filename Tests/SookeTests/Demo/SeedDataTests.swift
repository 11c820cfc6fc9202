import Foundation
import Testing

@testable import sooke

@Suite struct SeedDataTests {
    @Test func equalsTheFile() throws {
        let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
        let file = try Data(contentsOf: root.appending(path: "data/sooke.json"))
        let literal = SeedData.json.withUTF8Buffer { Data($0) }
        #expect(literal == file, "run Tests/SeedData/generate.py")
    }
}
