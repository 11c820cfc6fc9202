/// A problem of a file to import, with its position.
public struct ImportProblem: Sendable, Equatable, CustomStringConvertible {
    /// The file's name, as it was given.
    public let file: String
    /// The line, or in a table the row, from 1.
    public let line: Int
    /// The name of the record; empty where the line tells which it is, or it has none.
    public let record: String
    /// The field, or the column of text that could not be read; empty for the whole record or file.
    public let field: String
    /// The problem, in words for the person who wrote the file.
    public let message: String
    /// Whether it is only probable, and does not prevent an import.
    public let isWarning: Bool

    init(file: String, line: Int, field: String, message: String, record: String = "", isWarning: Bool = false) {
        (self.file, self.line, self.field, self.message) = (file, line, field, message)
        self.record = record
        self.isWarning = isWarning
    }

    /// `file:line: "record": field: message`, after `warning: ` for a warning.
    public var description: String {
        let place = record.isEmpty ? "\(file):\(line)" : "\(file):\(line): \"\(record)\""
        let text = field.isEmpty ? "\(place): \(message)" : "\(place): \(field): \(message)"
        return isWarning ? "warning: " + text : text
    }
}

/// The problems of an import, by file and line. Nothing of it was applied.
public struct ImportProblems: Error, Sendable, Equatable, CustomStringConvertible {
    /// The problems, at least one.
    public let all: [ImportProblem]
    /// The problems with those of one kind grouped, after the warnings, which may be their reason.
    public let findings: ImportFindings

    init(_ all: [ImportProblem], after warnings: ImportFindings = ImportFindings()) {
        self.all = all
        var findings = warnings
        for problem in all { findings.add(problem) }
        self.findings = findings
    }

    /// One problem per line.
    public var description: String {
        all.map(\.description).joined(separator: "\n")
    }
}
