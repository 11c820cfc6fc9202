import Bytes

/// A term of one of the town's two vocabularies: a category or an event type.
public struct Term<Vocabulary: SookeModel.Vocabulary>: NamedRecord {
    public static var kind: RecordKind { Vocabulary.kind }

    public var id = 0
    public var name = ""
    /// Its slug; empty until it is made from the name.
    public var slug = Slug("")
    /// Other words for it, by which a search finds what has it.
    public var synonyms: [String] = []
    public var times = RecordTimes()

    public init() {}

    public static var fields: FieldTable { Vocabulary.fields }

    @inline(__always)
    public static func visit<Visitor: FieldVisitor<Self>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.field("id", \.id, .id, [.shown, .column], "Unique ID; never reused")
        try visitor.field(
            "name", \.name, .length(TextRules.name), [.reserved, .required],
            "What people read; at most 500 characters")
        try visitor.field(
            "slug", \.slug, .own, .reserved, "Used in URLs; made from the name when it is omitted")
        try visitor.field(
            "synonyms", \.synonyms, .any, [.shown, .setByEditor, .leftOutWhenEmpty],
            "Other words for it, at most 40 of 60 characters; a search finds by them what has it")
    }

    /// Its synonyms as people write them.
    public var synonymText: String { synonyms.joined(separator: ", ") }

    /// From words with commas or line breaks between them.
    public mutating func setSynonyms(_ text: String) {
        let parts = text.utf8.split { $0 == UInt8(ascii: ",") || $0 == ASCII.lineFeed }
        synonyms = parts.map { String(Substring($0)).trimmed }.filter { !$0.isEmpty }
    }

    public static var mostSynonyms: Int { 40 }

    public func checkInput(_ problems: inout FieldProblems) {
        let count = synonyms.count
        problems.require(
            count <= Self.mostSynonyms, "synonyms", "has \(count) words, at most \(Self.mostSynonyms) are allowed")
        for synonym in synonyms { TextRules.check(synonym, "synonyms", length: TextRules.synonym, &problems) }
    }
}

public protocol Vocabulary: Sendable {
    static var kind: RecordKind { get }
    static var fields: FieldTable { get }
}

public enum CategoryVocabulary: Vocabulary {
    public static var kind: RecordKind { .category }
    public static let fields = FieldTable(of: Category.self)
}

public enum EventTypeVocabulary: Vocabulary {
    public static var kind: RecordKind { .eventType }
    public static let fields = FieldTable(of: EventType.self)
}

/// A category of businesses, such as restaurants.
public typealias Category = Term<CategoryVocabulary>
/// A type of events, such as live music.
public typealias EventType = Term<EventTypeVocabulary>

extension RecordKind {
    public static let category = RecordKind("category", collection: "categories", reach: .feed)
    public static let eventType = RecordKind("event_type", collection: "event_types", reach: .feed)
}
