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
    /// The column of a table in a CSV file, where people may be given by e-mail address; nil for a field without one.
    public let column: String?
    /// The slug in the field; nil for none, and for a reference by ID.
    public func slug(in record: Value) -> Slug? {
        switch path {
        case .slug(let path): record[keyPath: path]
        case .optionalSlug(let path): record[keyPath: path]
        case .id: nil
        }
    }

    /// Replaces the reference by one to the record with another slug, or to none. A reference by ID does not change with
    /// a slug.
    public func setSlug(_ slug: Slug?, in record: inout Value) {
        switch path {
        case .slug(let path): record[keyPath: path] = slug ?? Slug("")
        case .optionalSlug(let path): record[keyPath: path] = slug
        case .id(let path): if slug == nil { record[keyPath: path] = nil }
        }
    }

    /// Whether a record refers to another one, which is of the kind of the reference.
    public func leads(from record: Value, to other: some StoredRecord) -> Bool {
        switch path {
        case .slug(let path): other.ownSlug == record[keyPath: path]
        case .optionalSlug(let path): record[keyPath: path].map { $0 == other.ownSlug } ?? false
        case .id(let path): record[keyPath: path] == other.id
        }
    }

    /// A reference by slug.
    public init(_ field: String, to kind: RecordKind, _ path: Path) {
        (self.field, self.kind, self.path, column) = (field, kind, path, field)
    }

    /// A reference to a person by ID.
    public init(_ field: String, toPerson path: WritableKeyPath<Value, Int?> & Sendable, column: String?) {
        (self.field, kind, self.path, self.column) = (field, .person, .id(path), column)
    }
}
