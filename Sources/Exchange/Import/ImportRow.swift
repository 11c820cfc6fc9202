import Bytes
import JSON
import SookeModel
import Store

/// One record of a file, with the problems found while it was read.
struct ImportRow: Sendable {
    /// The line where the record begins, from 1.
    let line: Int
    /// The fields of the record; nil when it could not be read.
    var patch: (any AnyPatch)?
    /// The problems found while it was read.
    var problems = FieldProblems()
    /// What is probably wrong, and does not prevent the import.
    var warnings = FieldProblems()
    /// Whether the record of a table has a slug.
    var hasSlug = false
    /// The name of a record that could not be read, or that has none in its patch; empty when that is not known.
    var givenLabel = ""
    /// Where it is in the text of the file, in one or more parts.
    var source: [Range<Int>] = []
    /// The collection of a dataset in which it is.
    var collection = ""
    /// Whether the record is that with its ID, whatever its slug; otherwise it is that with its slug.
    var keepsID = false
    var deletion: Deletion?
    /// A private record, for a town without people.
    var privateRecord: AnyRecord?
    /// Whether it is left out of the import, because it is invalid.
    var isSkipped = false
    /// The names of other records in a row of a table; nil for a record of a dataset.
    var names: TableNames?

    /// A record that was deleted where the file is from.
    struct Deletion: Sendable {
        /// Its key before.
        let key: RecordKey
        let id: Int
    }
}

/// What a row of a table leaves open until all other records are known: names instead of slugs, and times on the clocks
/// of a zone.
///
/// A category, an event type or a business may be given by its slug, as in a dataset, or by its name.
struct TableNames: Sendable {
    /// A time on the clocks of the zone of an event.
    struct LocalTime: Sendable {
        /// `starts_at` or `ends_at`.
        let field: String
        let date: CivilDate
        let secondsOfDay: Int
    }

    /// What a calendar says about an event in words.
    struct Calendar: Sendable {
        let event: Patch<Event>
        let venue: String?
        let categories: [String]
        /// What it cancels of an event that is there; nil for an event to import.
        var cancellation: Cancellation?
    }

    struct Cancellation: Sendable {
        /// The end of the slug of the event.
        let digest: String
        /// The starts of its occurrences; empty for all of it.
        let occurrences: [Timestamp]
    }

    /// The field with a person, and its column; nil when the table has none.
    var person: (field: String, column: String)?
    /// The e-mail address of the person; nil when there is none, or the person is given by ID.
    var email: String?
    /// The days of the week with a column; the hours of the others stay unchanged. Empty when no day has a column, or
    /// all have one.
    var days: Set<Int> = []
    var localTimes: [LocalTime] = []
    /// The slug that follows from the name alone, for a record that has another one because others have its name.
    var plainSlug: Slug?
    var calendar: Calendar?
    /// Whether the record is from a file that is not a table: such files name categories of their own.
    var isFromOtherFile = false
    /// What to add in such a file for a field that is missing, by the field.
    var advice: [String: String] = [:]
}

extension ImportRow {
    /// The name of the record in messages, or its slug; empty when it has none.
    var label: String {
        if !givenLabel.isEmpty { return givenLabel }
        let name = patch?.name ?? ""
        return name.isEmpty ? patch?.key?.text.text ?? "" : name
    }

    /// Reads a record of a dataset.
    ///
    /// - Throws: when the text is not JSON.
    init(line: Int, _ type: any WritableRecord.Type, from reader: inout JSONReader) throws(JSONError) {
        self.init(line: line)
        patch = try type.readPatch(from: &reader, &problems)
        // A problem without a field means that there is no object: all fields would be missing, too.
        if problems.all.contains(where: \.field.isEmpty) { patch = nil }
    }

    init(line: Int, problem field: String, _ message: String) {
        self.init(line: line)
        problems.add(field, message)
    }
}

/// The content of a file.
struct FileRows: Sendable {
    /// The records and problems, in the order of their lines.
    var rows: [ImportRow] = []
    /// The progress is reported after this many records.
    static let progressInterval = 1024

    /// Whether all of the file could be read. If not, records may refer to one that was not read.
    private(set) var isWhole = true
    /// The text of the file, to which the sources of the records refer.
    var text: [UInt8] = []
    var format = ImportFormat.csv
    /// The highest IDs ever given where the file is from.
    var highestIDs: [(sequence: IDSequences.Sequence, id: Int)] = []
    /// Whether messages name the records: the lines of the file tell little about them.
    var namesRecords = false

    init() {}

    /// The businesses of a file that is not a table.
    init(_ records: [SourceRecord]) {
        guard let table = CSVTable<Business>() else { return }
        var ignored = IgnoredValues()
        for record in records {
            if let warning = record.warning {
                warn(line: record.line, "", warning)
                continue
            }
            var record = record
            ignored.take(from: &record, table)
            if record.isEndOfFile, let problem = record.problem {
                refuse(line: record.line, problem.field, problem.message)
            } else {
                var row = table.readRecord(record)
                row.givenLabel = record.label
                row.source = record.source.map { [$0] } ?? []
                row.names?.advice = record.advice
                rows.append(row)
            }
        }
        if let warning = ignored.warning { warn(line: warning.line, "", warning.message) }
    }

    /// Gives records of the same name slugs that tell them apart: businesses by their address, events by their date.
    mutating func nameApart(in zone: TimeZone) {
        let keys = rows.map(\.keyByName)
        var counts: [RecordKey: Int] = [:]
        for case let key? in keys { counts[key, default: 0] += 1 }
        for (index, key) in keys.enumerated() {
            if let key, counts[key] ?? 0 > 1 { rows[index].nameApart(in: zone) }
        }
    }

    /// Adds a problem that prevents reading a part of the file.
    mutating func refuse(line: Int, _ field: String, _ message: String) {
        isWhole = false
        rows.append(ImportRow(line: line, problem: field, message))
    }

    mutating func skip(_ indexes: some Sequence<Int>) {
        for index in indexes {
            (rows[index].isSkipped, rows[index].patch) = (true, nil)
            (rows[index].problems, rows[index].warnings) = (FieldProblems(), FieldProblems())
        }
    }

    /// Adds a warning that is not about a record.
    mutating func warn(line: Int, _ field: String, _ message: String) {
        var row = ImportRow(line: line)
        row.warnings.add(field, message)
        rows.append(row)
    }
}

extension ImportRow {
    /// The key of a record without a slug, which follows from its name.
    fileprivate var keyByName: RecordKey? { hasSlug ? nil : patch?.key }

    fileprivate mutating func nameApart(in zone: TimeZone) {
        guard var patch else { return }
        patch.nameApart(&names, in: zone)
        self.patch = patch
    }
}
