import SookeModel
import Store

/// What to do about the problems of a row, which the town states in the terms of a record.
struct ImportAdvice {
    private let row: ImportRow
    private let found: FieldProblems
    /// Whether a business of a table has no location at all, and the town no center to show it at.
    let isPlaceMissing: Bool

    /// What a business without a location needs.
    static let place =
        "are missing, and apps show every business on a map; say where the town is with --center 48.374,-123.726 or a "
        + "link to a map, and add locations later, or add them now as a map gives them: 48.374, -123.726, a link, or a "
        + "geo: address"
    /// What becomes of one in a town with a center.
    static let waiting =
        "are missing: apps show it at the center of the town until you add them, as a map gives them: 48.374, -123.726, a "
        + "link, or a geo: address"

    private static let placeFields = ["latitude", "longitude"]
    private static let empty = ["is missing", "must not be empty", Business.needsCenter]

    /// - Parameter found: the problems that were found while the row was read.
    init(_ row: ImportRow, _ problems: FieldProblems, found: FieldProblems) {
        (self.row, self.found) = (row, found)
        let isTable = row.origin != .dataset && row.patch?.isOnMap == true
        isPlaceMissing =
            isTable && found.all.allSatisfy { !Self.placeFields.contains($0.field) }
            && Self.placeFields.allSatisfy { field in
                problems.all.contains { $0.field == field && $0.message == Business.needsCenter }
            }
    }

    /// The message about a problem; nil when it only follows from another one.
    func message(about problem: FieldProblem) -> String? {
        guard row.origin != .dataset, Self.empty.contains(problem.message) else { return problem.message }
        if isPlaceMissing, Self.placeFields.contains(problem.field) { return nil }
        if problem.field == "slug", row.patch?.name.isEmpty == true { return nil }
        if problem.field == "starts_at", found.all.contains(where: { Self.startFields.contains($0.field) }) {
            return nil
        }
        if problem.message == Business.needsCenter { return Self.empty[0] }
        if let advice = row.advice[problem.field] { return advice }
        if let damage = row.warnings.all.first(where: { $0.field == problem.field }) { return damage.message }
        switch problem.field {
        case "event_type": return problem.message + "; --event-type gives it to all events without one"
        default: return problem.message
        }
    }

    private static let startFields = ["starts_at"] + EventTimeCells.Part.allCases.map(\.rawValue)

    /// A warning about a business that was found by its name, and whose address a row has changed: it may be another
    /// branch.
    static func warning(aboutChangeBy row: ImportRow, in transaction: WriteTransaction) -> FieldProblem? {
        guard row.origin != .dataset, let patch = row.patch, let field = patch.distinction, !row.hasSlug,
            transaction.fieldsOfLastChange.contains(field)
        else { return nil }
        return FieldProblem(
            field,
            "replaces that of \"\(patch.name.excerpt())\", which is there already; if this is another branch, give it "
                + (row.isForeign ? "another name" : "a slug of its own in a column \"slug\""))
    }
}
