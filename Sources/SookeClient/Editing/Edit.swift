import Foundation
import JSON
import SookeModel

/// An edit of a record: what was read, what is stored now, and the draft.
///
/// A newer version of the record is merged field by field: what only one side has changed is taken from that side. A
/// field that both have changed to different values is a conflict, until one of them is chosen.
struct Edit<Field: DraftField>: Codable, Hashable, Sendable {
    typealias Draft = SookeClient.Draft<Field>

    private(set) var slug: String
    private(set) var entityTag: String?
    /// What was read before a conflict; the same as `theirs` in all fields without a conflict.
    private(set) var before: Draft
    private(set) var theirs: Draft
    var mine: Draft

    init(_ version: RecordVersion<Field>) {
        (slug, entityTag) = (version.slug, version.entityTag)
        (before, theirs, mine) = (version.draft, version.draft, version.draft)
    }

    var changes: [Field] { mine.difference(from: theirs) }

    var conflicts: [FieldConflict<Field>] {
        before.difference(from: theirs).map { field in
            FieldConflict(
                field: field, before: before.display(field), theirs: theirs.display(field), mine: mine.display(field))
        }
    }

    var isUnchanged: Bool { changes.isEmpty && conflicts.isEmpty }

    mutating func merge(_ version: RecordVersion<Field>) {
        for field in Field.allCases {
            let isMine = !mine.isSame(field, as: before)
            let isTheirs = !version.draft.isSame(field, as: before)
            if !isMine { mine.take(field, from: version.draft) }
            if !isMine || !isTheirs || mine.isSame(field, as: version.draft) {
                before.take(field, from: version.draft)
            }
        }
        advance(to: version)
    }

    mutating func resolve(_ field: Field, keep side: ConflictSide) {
        if side == .theirs { mine.take(field, from: theirs) }
        before.take(field, from: theirs)
    }

    /// Continues from the version that saving has made. What was changed since it was sent remains a change.
    mutating func finish(sending sent: Draft, as version: RecordVersion<Field>) {
        for field in Field.allCases where mine.isSame(field, as: sent) { mine.take(field, from: version.draft) }
        before = version.draft
        advance(to: version)
    }

    mutating func revert() {
        (before, mine) = (theirs, theirs)
    }

    private mutating func advance(to version: RecordVersion<Field>) {
        (slug, entityTag, theirs) = (version.slug, version.entityTag, version.draft)
    }
}

extension Edit: SavedContent {
    init(json: [UInt8]) throws { self = try JSONDecoder().decode(Edit.self, from: Data(json)) }

    var json: [UInt8] { get throws { Array(try JSONEncoder().encode(self)) } }
}

struct RecordVersion<Field: DraftField>: Sendable {
    let slug: String
    let entityTag: String?
    let draft: Draft<Field>
}

extension RecordVersion {
    /// Nil when the record does not exist any more.
    static func fetch(_ slug: String, with client: APIClient) async throws -> RecordVersion? {
        do {
            let response: APIResponse<JSONValue> = try await client.send(APIRequest(.get, Field.path(of: slug)))
            return try RecordVersion(response.value, response.entityTag)
        } catch let error as APIError where error.statusCode == 404 {
            return nil
        }
    }

    init(_ record: JSONValue, _ entityTag: String?) throws(APIError) {
        do {
            guard case .string(let slug)? = record["slug"] else {
                throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "a record without a slug"))
            }
            (self.slug, self.entityTag, draft) = (slug, entityTag, try Draft<Field>(record))
        } catch {
            throw .decodingError(error)
        }
    }
}

extension Edit {
    /// What the server would refuse, by the place of each field in the request, such as `hours[2].open_time`. The code
    /// of the server finds it, except for what that alone knows, such as whether there is a category.
    var problems: [String: String] {
        var problems = FieldProblems()
        let existing = theirs.members(Field.allCases).merging(["id": .integer(1), "slug": .string("x")]) { $1 }
        var before = Field.Model()
        var ignored = FieldProblems()
        before = Self.patch(existing, &ignored).applied(to: before)
        Field.complete(&before)
        var after = Self.patch(mine.members(changes), &problems).applied(to: before)
        Field.complete(&after)
        var found = FieldProblems()
        after.validateInput(after: before, &found)
        problems.add(consequences: found)
        return Dictionary(problems.all.map { ($0.field, $0.message) }) { first, _ in first }
    }

    private static func patch(_ members: [String: JSONValue], _ problems: inout FieldProblems) -> Patch<Field.Model> {
        guard let body = try? JSONEncoder().encode(members) else { return Patch() }
        var reader = JSONReader(Array(body))
        return (try? Patch(from: &reader, &problems)) ?? Patch()
    }
}

/// A field that two people have changed to different values.
public struct FieldConflict<Field: DraftField>: Identifiable, Hashable, Sendable {
    /// The field.
    public let field: Field
    /// The value that both have read.
    public let before: String
    /// The value that is stored now.
    public let theirs: String
    /// The value in the draft.
    public let mine: String

    /// The name of the field.
    public var id: String { field.rawValue }
}

/// A side of a conflict.
public enum ConflictSide: Sendable, Hashable, CaseIterable {
    /// The value in the draft.
    case mine
    /// The value that is stored now.
    case theirs
}
