import Bytes

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

    /// Replaces the reference by one to the record with another slug, or to none. A reference by ID does not change
    /// with a slug.
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

/// The layout of a table in a CSV file: its columns follow from the fields of the record.
///
/// References may be given in the forms of `Reference`. The ID is the last column.
public struct CSVLayout<Value: Record>: Sendable {
    /// The fields of the first columns, beginning with the one that the slug is made from.
    public let first: [String]
    /// A column that no other table has.
    public let ownColumn: String
    /// The field `hours`, which has a column for each day of the week. An empty cell means no hours; the hours of a day
    /// without a column stay unchanged.
    public let hours: (WritableKeyPath<Value, [DayHours]> & Sendable)?
    /// The fields `starts_at` and `ends_at`, which may be given on the clocks of the record's zone.
    public let times: Times?
    /// What tells records of the same name apart; nil for kinds whose names are unique.
    public let distinction: Distinction?

    /// A start and an end.
    public struct Times: Sendable {
        public let start: WritableKeyPath<Value, Timestamp?> & Sendable
        public let end: WritableKeyPath<Value, Timestamp?> & Sendable

        /// The paths to both.
        public init(
            start: WritableKeyPath<Value, Timestamp?> & Sendable, end: WritableKeyPath<Value, Timestamp?> & Sendable
        ) {
            (self.start, self.end) = (start, end)
        }
    }

    /// What tells records of the same name apart.
    public enum Distinction: Sendable {
        /// A text, by the name of its field.
        case text(String, KeyPath<Value, String> & Sendable)
        /// The day of their start.
        case day(KeyPath<Value, Timestamp?> & Sendable)
    }

    /// A layout; the other columns follow in the order of the fields.
    public init(
        first: [String], ownColumn: String, hours: (WritableKeyPath<Value, [DayHours]> & Sendable)? = nil,
        times: Times? = nil, distinction: Distinction? = nil
    ) {
        (self.first, self.ownColumn, self.hours) = (first, ownColumn, hours)
        (self.times, self.distinction) = (times, distinction)
    }
}
