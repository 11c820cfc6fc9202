import SookeModel

/// What a person has typed in the place of a record: the fields that they may change, as texts.
///
/// A draft may be invalid at any time; `EditModel` says what is wrong with it.
public protocol EditDraft: Codable, Hashable, Sendable {
    /// The fields.
    associatedtype Field: DraftField
    /// The record of the server, whose rules apply.
    associatedtype Model: Record

    /// The kind of the record.
    static var kind: RecordKind { get }
    /// The path of the record with a slug.
    static func path(of slug: String) -> String
    /// The text of a field; nil for a field of another form.
    static func text(_ field: Field) -> WritableKeyPath<Self, String>?
    /// The form of a field in requests.
    static func form(of field: Field) -> DraftFieldForm

    /// An empty draft.
    init()
    /// A copy of a record as the server sent it.
    ///
    /// - Throws: `DecodingError`.
    init(_ record: JSONValue) throws

    /// The value of a field as in requests.
    func json(of field: Field) -> JSONValue
    /// Whether a field has the same bytes in another draft.
    func isSame(_ field: Field, as other: Self) -> Bool
    /// Takes the value of a field from another draft.
    mutating func take(_ field: Field, from other: Self)
    /// The value of a field for people, on one line.
    func display(_ field: Field) -> String

    /// Completes a record before it is validated, as the server does.
    static func complete(_ record: inout Model)
}

/// A field of a draft. Its raw value is its name in the API.
public protocol DraftField: RawRepresentable<String>, CaseIterable, Hashable, Sendable, Identifiable
where AllCases == [Self] {}

extension DraftField {
    /// The name in the API.
    public var id: String { rawValue }
}

/// The form of a field in requests.
public enum DraftFieldForm: Sendable {
    /// A text.
    case text
    /// A text, or null if it is empty.
    case optionalText
    /// A number, or null if the text is empty. A text that is not a number is sent as it is, for the server to refuse.
    case number

    /// A text in this form.
    func json(_ text: String) -> JSONValue {
        switch self {
        case .text: .string(text)
        case .optionalText: text.isEmpty ? .null : .string(text)
        case .number: text.isEmpty ? .null : Double(decimal: text).map(JSONValue.number) ?? .string(text)
        }
    }
}

extension EditDraft {
    /// The value of a field as in requests.
    public func json(of field: Field) -> JSONValue { textJSON(of: field) ?? .null }

    /// Whether a field has the same bytes in another draft. `==` of `String` would ignore some differences in Unicode.
    public func isSame(_ field: Field, as other: Self) -> Bool { hasSameText(field, as: other) ?? true }

    /// Takes the value of a field from another draft.
    public mutating func take(_ field: Field, from other: Self) {
        if let path = Self.text(field) { self[keyPath: path] = other[keyPath: path] }
    }

    /// The value of a field for people.
    public func display(_ field: Field) -> String {
        Self.text(field).map { self[keyPath: $0] } ?? ""
    }

    /// Most records need nothing.
    public static func complete(_ record: inout Model) {}

    /// The value of a text as in requests; nil for a field of another form.
    func textJSON(of field: Field) -> JSONValue? {
        Self.text(field).map { Self.form(of: field).json(self[keyPath: $0]) }
    }

    /// Whether a text has the same bytes in another draft; nil for a field of another form.
    func hasSameText(_ field: Field, as other: Self) -> Bool? {
        Self.text(field).map { self[keyPath: $0].utf8.elementsEqual(other[keyPath: $0].utf8) }
    }

    /// Copies the texts and numbers of a record.
    mutating func copy(_ record: JSONValue, names: [Field: String] = [:]) {
        for field in Field.allCases {
            guard let path = Self.text(field) else { continue }
            self[keyPath: path] =
                switch record[names[field] ?? field.rawValue] {
                case .string(let text): text
                case .integer(let number): Double(number).cell ?? ""
                case .number(let number): number.cell ?? ""
                default: ""
                }
        }
    }

    /// The fields that are not the same in another draft.
    func difference(from other: Self) -> [Field] {
        Field.allCases.filter { !isSame($0, as: other) }
    }

    /// The values of some fields, as in requests.
    func members(_ fields: [Field]) -> [String: JSONValue] {
        Dictionary(uniqueKeysWithValues: fields.map { ($0.rawValue, json(of: $0)) })
    }
}
