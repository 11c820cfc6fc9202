import Bytes
import SookeModel

/// What responses and the feed show: a value of the model, and what is joined to it, such as the name of its category.
///
/// Its members are the fields of the model. The members of the app have the types of its wire: a slug, a time, a
/// price and a status are texts.
@dynamicMemberLookup
public struct Shown<Value: ResponseValue, Joined: Codable & Hashable & Sendable>: Codable, Sendable {
    let value: Value
    let joined: Joined
    /// The fields that the response had.
    private let given: FieldSet<Value>

    /// A value with what is joined to it.
    public init(_ value: Value, _ joined: Joined) {
        (self.value, self.joined) = (value, joined)
        given = Value.inResponses
    }

    /// Decodes a value of a response.
    public init(from decoder: any Decoder) throws {
        (value, given) = try Value.read(JSONValue(from: decoder))
        joined = try Joined(from: decoder)
    }

    /// Encodes the value as in a response.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: MemberName.self)
        for (name, member) in try value.members(given) { try container.encode(member, forKey: MemberName(name)) }
        try joined.encode(to: encoder)
    }
}

extension Shown: Hashable {
    /// Whether two values have the same fields, byte for byte, and the same is joined to them.
    public static func == (left: Shown, right: Shown) -> Bool {
        left.value == right.value && left.joined == right.joined
    }

    /// Hashes the fields.
    public func hash(into hasher: inout Hasher) { hasher.combine(value.written) }
}

extension Shown: Identifiable where Value: IdentifiedValue {
    /// The unique ID.
    public var id: Int64 { Int64(value.id) }
}

extension Shown {
    /// A text.
    public subscript(dynamicMember path: KeyPath<Value, String>) -> String { value[keyPath: path] }
    /// A text; nil for none.
    public subscript(dynamicMember path: KeyPath<Value, String?>) -> String? { value[keyPath: path] }
    /// The slug of the record.
    public subscript(dynamicMember path: KeyPath<Value, Slug>) -> String { value[keyPath: path].text }
    /// Texts, such as the synonyms of a category.
    public subscript(dynamicMember path: KeyPath<Value, [String]>) -> [String] { value[keyPath: path] }
    /// Whether something holds.
    public subscript(dynamicMember path: KeyPath<Value, Bool>) -> Bool { value[keyPath: path] }
    /// A value that is written as a text, such as a status or a time of day.
    public subscript<Text: ShapedValue>(dynamicMember path: KeyPath<Value, Text>) -> String {
        value[keyPath: path].shapedText
    }
    /// A value that is written as a text, such as a time in RFC 3339; nil for none.
    public subscript<Text: ShapedValue>(dynamicMember path: KeyPath<Value, Text?>) -> String? {
        value[keyPath: path]?.shapedText
    }
    /// What is joined.
    public subscript<Member>(dynamicMember path: KeyPath<Joined, Member>) -> Member { joined[keyPath: path] }
}

/// Nothing is joined.
public struct NothingJoined: Codable, Hashable, Sendable {
    /// Nothing.
    public init() {}
}

struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

/// A category of businesses: its `id`, `name`, `slug` and `synonyms`.
public typealias Category = Shown<SookeModel.Category, NothingJoined>
/// A type of events: its `id`, `name`, `slug` and `synonyms`.
public typealias EventType = Shown<SookeModel.EventType, NothingJoined>

/// What the town has to say: its `title`, `slug`, `text`, `severity` (`information`, `warning` or `danger`), `from`,
/// `until` (nil until it is taken down), `link`, `businesses` (their slugs), `area`, `closes`, `state` and
/// `confirmedAt`.
public typealias Notice = Shown<SookeModel.Notice, NothingJoined>

/// What a town says of itself: its `name`, `tagline`, `runBy`, `theme`, `contactEmail`, `mapLink`, `timeZone`,
/// `country`, `currency`, `clock` (`24` for clocks with 24 hours), `holidays`, and its `center`.
public typealias TownSettings = Shown<SookeModel.Settings, NothingJoined>

/// All types of events.
public typealias EventTypeListResponse = ListResponse<EventType>
/// All categories.
public typealias CategoryListResponse = ListResponse<Category>

extension Shown where Joined == NothingJoined {
    init(_ value: Value) { self.init(value, NothingJoined()) }

    /// A category, or a type of events.
    public init<Vocabulary>(id: Int64, name: String, slug: String) where Value == Term<Vocabulary> {
        var term = Term<Vocabulary>()
        (term.id, term.name, term.slug) = (Int(id), name, Slug(slug))
        self.init(term)
    }
}
