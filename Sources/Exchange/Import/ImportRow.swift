import Bytes
import JSON
import SookeModel
import Store

/// One record of a file, with the problems found while it was read.
///
/// A dataset has its fields. Other files have cells under the names of the columns of a table, of which the table makes
/// fields; what only the town knows stays open: the records that have a name.
///
/// A town has many thousands of them in memory: what few have is in `Rare`.
@dynamicMemberLookup struct ImportRow: Sendable {
    /// Only a dataset has slugs; the others may have names.
    enum Origin {
        case dataset, table, other, calendar
    }

    /// What a calendar cancels: the event whose slug ends with the digest, or the occurrences with some starts.
    typealias Cancellation = (digest: String, occurrences: [LocalTime])

    let line: Int
    var origin = Origin.dataset
    var patch: (any AnyPatch)?
    /// By the names of columns, in a file that is no table. Each column occurs once.
    var cells: [(column: String, text: String)] = []
    var problems = FieldProblems()
    var warnings = FieldProblems()
    /// Whether the rest of the file could not be read, so that records may refer to one that was not read.
    var isEnd = false
    var hasSlug = false
    var collection = ""
    var source: [Range<Int>] = []
    /// Whether the ID identifies the record, regardless of its slug.
    var keepsID = false
    var isSkipped = false
    /// With a column; the hours of the others stay unchanged. Empty when no day has a column, or all have one.
    var days: Set<Int> = []
    private var rare: [Rare] = []

    struct Rare: Sendable {
        /// Of a record that could not be read, or that has no name in its patch; empty when not known.
        var givenLabel = ""
        /// What was deleted where the file is from.
        var deletion: (key: RecordKey, id: Int)?
        var privateRecord: AnyRecord?
        /// Nil when there is none, or the person is given by ID.
        var email: String?
        /// Follows from the name alone, for a record that has another one because others have its name.
        var plainSlug: Slug?
        var advice: [String: String] = [:]
        var ignored: [String] = []
        /// In words, each of which may be the name of a business.
        var venue: String?
        var organizer: String?
        /// What identifies it in a calendar.
        var key = ""
        /// What only the calendar of a town has, and the zone whose clocks it is on without another.
        var business: Slug?
        var ownLocation: String?
        var isOwn = false
        var hasOwnZone = false
        var zoneOfTown = ""
        var categories: [String] = []
        var cancellation: Cancellation?
    }

    private static let nothing = Rare()

    subscript<Value>(dynamicMember path: WritableKeyPath<Rare, Value>) -> Value {
        get { (rare.first ?? Self.nothing)[keyPath: path] }
        set {
            if rare.isEmpty { rare = [Self.nothing] }
            rare[0][keyPath: path] = newValue
        }
    }

    init(line: Int, _ origin: Origin = .dataset) {
        (self.line, self.origin) = (line, origin)
    }

    init(line: Int, problem field: String, _ message: String, isEnd: Bool = false) {
        self.line = line
        self.isEnd = isEnd
        problems.add(field, message)
    }

    init(line: Int, warning field: String, _ message: String) {
        self.line = line
        warnings.add(field, message)
    }

    init(line: Int, _ type: any WritableRecord.Type, from reader: inout JSONReader) throws(JSONError) {
        self.line = line
        patch = try type.readPatch(from: &reader, &problems)
        // A problem without a field means that there is no object: all fields would be missing, too.
        if problems.all.contains(where: \.field.isEmpty) { patch = nil }
    }
}

extension ImportRow {
    var label: String {
        if !self.givenLabel.isEmpty || origin == .calendar { return self.givenLabel }
        let name = patch?.name ?? ""
        return name.isEmpty ? patch?.key?.text.text ?? "" : name
    }

    /// A dataset has IDs.
    var person: (field: String, column: String)? { origin == .dataset ? nil : patch?.person }

    var nameInCells: String {
        (self["name"] ?? cells.first { FeatureProperties.isName($0.column) }?.text ?? "").excerpt()
    }

    subscript(_ column: String) -> String? { cells.first { $0.column == column }?.text }

    mutating func set(_ column: String, _ text: String?) {
        guard let text, self[column] == nil else { return }
        cells.append((column, text))
    }

    var isForeign: Bool { origin == .other || origin == .calendar }

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

extension ImportRow {
    private static let noPlace =
        "are missing, and apps show every business on a map; say where the town is with --center 48.374,-123.726 or a "
        + "link to a map, and add locations later, or "
    /// Of a business without a location in a town with a center.
    static let waiting =
        "are missing: apps show it at the center of the town until you add them, as a map gives them: 48.374, "
        + "-123.726, a link, or a geo: address"

    private static let placeFields = ["latitude", "longitude"]
    private static let startFields = ["starts_at"] + EventTimeCells.Part.allCases.map(\.rawValue)
    private static let empty = ["is missing", "must not be empty", Business.needsCenter]

    func explained(_ problems: [FieldProblem], found: FieldProblems) -> [FieldProblem] {
        let lacksPlace =
            origin != .dataset && patch?.isOnMap == true
            && !found.all.contains { Self.placeFields.contains($0.field) }
            && Self.placeFields.allSatisfy { problems.contains(FieldProblem($0, Business.needsCenter)) }
        let now =
            self.advice["coordinates"]
            ?? "add them now as a map gives them: 48.374, -123.726, a link, or a geo: address"
        let missing = FieldProblem("coordinates", Self.noPlace + now)
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
        if let advice = self.advice[problem.field] { return advice }
        if let damage = warnings.all.first(where: { $0.field == problem.field }) { return damage.message }
        let rest = problem.field == "event_type" ? "; --event-type gives it to all events without one" : ""
        return problem.message + rest
    }

    private func column(_ field: String) -> String {
        if let person, field == person.field { person.column } else { field }
    }

    /// Where the row has changed the address of a business that was found by its name: it may be another branch.
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
