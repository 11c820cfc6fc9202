import Bytes
import JSON
import SookeModel
import Store

/// One record of a file, with the problems found while it was read.
///
/// A dataset has its fields. Other files have cells under the names of the columns of a table, of which the table makes
/// fields; what only the town knows stays open: the records that have a name, and the moments of times on the clocks of
/// a zone.
struct ImportRow: Sendable {
    /// What kind of file it is from. Only a dataset has slugs and moments; the others may have names and local times.
    enum Origin {
        case dataset, table, other, calendar
    }

    /// A time on the clocks of the zone of an event.
    struct LocalTime: Sendable {
        /// `starts_at` or `ends_at`.
        let field: String
        let date: CivilDate
        let secondsOfDay: Int
    }

    /// A record that was deleted where the file is from.
    struct Deletion: Sendable {
        /// Its key before.
        let key: RecordKey
        let id: Int
    }

    /// What a calendar cancels of an event that is there.
    struct Cancellation: Sendable {
        /// The end of the slug of the event.
        let digest: String
        /// The starts of its occurrences; empty for all of it.
        let occurrences: [Timestamp]
    }

    /// The line where the record begins, from 1.
    let line: Int
    var origin = Origin.dataset
    /// The fields of the record; nil when it could not be read.
    var patch: (any AnyPatch)?
    /// The values by the names of columns, in a file that is no table. Each column occurs once.
    var cells: [(column: String, text: String)] = []
    /// The problems found while it was read.
    var problems = FieldProblems()
    /// What is probably wrong, and does not prevent the import.
    var warnings = FieldProblems()
    /// Whether the file could not be read from here on, so that records may refer to one that was not read.
    var isEnd = false
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
    /// What to add in a file that is no table for a field that is missing, by the field.
    var advice: [String: String] = [:]
    /// The names of what it has in such a file and an import does not use.
    var ignored: [String] = []
    /// Where an event of a calendar is, and what it is, in words.
    var venue: String?
    var categories: [String] = []
    var cancellation: Cancellation?

    init(line: Int, _ origin: Origin = .dataset) {
        (self.line, self.origin) = (line, origin)
    }

    init(line: Int, problem field: String, _ message: String, isEnd: Bool = false) {
        self.line = line
        self.isEnd = isEnd
        problems.add(field, message)
    }

    /// A warning that is not about a record.
    init(line: Int, warning field: String, _ message: String) {
        self.line = line
        warnings.add(field, message)
    }

    /// Reads a record of a dataset.
    ///
    /// - Throws: when the text is not JSON.
    init(line: Int, _ type: any WritableRecord.Type, from reader: inout JSONReader) throws(JSONError) {
        self.line = line
        patch = try type.readPatch(from: &reader, &problems)
        // A problem without a field means that there is no object: all fields would be missing, too.
        if problems.all.contains(where: \.field.isEmpty) { patch = nil }
    }
}

extension ImportRow {
    /// The name of the record in messages, or its slug; empty when it has none.
    var label: String {
        if !givenLabel.isEmpty { return givenLabel }
        let name = patch?.name ?? ""
        return name.isEmpty ? patch?.key?.text.text ?? "" : name
    }

    /// The name among its cells.
    var nameInCells: String {
        (self["name"] ?? cells.first { FeatureProperties.isName($0.column) }?.text ?? "").excerpt()
    }

    subscript(_ column: String) -> String? { cells.first { $0.column == column }?.text }

    /// Adds a value, unless it is nil or the column has one.
    mutating func set(_ column: String, _ text: String?) {
        guard let text, self[column] == nil else { return }
        cells.append((column, text))
    }

    /// Whether it is from a file that names categories of its own.
    var isForeign: Bool { origin == .other || origin == .calendar }

    /// The key of a record without a slug, which follows from its name.
    var keyByName: RecordKey? { hasSlug || origin == .dataset || origin == .calendar ? nil : patch?.key }

    mutating func nameApart(in zone: TimeZone) {
        guard var patch else { return }
        patch.nameApart(&self, in: zone)
        self.patch = patch
    }

    mutating func skip() {
        (isSkipped, patch) = (true, nil)
        (problems, warnings) = (FieldProblems(), FieldProblems())
    }
}

// MARK: - What is wrong with it, in the terms of its file

extension ImportRow {
    private static let noPlace =
        "are missing, and apps show every business on a map; say where the town is with --center 48.374,-123.726 or a "
        + "link to a map, and add locations later, or add them now as a map gives them: 48.374, -123.726, a link, or a "
        + "geo: address"
    /// What becomes of a business without a location in a town with a center.
    static let waiting =
        "are missing: apps show it at the center of the town until you add them, as a map gives them: 48.374, "
        + "-123.726, a link, or a geo: address"

    private static let placeFields = ["latitude", "longitude"]
    private static let startFields = ["starts_at"] + EventTimeCells.Part.allCases.map(\.rawValue)
    private static let empty = ["is missing", "must not be empty", Business.needsCenter]

    /// The problems of the town with the record, without those that only follow from others.
    ///
    /// - Parameter found: the problems that were found while it was read.
    func explained(_ problems: [FieldProblem], found: FieldProblems) -> [FieldProblem] {
        let lacksPlace =
            origin != .dataset && patch?.isOnMap == true
            && !found.all.contains { Self.placeFields.contains($0.field) }
            && Self.placeFields.allSatisfy { problems.contains(FieldProblem($0, Business.needsCenter)) }
        let missing = FieldProblem("coordinates", advice["coordinates"] ?? Self.noPlace)
        return problems.compactMap { problem in
            if lacksPlace, Self.placeFields.contains(problem.field), Self.empty.contains(problem.message) { return nil }
            return explanation(of: problem, found: found).map { FieldProblem(column(problem.field), $0) }
        } + (lacksPlace ? [missing] : [])
    }

    private func explanation(of problem: FieldProblem, found: FieldProblems) -> String? {
        guard origin != .dataset, Self.empty.contains(problem.message) else { return problem.message }
        switch problem.field {
        case "slug" where patch?.name.isEmpty == true: return nil
        case "starts_at" where found.all.contains { Self.startFields.contains($0.field) }: return nil
        default: break
        }
        if problem.message == Business.needsCenter { return Self.empty[0] }
        if let advice = advice[problem.field] { return advice }
        if let damage = warnings.all.first(where: { $0.field == problem.field }) { return damage.message }
        let rest = problem.field == "event_type" ? "; --event-type gives it to all events without one" : ""
        return problem.message + rest
    }

    /// The name of a field in the file.
    private func column(_ field: String) -> String {
        if let person, field == person.field { person.column } else { field }
    }

    /// A warning about a business that was found by its name, and whose address the row has changed: it may be another
    /// branch.
    func warning(aboutChangeIn transaction: WriteTransaction) -> FieldProblem? {
        guard origin != .dataset, let patch, let field = patch.distinction, !hasSlug,
            transaction.fieldsOfLastChange.contains(field)
        else { return nil }
        return FieldProblem(
            field,
            "replaces that of \"\(patch.name.excerpt())\", which is there already; if this is another branch, give it "
                + (isForeign ? "another name" : "a slug of its own in a column \"slug\""))
    }
}
