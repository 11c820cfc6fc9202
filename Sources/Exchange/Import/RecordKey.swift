import SookeModel

/// The key by which an import identifies a record of a kind: its slug, or the folded e-mail address of a person.
struct RecordKey: Hashable, Sendable {
    let kind: RecordKind
    let text: ByteText

    init?(_ kind: RecordKind, _ text: String) {
        if text.isEmpty { return nil }
        (self.kind, self.text) = (kind, ByteText(text))
    }

    /// The key of a person.
    init?(email: String) {
        self.init(.person, String(decoding: CaseFolding.fold(email), as: UTF8.self))
    }
}
