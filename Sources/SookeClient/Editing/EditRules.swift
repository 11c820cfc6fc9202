import Foundation
import JSON
import SookeModel

extension Edit {
    /// What the server would refuse, by the place of each field in the request, such as `hours[2].open_time`.
    ///
    /// The changes are read and validated by the code of the server. What it alone knows, such as whether there is a
    /// category, it says when it refuses the draft.
    var problems: [String: String] {
        var problems = FieldProblems()
        let existing = theirs.members(Draft.Field.allCases).merging(["id": .integer(1), "slug": .string("x")]) { $1 }
        var before = Draft.Model()
        var ignored = FieldProblems()
        before = Self.patch(existing, &ignored).applied(to: before)
        Draft.complete(&before)
        var after = Self.patch(mine.members(changes), &problems).applied(to: before)
        Draft.complete(&after)
        var found = FieldProblems()
        after.validateInput(after: before, &found)
        problems.add(consequences: found)
        return Dictionary(problems.all.map { ($0.field, $0.message) }) { first, _ in first }
    }

    private static func patch(_ members: [String: JSONValue], _ problems: inout FieldProblems) -> Patch<Draft.Model> {
        guard let body = try? JSONEncoder().encode(members) else { return Patch() }
        var reader = JSONReader(Array(body))
        return (try? Patch(from: &reader, &problems)) ?? Patch()
    }
}
