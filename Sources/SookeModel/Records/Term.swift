import JSON

/// A word of one of the town's two vocabularies: what a business is, or what an event is.
public struct Term<Vocabulary: SookeModel.Vocabulary>: Record {
    /// The fields of a term in a dataset.
    public typealias Field = TermField

    /// Which of the two vocabularies the term belongs to.
    public static var kind: RecordKind { Vocabulary.kind }

    /// The term's number; 0 until the store has given it one.
    public var id = 0
    /// What people read.
    public var name = ""
    /// What stands in an address; empty until it is made from the name.
    public var slug = Slug("")
    /// When it was created and changed.
    public var times = RecordTimes()

    /// An empty term.
    public init() {}

    /// Reads one field's value; see `Record`.
    public mutating func read(
        _ field: Field, from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) {
        switch field {
        case .id: id = try reader.readOptionalNumber(field, &problems) ?? 0
        case .name: name = try reader.readText(field, &problems)
        case .slug: slug = Slug(try reader.readOptionalText(field, &problems) ?? "")
        }
    }

    /// Takes one field's value over from another term.
    public mutating func take(_ field: Field, from other: Self) {
        switch field {
        case .id: id = other.id
        case .name: name = other.name
        case .slug: slug = other.slug
        }
    }

    /// Writes the term in the dataset form.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", id)
        writer.member("name", name)
        writer.member("slug", slug.text)
        writer.endObject()
    }

    /// Notes what breaks the stored invariants; see `StoredRecord`.
    public func validateStored(_ problems: inout FieldProblems) {
        NumberRules.check(id, &problems)
        TextRules.checkStoredSlug(slug, &problems)
    }

    /// Notes everything that is wrong with a term that is brought in.
    public func validateInput(_ problems: inout FieldProblems) {
        validateStored(&problems)
        TextRules.check(name, "name", length: TextRules.name, &problems)
        TextRules.checkSlug(slug, "slug", &problems)
    }
}

/// The fields of a term in a dataset, the same in both vocabularies.
public enum TermField: String, RecordField {
    case id, name, slug

    /// The table that finds a field by its name.
    public static let keys = JSONKeys<TermField>()
}

/// Names the vocabulary that a term belongs to.
public protocol Vocabulary: Sendable {
    /// The kind of record its terms are.
    static var kind: RecordKind { get }
}

/// The vocabulary of what a business is.
public enum CategoryVocabulary: Vocabulary {
    /// Categories.
    public static var kind: RecordKind { .category }
}

/// The vocabulary of what an event is.
public enum EventTypeVocabulary: Vocabulary {
    /// Event types.
    public static var kind: RecordKind { .eventType }
}

/// What a business is, such as a restaurant.
public typealias Category = Term<CategoryVocabulary>
/// What an event is, such as live music.
public typealias EventType = Term<EventTypeVocabulary>
