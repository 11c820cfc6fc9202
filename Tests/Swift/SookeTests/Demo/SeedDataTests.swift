import Foundation
import TestSupport
import Testing

@testable import sooke

@Suite struct SeedDataTests {
    @Test func equalsTheFile() throws {
        let file = try Data(contentsOf: ProjectFolder.file("data/sooke.json"))
        let literal = SeedData.json.withUTF8Buffer { Data($0) }
        #expect(literal == file, "run Tests/Generators/SeedData/generate.py")
    }
}
