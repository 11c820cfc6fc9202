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
