import SookeModel

/// What tells a record from the others of its kind: its slug, or a person's e-mail address.
struct RecordKey: Hashable, Sendable {
    let kind: RecordKind
    let text: Slug

    init?(_ kind: RecordKind, _ slug: Slug, named name: String = "") {
        (self.kind, text) = (kind, slug.isEmpty ? Slug.make(from: name) : slug)
        if text.isEmpty { return nil }
    }

    /// A person's key; letter case does not count.
    init?(email: String) {
        self.init(.person, Slug(String(decoding: CaseFolding.fold(email), as: UTF8.self)))
    }
}
