import Foundation
import TestSupport
import Testing

@testable import sooke

@Suite struct SeedDataTests {
    @Test(arguments: [("data/sooke.json", SeedData.town), ("data/week.json", SeedData.week)])
    func equalsTheFile(name: String, literal: StaticString) throws {
        let file = try Data(contentsOf: ProjectFolder.file(name))
        #expect(literal.withUTF8Buffer { Data($0) } == file, "run Tests/Generators/SeedData/generate.py")
    }
}
