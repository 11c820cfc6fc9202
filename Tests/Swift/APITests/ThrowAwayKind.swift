import SookeModel
import Store

/// A kind of record that no module knows: all that there is to say about it stands here.
struct Trail: SluggedRecord, TableRecord {
    static let kind = RecordKind("trail", collection: "trails", reach: .feed)
    typealias Stored = Trail
    typealias Indexes = SlugIndexes<Trail>

    var id = 0
    var name = ""
    var slug = Slug("")
    var surface: String?
    var kilometres: Int?
    var category: Slug?
    var times = RecordTimes()

    static let fields = FieldTable(of: Trail.self)

    static let references: [Reference<Trail>] = [Reference("category", to: .category, .optionalSlug(\.category))]

    static let csvLayout: CSVLayout<Trail>? = CSVLayout(first: ["name", "slug"], ownColumn: "surface")

    static func visit<Visitor: FieldVisitor<Trail>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.field("id", \.id, .id, [.shown, .column], "Unique ID; never reused")
        try visitor.field("name", \.name, .length(TextRules.name), [.open, .required], "What people call it")
        try visitor.field("slug", \.slug, .own, .reserved, "Its part of the address")
        try visitor.field("surface", \.surface, .length(TextRules.name), .open, "What one walks on")
        try visitor.field(
            "kilometres", \.kilometres, .range(1...1000, "must lie between 1 and 1000"), .open, "How long it is")
        try visitor.field("category", \.category, .reference, .reference, "The slug of its category")
    }
}
