import Bytes
import SookeModel

/// What a person has typed in the place of a record: the fields that they may change, as texts.
///
/// The fields have the names of the model: `draft.phone` is a text, empty for none. A draft may be invalid at any time;
/// `EditModel` says what is wrong with it.
@dynamicMemberLookup
public struct Draft<Fields: DraftField>: Codable, Hashable, Sendable {
    /// The fields.
    public typealias Field = Fields

    private var texts: [String: String] = [:]
    var rows: [BusinessHour] = []

    /// An empty draft.
    public init() {}

    init(_ record: JSONValue) throws {
        for field in Field.allCases {
            // The slug of another record has a name of its own there.
            switch record[field.rawValue + "_slug"] ?? record[field.rawValue] {
            case .string(let text): self[field] = text
            case .integer(let number): self[field] = Double(number).cell ?? ""
            case .number(let number): self[field] = number.cell ?? ""
            case .array(let rows): self.rows = try JSONValue.array(rows).decoded()
            default: break
            }
        }
        Field.complete(&self)
    }

    /// The text of a field; empty for none.
    public subscript(field: Field) -> String {
        get { texts[field.rawValue] ?? "" }
        set { texts[field.rawValue] = newValue.isEmpty ? nil : newValue }
    }

    /// The text of a field of the model; empty for none. It traps for one that is not edited, such as the slug.
    public subscript<Value: TypedValue>(dynamicMember path: WritableKeyPath<Field.Model, Value>) -> String {
        get { self[Self.field(at: path)] }
        set { self[Self.field(at: path)] = newValue }
    }

    private static func field(at path: PartialKeyPath<Field.Model>) -> Field {
        var search = NameSearch<Field.Model>(path: path)
        Field.Model.visit(&search)
        // Else what a person types would be lost without a word.
        guard let field = search.name.flatMap(Field.init) else { preconditionFailure("\(path) is not in a draft") }
        return field
    }

    func json(of field: Field) -> JSONValue {
        if field.isHours { return hoursJSON }
        var form = RequestForm<Field.Model>(field.rawValue, self[field])
        Field.Model.visit(&form)
        return form.json
    }

    private var hoursJSON: JSONValue {
        .array(
            rows.map { row in
                var members: [String: JSONValue] = [
                    "day_of_week": .integer(Int64(row.dayOfWeek)), "is_closed": .bool(row.isClosed),
                ]
                // The times of a closed day may be left out, and what was typed for them does not matter.
                if !row.isClosed {
                    members["open_time"] = .string(row.openTime)
                    members["close_time"] = .string(row.closeTime)
                }
                return .object(members)
            })
    }

    /// Whether a field has the same bytes in another draft. `==` of `String` would ignore some differences in Unicode.
    public func isSame(_ field: Field, as other: Draft) -> Bool {
        field.isHours ? hoursJSON == other.hoursJSON : self[field].utf8.elementsEqual(other[field].utf8)
    }

    mutating func take(_ field: Field, from other: Draft) {
        if field.isHours { rows = other.rows } else { self[field] = other[field] }
    }

    func display(_ field: Field) -> String {
        guard field.isHours else { return self[field] }
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        return rows.map { row in
            let day = days.indices.contains(row.dayOfWeek) ? days[row.dayOfWeek] : "\(row.dayOfWeek)"
            return day + " " + (row.isClosed ? "closed" : "\(row.openTime)–\(row.closeTime)")
        }.joined(separator: ", ")
    }

    func difference(from other: Draft) -> [Field] {
        Field.allCases.filter { !isSame($0, as: other) }
    }

    func members(_ fields: [Field]) -> [String: JSONValue] {
        Dictionary(uniqueKeysWithValues: fields.map { ($0.rawValue, json(of: $0)) })
    }
}

/// A field of a draft. Its raw value is its name in the API and in the model, which has its type and its rules.
public protocol DraftField: RawRepresentable<String>, CaseIterable, Hashable, Sendable, Identifiable
where AllCases == [Self] {
    associatedtype Model: Record

    static func path(of slug: String) -> String
    static func complete(_ draft: inout Draft<Self>)
    /// As the server does before it validates.
    static func complete(_ record: inout Model)
}

extension DraftField {
    /// The name in the API.
    public var id: String { rawValue }
    var isHours: Bool { rawValue == "hours" }

    /// Most records need nothing.
    public static func complete(_ draft: inout Draft<Self>) {}
    /// Most records need nothing.
    public static func complete(_ record: inout Model) {}
}

/// A value that people type as one text.
public protocol TypedValue: FieldValue {}

extension String: TypedValue {}
extension Slug: TypedValue {}
extension Double: TypedValue {}
extension Timestamp: TypedValue {}
extension Optional: TypedValue where Wrapped: TypedValue {}

private struct NameSearch<Subject: Described>: FieldVisitor {
    let path: PartialKeyPath<Subject>
    var name: String?

    mutating func field<Value: FieldValue>(
        _ name: StaticString, _ path: WritableKeyPath<Subject, Value>, _ rule: Value.Rule, _ options: FieldOptions,
        _ explanation: StaticString
    ) {
        if path == self.path { self.name = "\(name)" }
    }
}

/// Finds the form of a text in requests: an empty one is null where the field may have no value, and a number is one. A
/// text that is not a number is sent as it is, for the server to refuse.
private struct RequestForm<Subject: Described>: FieldVisitor {
    private let (name, text): (String, String)
    private(set) var json = JSONValue.null

    init(_ name: String, _ text: String) {
        (self.name, self.text) = (name, text)
    }

    mutating func field<Value: FieldValue>(
        _ name: StaticString, _ path: WritableKeyPath<Subject, Value>, _ rule: Value.Rule, _ options: FieldOptions,
        _ explanation: StaticString
    ) {
        guard "\(name)" == self.name else { return }
        if text.isEmpty, Value(cell: "", isQuoted: false)?.isNothing == true { return }
        let number = Value.kind == .number ? Double(decimal: text) : nil
        json = number.map(JSONValue.number) ?? .string(text)
    }
}
