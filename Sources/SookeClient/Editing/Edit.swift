/// An edit of a record: what was read, what is stored now, and the draft.
///
/// A newer version of the record is merged field by field: what only one side has changed is taken from that side. A
/// field that both have changed to different values is a conflict, until one of them is chosen.
struct Edit<Draft: EditDraft>: Codable, Hashable, Sendable {
    /// The slug of the record.
    private(set) var slug: String
    /// The entity tag of `theirs`.
    private(set) var entityTag: String?
    /// What was read before a conflict; the same as `theirs` in all fields without a conflict.
    private(set) var before: Draft
    /// The newest known version of the record.
    private(set) var theirs: Draft
    /// The draft.
    var mine: Draft

    /// An edit of a version of a record, without changes.
    init(_ version: RecordVersion<Draft>) {
        (slug, entityTag) = (version.slug, version.entityTag)
        (before, theirs, mine) = (version.draft, version.draft, version.draft)
    }

    /// The fields that saving would change.
    var changes: [Draft.Field] { mine.difference(from: theirs) }

    /// The conflicts.
    var conflicts: [FieldConflict<Draft.Field>] {
        before.difference(from: theirs).map { field in
            FieldConflict(
                field: field, before: before.display(field), theirs: theirs.display(field), mine: mine.display(field))
        }
    }

    /// Whether there is nothing to save and nothing to decide.
    var isUnchanged: Bool { changes.isEmpty && conflicts.isEmpty }

    /// Merges a newer version.
    mutating func merge(_ version: RecordVersion<Draft>) {
        for field in Draft.Field.allCases {
            let isMine = !mine.isSame(field, as: before)
            let isTheirs = !version.draft.isSame(field, as: before)
            if !isMine { mine.take(field, from: version.draft) }
            if !isMine || !isTheirs || mine.isSame(field, as: version.draft) {
                before.take(field, from: version.draft)
            }
        }
        advance(to: version)
    }

    /// Ends the conflict of a field.
    mutating func resolve(_ field: Draft.Field, keep side: ConflictSide) {
        if side == .theirs { mine.take(field, from: theirs) }
        before.take(field, from: theirs)
    }

    /// Continues from the version that saving has made. What was changed since it was sent remains a change.
    mutating func finish(sending sent: Draft, as version: RecordVersion<Draft>) {
        for field in Draft.Field.allCases where mine.isSame(field, as: sent) { mine.take(field, from: version.draft) }
        before = version.draft
        advance(to: version)
    }

    /// Discards all changes.
    mutating func revert() {
        (before, mine) = (theirs, theirs)
    }

    private mutating func advance(to version: RecordVersion<Draft>) {
        (slug, entityTag, theirs) = (version.slug, version.entityTag, version.draft)
    }
}

/// A version of a record, as the server sent it.
struct RecordVersion<Draft: EditDraft>: Sendable {
    let slug: String
    let entityTag: String?
    let draft: Draft
}

extension RecordVersion {
    /// - Throws: `APIError`.
    init(_ record: JSONValue, _ entityTag: String?) throws(APIError) {
        do {
            guard case .string(let slug)? = record["slug"] else {
                throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "a record without a slug"))
            }
            (self.slug, self.entityTag, draft) = (slug, entityTag, try Draft(record))
        } catch {
            throw .decodingError(error)
        }
    }
}
