/// A problem of a file to import, with its position.
public struct ImportProblem: Sendable, Equatable, CustomStringConvertible {
    /// The file's name, as it was given.
    public let file: String
    /// The line, or in a table the row, from 1.
    public let line: Int
    /// The field, or the column of text that could not be read; empty for the whole record or file.
    public let field: String
    /// The problem, in words for the person who wrote the file.
    public let message: String

    init(file: String, line: Int, field: String, message: String) {
        (self.file, self.line, self.field, self.message) = (file, line, field, message)
    }

    /// `file:line: field: message`
    public var description: String {
        field.isEmpty ? "\(file):\(line): \(message)" : "\(file):\(line): \(field): \(message)"
    }
}

/// The problems of an import, by file and line. Nothing of it was applied.
public struct ImportProblems: Error, Sendable, Equatable, CustomStringConvertible {
    /// The problems, at least one.
    public let all: [ImportProblem]

    init(_ all: [ImportProblem]) {
        self.all = all
    }

    /// The problems with those of one kind grouped.
    public var findings: ImportFindings { ImportFindings(all) }

    /// One problem per line.
    public var description: String {
        all.map(\.description).joined(separator: "\n")
    }
}
