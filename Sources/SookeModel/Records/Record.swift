import Bytes
import JSON

/// A record of any kind as in the log and snapshots, the only form of private ones; see `Record` for those in exports.
public protocol StoredRecord: Described {
    static var kind: RecordKind { get }

    /// The unique ID; 0 until the store has assigned it.
    var id: Int { get set }

    /// Nil for kinds without slugs.
    var ownSlug: Slug? { get set }

    var audience: Audience { get }

    /// Whether such records have `rights`: a start looks for changes of them only.
    static var hasRights: Bool { get }

    /// Nil when it says nothing about the rights of a person.
    var rights: Rights? { get }

    /// Writes the members of its form in the feed, without what depends on the clock or on other records.
    func writeFeedForm(to writer: inout JSONWriter)

    /// Whether clients of the feed see no difference to a later form.
    func hasSameFeedForm(as later: Self) -> Bool
}

/// Who sees a record. Editors and super admins see all.
public enum Audience: Sendable, Equatable {
    case everyone
    /// A person, and those who manage the business with a slug.
    case only(person: Int?, business: Slug?)

    public static let nobody = Audience.only(person: nil, business: nil)
}

/// What a record says about the rights of a person: their role, or a business that they own.
public struct Rights: Sendable, Equatable {
    public let person: Int?
    public let role: Person.Role?
    public let business: Slug?

    @inlinable public init(person: Int?, role: Person.Role? = nil, business: Slug? = nil) {
        (self.person, self.role, self.business) = (person, role, business)
    }
}

extension StoredRecord {
    public var ownSlug: Slug? {
        get { nil }
        set {}
    }

    public var audience: Audience { Self.kind.isInFeed ? .everyone : .nobody }
    public static var hasRights: Bool { false }
    @inlinable public var rights: Rights? { nil }

    public func writeFeedForm(to writer: inout JSONWriter) {
        writeFields(FieldSet { $0.contains(.shown) }, to: &writer)
    }

    public func hasSameFeedForm(as later: Self) -> Bool { feedForm == later.feedForm }

    public var feedForm: [UInt8] {
        var writer = JSONWriter(reservingCapacity: 1024)
        writer.beginObject()
        writeFeedForm(to: &writer)
        writer.endObject()
        return writer.bytes
    }

    public func hasSameFeedForm(asAny later: any StoredRecord) -> Bool { hasSameFeedForm(as: ofSameKind(later)) }

    public func writtenDifference(fromAny after: any StoredRecord) -> [UInt8] {
        writtenDifference(from: ofSameKind(after))
    }

    private func ofSameKind(_ other: any StoredRecord) -> Self {
        guard let other = other as? Self else { preconditionFailure("a record of another kind") }
        return other
    }

    /// A digest of `written`: the part of the entity tag that changes with the record.
    public var digest: UInt64 { XXH64.digest(written.span) }
}

/// A record that is in datasets, and that clients read and change.
public protocol Record: StoredRecord {
    var times: RecordTimes { get set }

    /// Sets the fields that follow from others, after a patch has given some.
    mutating func derive(from given: FieldSet<Self>, since before: Self)

    static var references: [Reference<Self>] { get }

    /// Nil for kinds without a table.
    static var csvLayout: CSVLayout<Self>? { get }

    /// For messages; empty for kinds without names.
    var label: String { get }

    /// Nil for kinds without places.
    var coordinates: Coordinates? { get }

    /// Whether apps show each record of the kind on a map: one without a location waits for it.
    static var isOnMap: Bool { get }

    /// The name of the time zone of its times; nil for that of a record that it refers to, or of the town.
    var timeZone: String? { get }

    /// Takes over what it had from a record that some of its fields referred to, and that was deleted.
    mutating func outlive(_ other: some Record, in fields: [String])

    /// Some given fields without those that follow from others of them.
    func withoutDerived(_ given: FieldSet<Self>) -> FieldSet<Self>
}

/// A record with a name, and with a slug that is made from it.
public protocol NamedRecord: Record {
    var name: String { get set }
    /// Empty until it is made from the name.
    var slug: Slug { get set }
}

extension NamedRecord {
    public var label: String { name }

    public var ownSlug: Slug? {
        get { slug }
        set { slug = newValue ?? Slug("") }
    }
}

extension Record {
    public mutating func derive(from given: FieldSet<Self>, since before: Self) {}
    public static var references: [Reference<Self>] { [] }
    public static var csvLayout: CSVLayout<Self>? { nil }
    public var label: String { "" }
    public var coordinates: Coordinates? { nil }
    public static var isOnMap: Bool { false }
    public var timeZone: String? { nil }
    public mutating func outlive(_ other: some Record, in fields: [String]) {}
    public func withoutDerived(_ given: FieldSet<Self>) -> FieldSet<Self> { given }

    /// Reads the times, which follow the fields in a snapshot.
    public mutating func readOther(_ name: String, from reader: inout JSONReader) throws(JSONError) -> Bool {
        try times.read(name, from: &reader)
    }

    /// Whether another record has the same value in the field of a problem, such as in `hours` for `hours[2].id`.
    public func hasSame(_ place: String, as other: Self) -> Bool {
        let name = String(place.prefix { $0 != "[" && $0 != "." })
        return Self.fields.index(of: name) != nil && !difference(from: other).contains(name)
    }

    /// Adds violations of the input rules, except in fields that the change leaves as they were, valid when stored.
    public func validateInput(after existing: @autoclosure () -> Self?, _ problems: inout FieldProblems) {
        var found = FieldProblems()
        validateInput(&found)
        if found.isEmpty { return }
        let existing = existing()
        var before = FieldProblems()
        existing?.validateInput(&before)
        for problem in found.all {
            let wasThere = before.all.contains { $0.field.hasSameBytes(as: problem.field) }
            if wasThere, let existing, hasSame(problem.field, as: existing) { continue }
            problems.add(problem.field, problem.message)
        }
    }
}

/// A kind of record. Each is declared beside its record type; the tables of a `Town` determine the list of all.
public struct RecordKind: Sendable {
    /// How far the records of a kind go; each reach includes those before it.
    public enum Reach: Int, Sendable, Comparable {
        /// The log and snapshots: the records are private.
        case store
        /// Exports and imports.
        case datasets
        /// The feed of changes, to those who see the record; see `StoredRecord.audience`.
        case feed

        public static func < (left: Reach, right: Reach) -> Bool { left.rawValue < right.rawValue }
    }

    /// The name of a record of this kind in the log, such as `event_type`.
    public let name: String
    /// The key of this kind's records in a dataset, such as `event_types`.
    public let collection: String
    public let reach: Reach

    public init(_ name: String, collection: String, reach: Reach) {
        (self.name, self.collection, self.reach) = (name, collection, reach)
    }

    public var isShared: Bool { reach >= .datasets }

    public var isInFeed: Bool { reach >= .feed }

    /// In messages.
    public var label: String { name.split(separator: "_").joined(separator: " ") }
}

extension RecordKind: Hashable {
    public static func == (left: RecordKind, right: RecordKind) -> Bool { left.name == right.name }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// Some of the fields of a record: a merge patch (RFC 7396), a row of a table, or a part of an import.
public struct Patch<Value: Record>: Sendable {
    public var values = Value()
    public var fields = FieldSet<Value>()

    public init() {}

    /// Unknown members, unless `ignoring` has them, and values of another type become problems and are skipped. Throws
    /// a `JSONError` when the text is not JSON.
    public init(
        from reader: inout JSONReader, ignoring: [String] = [], _ problems: inout FieldProblems
    ) throws(JSONError) {
        fields = try values.readFields(from: &reader, unknown: .reported(except: ignoring), &problems)
    }

    public func applied(to record: Value) -> Value {
        var result = record
        result.take(values.withoutDerived(fields), from: values)
        result.derive(from: fields, since: record)
        return result
    }
}
