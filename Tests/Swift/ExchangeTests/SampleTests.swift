import Foundation
import SookeModel
import TestSupport
import Testing

@testable import Exchange

/// The sample files of the project can be imported, and do no harm.
@Suite struct SampleTests {
    @Test func theTownIsImportedWithItsTables() throws {
        var town = TestTown()
        let options = EventRoundTripTests.options
        let report = try town.take(
            try Self.files("data/sooke.json", "data/businesses.csv", "data/events.csv"), options)
        #expect(report[.business].created == 48)
        #expect(report[.event].created == 36)
        let again = try Self.files("data/events.csv", "data/businesses.csv", "data/sooke.json")
        #expect(try town.take(again, options).changedNothing)
        #expect(try town.business("crème-copper").category == Slug("cafés-bakeries"))
    }

    @Test(arguments: ["data/businesses.csv", "data/events.csv"])
    func everyBeginningOfATableIsReadOrRefused(name: String) throws {
        let bytes = try #require(try Self.files(name).first).bytes
        for length in Cases.sample(bytes.indices, every: 7) {
            let rows = ImportFile(name: name, bytes: Array(bytes[..<length])).readRows().rows
            #expect(rows.count <= 10)
        }
    }

    @Test func everyBeginningOfADatasetIsRefused() throws {
        let town = try TestTown.small()
        let bytes = Array(town.dataset.utf8)
        for length in Cases.sample(bytes.indices, every: 7) {
            #expect(!TestTown().problems(with: [ImportFile(name: "x.json", bytes: Array(bytes[..<length]))]).isEmpty)
        }
    }

    @Test func everyBeginningOfNDJSONIsReadOrRefused() throws {
        let bytes = Array(try TestTown.small().text(.ndjson).utf8)
        for length in Cases.sample(bytes.indices, every: 7) {
            let rows = ImportFile(name: "x.ndjson", bytes: Array(bytes[..<length])).readRows().rows
            #expect(rows.count <= 7)
        }
    }

    /// Files of the project.
    static func files(_ paths: String...) throws -> [ImportFile] {
        return try paths.map { path in
            ImportFile(name: path, bytes: Array(try Data(contentsOf: ProjectFolder.file(path))))
        }
    }
}
