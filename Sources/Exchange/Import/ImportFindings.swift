import Bytes
import JSON
import SookeModel

/// The problems of an import, or its warnings, where those of one kind are grouped: a mistake in a column is one
/// message, not one for each row.
package struct ImportFindings: Sendable, Equatable {
    /// Findings of one kind in a file: those of the same field whose messages differ at most in what they quote.
    package struct Group: Sendable, Equatable {
        package fileprivate(set) var first: ImportProblem
        /// The rows or lines, at most `ImportFindings.shownRows`.
        package fileprivate(set) var rows: [Int]
        /// The names of the records, where messages have them.
        package fileprivate(set) var records: [String] = []
        package fileprivate(set) var count: Int
    }

    /// The groups, in the order of their first findings, at most `limit` of warnings and of problems.
    package private(set) var groups: [Group] = []
    /// The number of problems that are in no group, because there are too many groups.
    package private(set) var others = 0
    private var places: [Kind: Int] = [:]
    /// The number of groups of warnings, and of problems.
    private var sizes: [Bool: Int] = [:]

    /// The most groups.
    static let limit = 1_000
    /// The most rows of a group that are stored.
    static let shownRows = 20
    /// The most groups that a person reads.
    private static let shownGroups = 20

    private struct Kind: Hashable {
        let isWarning: Bool
        let file: ByteText
        let field: ByteText
        let message: ByteText
    }

    package init() {}

    init(_ problems: [ImportProblem]) {
        for problem in problems { add(problem) }
    }

    package var isEmpty: Bool { groups.isEmpty }

    /// The number of findings that are no warnings.
    package var problemCount: Int { groups.reduce(others) { $0 + ($1.first.isWarning ? 0 : $1.count) } }

    mutating func add(_ problem: ImportProblem) {
        let kind = Kind(
            isWarning: problem.isWarning, file: ByteText(problem.file), field: ByteText(problem.field),
            message: ByteText(Self.pattern(of: problem.message)))
        if let place = places[kind] {
            groups[place].count += 1
            if groups[place].rows.count < Self.shownRows {
                groups[place].rows.append(problem.line)
                if !problem.record.isEmpty { groups[place].records.append(problem.record) }
            }
        } else if sizes[problem.isWarning, default: 0] < Self.limit {
            places[kind] = groups.count
            sizes[problem.isWarning, default: 0] += 1
            let records = problem.record.isEmpty ? [] : [problem.record]
            groups.append(Group(first: problem, rows: [problem.line], records: records, count: 1))
        } else if !problem.isWarning {
            others += 1
        }
    }

    /// Whether two are the same, whatever their order of adding.
    package static func == (left: Self, right: Self) -> Bool {
        left.groups == right.groups && left.others == right.others
    }

    /// A message without what it quotes, and without its numbers.
    private static func pattern(of message: String) -> String {
        var pattern: [UInt8] = []
        var isQuoted = false
        for byte in message.utf8 {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !isQuoted, !ASCII.isDigit(byte) { pattern.append(byte) }
        }
        return String(decoding: pattern, as: UTF8.self)
    }

    /// The first groups for a person, a line for each, and how many there are besides: warnings, then problems.
    package var lines: [String] {
        [true, false].flatMap { isWarning in
            let all = groups.filter { $0.first.isWarning == isWarning }
            let rest = all.dropFirst(Self.shownGroups).reduce(isWarning ? 0 : others) { $0 + $1.count }
            return all.prefix(Self.shownGroups).map(\.description) + (rest > 0 ? ["… and \(rest) more"] : [])
        }
    }
}

extension ImportFindings.Group: CustomStringConvertible {
    /// The first finding, and the rows of the others.
    package var description: String {
        guard count > 1 else { return first.description }
        var others = rows.indices.dropFirst().map { index in
            let record = index < records.count ? records[index] : ""
            return record.isEmpty ? String(rows[index]) : "\"\(record)\""
        }
        if count > rows.count { others.append("…") }
        return "\(first) (\(count) like this: also in \(others.joined(separator: ", ")))"
    }
}

/// The form between a running server and the command line:
/// `[{"file":…,"line":…,"field":…,"message":…,"count":…,"lines":[…]},…]`. An element without a file counts those that
/// are in no group.
extension ImportFindings {
    package func write(to writer: inout JSONWriter) {
        writer.beginArray()
        var groups = groups
        if others > 0 {
            let rest = ImportProblem(file: "", line: 0, field: "", message: "further ones")
            groups.append(Group(first: rest, rows: [], count: others))
        }
        for group in groups {
            writer.beginObject()
            writer.member("file", group.first.file)
            writer.member("line", group.first.line)
            writer.member("field", group.first.field)
            writer.member("message", group.first.message)
            if group.first.isWarning { writer.member("is_warning", true) }
            writer.member("count", group.count)
            writer.key("lines")
            writer.beginArray()
            for row in group.rows { writer.int(row) }
            writer.endArray()
            if !group.first.record.isEmpty {
                writer.key("records")
                writer.beginArray()
                for record in group.records { writer.string(record) }
                writer.endArray()
            }
            writer.endObject()
        }
        writer.endArray()
    }

    /// Reads what `write(to:)` wrote.
    ///
    /// - Throws: when the next value is something else.
    package init(from reader: inout JSONReader) throws(JSONError) {
        try reader.beginArray()
        while try reader.nextElement() {
            let group = try Group(from: &reader)
            if group.first.file.isEmpty { others += group.count } else { groups.append(group) }
        }
    }
}

extension ImportFindings.Group {
    fileprivate init(from reader: inout JSONReader) throws(JSONError) {
        var (file, line, field, message) = ("", 0, "", "")
        (rows, count) = ([], 1)
        var isWarning = false
        try reader.beginObject()
        while let key = try reader.nextKey() {
            switch key {
            case "file": file = try reader.readString()
            case "line": line = try reader.readInt()
            case "field": field = try reader.readString()
            case "message": message = try reader.readString()
            case "is_warning": isWarning = try reader.readBool()
            case "count": count = try reader.readInt()
            case "lines":
                try reader.beginArray()
                while try reader.nextElement() { rows.append(try reader.readInt()) }
            case "records":
                try reader.beginArray()
                while try reader.nextElement() { records.append(try reader.readString()) }
            default: throw reader.error("a finding of an import has no \"\(key)\"")
            }
        }
        first = ImportProblem(
            file: file, line: line, field: field, message: message, record: records.first ?? "", isWarning: isWarning)
    }
}

/// A problem of a file to import, with its position.
package struct ImportProblem: Sendable, Equatable, CustomStringConvertible {
    /// The file's name, as it was given.
    package let file: String
    /// The line, or in a table the row, from 1.
    package let line: Int
    /// The name of the record; empty where the line tells which it is, or it has none.
    package let record: String
    /// The field, or the column of text that could not be read; empty for the whole record or file.
    package let field: String
    /// The problem, in words for the person who wrote the file.
    package let message: String
    /// Whether it is only probable, and does not prevent an import.
    package let isWarning: Bool

    init(file: String, line: Int, field: String, message: String, record: String = "", isWarning: Bool = false) {
        (self.file, self.line, self.field, self.message) = (file, line, field, message)
        self.record = record
        self.isWarning = isWarning
    }

    /// `file:line: "record": field: message`, after `warning: ` for a warning.
    package var description: String {
        let place = record.isEmpty ? "\(file):\(line)" : "\(file):\(line): \"\(record)\""
        let text = field.isEmpty ? "\(place): \(message)" : "\(place): \(field): \(message)"
        return isWarning ? "warning: " + text : text
    }
}

/// The problems of an import, by file and line. Nothing of it was applied.
package struct ImportProblems: Error, Sendable, Equatable, CustomStringConvertible {
    /// The problems, at least one.
    package let all: [ImportProblem]
    /// The problems with those of one kind grouped, after the warnings, which may be their reason.
    package let findings: ImportFindings

    init(_ all: [ImportProblem], after warnings: ImportFindings = ImportFindings()) {
        self.all = all
        var findings = warnings
        for problem in all { findings.add(problem) }
        self.findings = findings
    }

    /// One problem per line.
    package var description: String {
        all.map(\.description).joined(separator: "\n")
    }
}
