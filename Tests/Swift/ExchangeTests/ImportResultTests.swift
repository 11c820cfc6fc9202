import JSON
import SookeModel
import Testing

@testable import Exchange

/// Reports and problems in their form between a running server and the command line.
@Suite struct ImportResultTests {
    @Test func aReportIsReadBack() throws {
        var town = try TestTown.small()
        let report = try town.take(
            #"{"businesses":[{"slug":"pub","phone":null}],"categories":[{"name":"Bars"},{"name":"New"}]}"#, as: "x.json"
        )
        var writer = JSONWriter()
        report.write(to: &writer)
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == #"{"settings":{"created":0,"updated":0,"unchanged":0},"#
                + #""category":{"created":1,"updated":0,"unchanged":1},"#
                + #""event_type":{"created":0,"updated":0,"unchanged":0},"#
                + #""user":{"created":0,"updated":0,"unchanged":0},"#
                + #""business":{"created":0,"updated":1,"unchanged":0},"#
                + #""event":{"created":0,"updated":0,"unchanged":0},"#
                + #""changes":[{"kind":"category","key":"new","name":"New","fields":[]},"#
                + #"{"kind":"business","key":"pub","name":"","fields":["phone"]}],"warnings":[]}"#)
        var reader = JSONReader(writer.bytes)
        #expect(try ImportReport(from: &reader) == report)
        #expect(report.description == "categories: 1 new, 1 as before; businesses: 1 changed")
    }

    @Test func problemsAreReadBack() throws {
        let problems = ImportFindings([
            ImportProblem(file: "a \"b\".csv", line: 7, field: "hours[0].open_time", message: "must be\nthere"),
            ImportProblem(file: "-", line: 1, field: "", message: "is empty"),
            ImportProblem(file: "-", line: 3, field: "", message: "is empty"),
        ])
        var writer = JSONWriter()
        problems.write(to: &writer)
        var reader = JSONReader(writer.bytes)
        #expect(try ImportFindings(from: &reader) == problems)
        #expect(
            problems.lines == [
                "a \"b\".csv:7: hours[0].open_time: must be\nthere", "-:1: is empty (2 like this: also in 3)",
            ])
    }

    @Test(arguments: ["[]", "{\"shop\":{}}", "{\"business\":{\"made\":1}}", "{\"business\":{\"created\":\"1\"}}"])
    func whatIsNoReportIsRefused(text: String) {
        var reader = JSONReader(Array(text.utf8))
        #expect(throws: JSONError.self) { try ImportReport(from: &reader) }
    }

    @Test(arguments: ["{}", "[1]", "[{\"file\":1}]", "[{\"path\":\"x\"}]"])
    func whatAreNoProblemsIsRefused(text: String) {
        var reader = JSONReader(Array(text.utf8))
        #expect(throws: JSONError.self) { try ImportFindings(from: &reader) }
    }
}
