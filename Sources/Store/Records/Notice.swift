import SookeModel

/// A notice of the town, such as a road closure.
public struct Notice: SluggedRecord {
    /// Notices are `notices` in a dataset.
    public static let kind = RecordKind.notice
    /// The notice as it is.
    public typealias Stored = Notice

    /// The unique ID; 0 until the store has assigned it.
    public var id = 0
    /// Its title.
    public var title = ""
    /// Its text.
    public var body = ""
    /// Its slug; empty until it is made from the title.
    public var slug = Slug("")
    /// The times of creation and of the last change.
    public var times = RecordTimes()

    /// An empty notice.
    public init() {}

    /// Its fields.
    public static let fields = FieldTable(of: Notice.self)

    /// Notices have a table in CSV files.
    public static let csvLayout: CSVLayout<Notice>? = CSVLayout(first: ["title", "body"], ownColumn: "body")

    /// The slug is made from the title.
    public var name: String { title }

    /// Visits each field.
    public static func visit<Visitor: FieldVisitor<Notice>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.field("id", \.id, .id, [.shown, .column], "Unique ID; never reused")
        try visitor.field(
            "title", \.title, .length(TextRules.name), [.open, .required], "What it is about; at most 500 characters")
        try visitor.field(
            "body", \.body, .length(TextRules.description), .open, "What it says; at most 10,000 characters")
        try visitor.field(
            "slug", \.slug, .own, .open, "Its part of the address; made from the title when it is left out")
    }
}

extension Notice: TableRecord {
    /// The table.
    public static var table: TablePath<Notice> { \.notices }

    /// Notices are found by ID and by slug.
    public typealias Indexes = SlugIndexes<Notice>

    /// Notices are public.
    public var isPublic: Bool { true }
}

extension RecordKind {
    /// A notice of the town.
    public static let notice = RecordKind("notice", collection: "notices")
}
