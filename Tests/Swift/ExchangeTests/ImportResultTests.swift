import JSON
import SookeModel
import Testing

@testable import Exchange

/// Reports and problems in their form between a running server and the command line.
@Suite struct ImportResultTests {
    private static let dataset =
        #"{"businesses":[{"slug":"pub","phone":null}],"categories":[{"name":"Bars"},{"name":"New"}]}"#

    @Test func anAnswerIsReadBack() throws {
        var town = try TestTown.small()
        let report = try town.take(Self.dataset, as: "x.json")
        var writer = JSONWriter()
        report.write(to: &writer)
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == #"{"summary":"categories: 1 new, 1 as before; businesses: 1 changed","lines":[],"problems":0,"#
                + #""left_out":0,"records":3,"#
                + #""changes":["new: New (new)","changed: pub: phone"],"skipped":[],"counts":{"#
                + #""settings":{"created":0,"updated":0,"unchanged":0,"deleted":0},"#
                + #""category":{"created":1,"updated":0,"unchanged":1,"deleted":0},"#
                + #""event_type":{"created":0,"updated":0,"unchanged":0,"deleted":0},"#
                + #""user":{"created":0,"updated":0,"unchanged":0,"deleted":0},"#
                + #""business":{"created":0,"updated":1,"unchanged":0,"deleted":0},"#
                + #""event":{"created":0,"updated":0,"unchanged":0,"deleted":0},"#
                + #""notice":{"created":0,"updated":0,"unchanged":0,"deleted":0}}}"#)
        var reader = JSONReader(writer.bytes)
        let answer = try ImportAnswer(from: &reader)
        #expect(answer.summary == report.description)
        #expect(answer.changes == report.changeLines)
        #expect(answer.problemCount == 0 && answer.lines.isEmpty && answer.skipped.isEmpty)
    }

    @Test func whatIsLeftOutIsReadBack() throws {
        var town = try TestTown.small()
        var options = ImportOptions()
        options.skipsInvalid = true
        let text = "name,category,address,latitude,longitude\nOne,Bars,1 A,95,-123.72\n"
        let report = try town.take(text, as: "x.csv", options)
        var writer = JSONWriter()
        report.write(to: &writer)
        var reader = JSONReader(writer.bytes)
        let answer = try ImportAnswer(from: &reader)
        #expect(answer.problemCount == report.problems.problemCount && answer.problemCount > 0)
        #expect(answer.lines == report.problems.lines && answer.leftOut == 1 && answer.records == 1)
        #expect(answer.skipped == report.skipped && answer.skipped.first?.bytes == Array(text.utf8))
    }

    @Test func problemsAreLines() throws {
        let problems = ImportProblems([
            Finding(file: "a \"b\".csv", row: 7, FieldProblem("hours[0].open_time", "must be\nthere")),
            Finding(file: "-", row: 1, FieldProblem("", "is empty")),
            Finding(file: "-", row: 3, FieldProblem("", "is empty")),
        ])
        var writer = JSONWriter()
        problems.write(to: &writer)
        var reader = JSONReader(writer.bytes)
        #expect(
            try reader.readTexts() == [
                "a \"b\".csv:7: hours[0].open_time: must be\nthere", "-:1: is empty (2 like this: also in 3)",
            ])
        #expect(problems.summary == "3 problems; nothing was imported")
    }

    @Test(arguments: ["[]", "{\"summary\":1}", "{\"lines\":\"x\"}", "{\"skipped\":[1]}"])
    func whatIsNoAnswerIsRefused(text: String) {
        var reader = JSONReader(Array(text.utf8))
        #expect(throws: JSONError.self) { try ImportAnswer(from: &reader) }
    }
}
