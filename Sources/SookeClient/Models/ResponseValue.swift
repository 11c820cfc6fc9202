import JSON
import SookeModel

/// A type of `SookeModel` that responses and the feed have as an object, read and written by the visit of its fields.
public protocol ResponseValue: Described {
    /// The names in responses of the fields that have another name there; the first that is present counts.
    static var responseNames: [String: [String]] { get }

    /// The name of a field in the responses; nil to leave it out.
    func responseName(of field: String) -> String?
}

/// A value with an ID.
public protocol IdentifiedValue: ResponseValue {
    var id: Int { get }
}

extension ResponseValue {
    /// Most fields have the same name.
    public static var responseNames: [String: [String]] { [:] }

    /// The first name.
    public func responseName(of field: String) -> String? { Self.responseNames[field]?.first ?? field }
}

extension Term: IdentifiedValue {}
extension SookeModel.Menu: IdentifiedValue {}
extension SookeModel.MenuItem: IdentifiedValue {}
extension SpecialHours: ResponseValue {}
extension SookeModel.Notice: IdentifiedValue {}
extension EventOverride: ResponseValue {}
extension SookeModel.Settings: ResponseValue {}

extension SookeModel.Business: IdentifiedValue {
    /// Its category is a slug beside its name.
    public static var responseNames: [String: [String]] { ["category": ["category_slug"]] }
}

extension SookeModel.Event: IdentifiedValue {
    /// The type and the business are slugs beside their names. The times of a series are apart from those of the
    /// occurrence that represents the event.
    public static var responseNames: [String: [String]] {
        [
            "event_type": ["event_type_slug"], "business": ["business_slug"],
            "starts_at": ["series_starts_at", "starts_at", "start_time"],
            "ends_at": ["series_ends_at", "ends_at", "end_time"],
            "starts_local": ["series_starts_local", "starts_local"],
            "ends_local": ["series_ends_local", "ends_local"], "host": ["host_slug"],
        ]
    }

    /// The times of an event without a series are those of its occurrence, which are joined.
    public func responseName(of field: String) -> String? {
        let isTime = field == "starts_at" || field == "ends_at"
        let names = Self.responseNames[field] ?? [field]
        return isTime && !hasSeries ? nil : hasSeries || !field.hasSuffix("_local") ? names.first : names.last
    }
}

extension ResponseValue {
    /// Unknown members, and values of an unknown form, count as left out: a later server may have them.
    ///
    /// - Throws: `DecodingError` when a member that every record has is missing.
    static func read(_ response: JSONValue) throws -> (value: Self, given: FieldSet<Self>) {
        guard case .object(let members) = response else { throw DecodingError.noRecord(Self.self, "no object") }
        let otherNames = responseNames
        let json = JSONWriter.object { writer in
            for field in fields.names {
                let name = otherNames[field]?.first { members[$0] != nil } ?? field
                guard let member = members[name], member != .null else { continue }
                writer.key(field)
                member.write(to: &writer)
            }
        }
        var (value, problems, reader) = (Self(), FieldProblems(), JSONReader(json))
        var given = try value.readFields(from: &reader, unknown: .reported(), &problems)
        for problem in problems.all where !problem.isUnknownMember {
            let name = problem.field.prefix { $0 != "[" && $0 != "." }
            guard let index = fields.index(of: name) else { continue }
            var misread = FieldSet<Self>()
            misread.insert(index)
            value.take(misread, from: Self())
            given = given.subtracting(misread)
        }
        if let name = inEveryRecord.subtracting(given).names.first {
            throw DecodingError.noRecord(Self.self, "no \(name)")
        }
        return (value, given)
    }

    /// The fields that responses have, also under another name.
    static var inResponses: FieldSet<Self> {
        var fields = FieldSet<Self>(where: { $0.contains(.shown) })
        for name in responseNames.keys { fields.insert(name) }
        return fields
    }

    private static var inEveryRecord: FieldSet<Self> {
        var fields = FieldSet<Self>(where: { $0.contains(.required) })
        for name in ["id", "slug", "starts_at"] {
            if let index = Self.fields.index(of: name), Self.fields.descriptions[index].isShown { fields.insert(index) }
        }
        return fields
    }

    /// The members of some fields as in a response, without those that are null.
    func members(_ given: FieldSet<Self>) throws -> [String: JSONValue] {
        let json = JSONWriter.object { writeFields(given, empty: .written, to: &$0) }
        guard case .object(let members) = try JSONValue(json: json).withoutUnassignedIDs else { return [:] }
        var result: [String: JSONValue] = [:]
        for (field, value) in members where value != .null {
            if let name = responseName(of: field) { result[name] = value }
        }
        return result
    }
}

extension JSONValue {
    /// The value without the IDs of rows that have none in responses.
    fileprivate var withoutUnassignedIDs: JSONValue {
        switch self {
        case .array(let values): .array(values.map(\.withoutUnassignedIDs))
        case .object(let members):
            .object(members.filter { $0.key != "id" || $0.value != .integer(0) }.mapValues(\.withoutUnassignedIDs))
        default: self
        }
    }
}

extension DecodingError {
    fileprivate static func noRecord(_ type: Any.Type, _ message: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: [], debugDescription: "\(type): \(message)"))
    }
}
