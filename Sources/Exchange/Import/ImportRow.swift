import JSON
import SookeModel

/// One record of a file, and what is wrong with it as far as reading it showed.
struct ImportRow: Sendable {
    /// The line the record begins in, from 1.
    let line: Int
    /// What the record says; nil when its text could not be read as a record.
    var patch: AnyPatch?
    /// What could not be read.
    var problems = FieldProblems()
    /// What the record names as people do in a table; nil for a record of a dataset.
    var names: TableNames?
}

/// How a row of a table names other records, to be looked up when all of them are known.
///
/// A category or an event type may be named by its slug, as in a dataset, or by its name.
struct TableNames: Sendable {
    /// The column of the person.
    let personColumn: String
    /// The e-mail address of the person; nil when there is none, or a number says who it is.
    var email: String?
    /// The days of the week whose hours the table gives; the business keeps those of the others.
    var days: Set<Int> = []
}

extension ImportRow {
    /// Reads a record of a dataset.
    ///
    /// - Throws: when the text is not JSON.
    init(line: Int, _ kind: RecordKind, from reader: inout JSONReader) throws(JSONError) {
        self.init(line: line)
        patch = try AnyPatch(kind, from: &reader, &problems)
        // A problem of no field is that there is no object: all fields would be missing too.
        if problems.all.contains(where: \.field.isEmpty) { patch = nil }
    }

    /// A record of which nothing could be read.
    init(line: Int, problem field: String, _ message: String) {
        self.init(line: line)
        problems.add(field, message)
    }
}
