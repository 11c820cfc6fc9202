/// A field of a record that refers to another record.
public struct Reference<Value: Record>: Sendable {
    /// The path to the value of the field.
    public enum Path: Sendable {
        /// The slug of a record.
        case slug(WritableKeyPath<Value, Slug> & Sendable)
        /// The slug of a record, or nil.
        case optionalSlug(WritableKeyPath<Value, Slug?> & Sendable)
        /// The ID of a record, or nil.
        case id(WritableKeyPath<Value, Int?> & Sendable)
    }

    /// The name of the field.
    public let field: String
    /// The kind of the other record.
    public let kind: RecordKind
    /// The path to the value.
    public let path: Path
    /// The column of a table in a CSV file, where people may be given by e-mail address.
    public let column: String
    /// Whether a table may give the name of the other record instead of its slug.
    public let allowsName: Bool

    /// The slug in the field; nil for none, and for a reference by ID.
    public func slug(in record: Value) -> Slug? {
        switch path {
        case .slug(let path): record[keyPath: path]
        case .optionalSlug(let path): record[keyPath: path]
        case .id: nil
        }
    }

    /// Replaces the slug in the field.
    public func setSlug(_ slug: Slug, in record: inout Value) {
        switch path {
        case .slug(let path): record[keyPath: path] = slug
        case .optionalSlug(let path): record[keyPath: path] = slug
        case .id: break
        }
    }

    /// A reference by slug to a term, which a table may give by its name.
    public init(_ field: String, toTerm kind: RecordKind, _ path: Path) {
        (self.field, self.kind, self.path, column, allowsName) = (field, kind, path, field, true)
    }

    /// A reference by slug.
    public init(_ field: String, to kind: RecordKind, _ path: Path) {
        (self.field, self.kind, self.path, column, allowsName) = (field, kind, path, field, false)
    }

    /// A reference to a person by ID.
    public init(_ field: String, toPerson path: WritableKeyPath<Value, Int?> & Sendable, column: String? = nil) {
        (self.field, kind, self.path, self.column) = (field, .person, .id(path), column ?? field)
        allowsName = false
    }
}
