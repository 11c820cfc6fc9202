import JSON

/// A problem of a file to import, with its position.
public struct ImportProblem: Sendable, Equatable, CustomStringConvertible {
    /// The file's name, as it was given.
    public let file: String
    /// The line, from 1.
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

    /// One problem per line.
    public var description: String {
        all.map(\.description).joined(separator: "\n")
    }
}

/// The form between a running server and the command line: `[{"file":…,"line":…,"field":…,"message":…},…]`.
extension ImportProblems {
    /// Writes the problems as an array.
    public func write(to writer: inout JSONWriter) {
        writer.beginArray()
        for problem in all {
            writer.beginObject()
            writer.member("file", problem.file)
            writer.member("line", problem.line)
            writer.member("field", problem.field)
            writer.member("message", problem.message)
            writer.endObject()
        }
        writer.endArray()
    }

    /// Reads what `write(to:)` wrote.
    ///
    /// - Throws: when the next value is something else.
    public init(from reader: inout JSONReader) throws(JSONError) {
        var all: [ImportProblem] = []
        try reader.beginArray()
        while try reader.nextElement() { all.append(try ImportProblem(from: &reader)) }
        self.init(all)
    }
}

extension ImportProblem {
    fileprivate init(from reader: inout JSONReader) throws(JSONError) {
        var (file, line, field, message) = ("", 0, "", "")
        try reader.beginObject()
        while let key = try reader.nextKey() {
            switch key {
            case "file": file = try reader.readString()
            case "line": line = try reader.readInt()
            case "field": field = try reader.readString()
            case "message": message = try reader.readString()
            default: throw reader.error("an import problem has no \"\(key)\"")
            }
        }
        self.init(file: file, line: line, field: field, message: message)
    }
}
