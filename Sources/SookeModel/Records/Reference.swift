import Bytes

/// A field of a record that refers to another record.
public struct Reference<Value: Record>: Sendable {
    public enum Path: Sendable {
        case slug(WritableKeyPath<Value, Slug> & Sendable)
        case optionalSlug(WritableKeyPath<Value, Slug?> & Sendable)
        case id(WritableKeyPath<Value, Int?> & Sendable)
    }

    public let field: String
    public let kind: RecordKind
    public let path: Path
    /// The column of a table in a CSV file, where people may be given by e-mail address; nil for a field without one.
    public let column: String?
    /// Nil for none, and for a reference by ID.
    public func slug(in record: Value) -> Slug? {
        switch path {
        case .slug(let path): record[keyPath: path]
        case .optionalSlug(let path): record[keyPath: path]
        case .id: nil
        }
    }

    /// A reference by ID does not change with a slug; nil removes it.
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

    public init(_ field: String, to kind: RecordKind, _ path: Path) {
        (self.field, self.kind, self.path, column) = (field, kind, path, field)
    }

    public init(_ field: String, toPerson path: WritableKeyPath<Value, Int?> & Sendable, column: String?) {
        (self.field, kind, self.path, self.column) = (field, .person, .id(path), column)
    }
}

/// The layout of a table in a CSV file: its columns follow from the fields of the record, the ID last. References may
/// be given in the forms of `Reference`.
public struct CSVLayout<Value: Record>: Sendable {
    /// The fields of the first columns, beginning with the one that the slug is made from.
    public let first: [String]
    /// A column that no other table has.
    public let ownColumn: String
    /// The field `hours`, which has a column for each day of the week. An empty cell means no hours; the hours of a day
    /// without a column stay unchanged.
    public let hours: (WritableKeyPath<Value, [DayHours]> & Sendable)?
    /// The fields `starts_local` and `ends_local`.
    public let times: Times?
    /// What distinguishes records of the same name; nil for kinds whose names are unique.
    public let distinction: Distinction?

    public typealias Times = (
        start: WritableKeyPath<Value, LocalTime?> & Sendable, end: WritableKeyPath<Value, LocalTime?> & Sendable
    )

    /// What distinguishes records of the same name.
    public enum Distinction: Sendable {
        case text(String, KeyPath<Value, String> & Sendable)
        case day(KeyPath<Value, LocalTime?> & Sendable)
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
