/// The keys of one kind of object, as an enumeration whose raw values are their names. It is created once per type, and
/// finds the case of a key in the document without creating a `String`.
///
/// ```swift
/// enum Field: String, CaseIterable { case id, name, openTime = "open_time" }
/// static let keys = JSONKeys<Field>()
///
/// try reader.beginObject()
/// while let member = try reader.nextMember(keys) {
///     switch member {
///     case .known(.id): id = try reader.readInt()
///     case .known(.name): name = try reader.readString()
///     case .known(.openTime): openTime = try reader.readString()
///     case .unknown(let key): throw reader.error("unknown key \(key)")
///     }
/// }
/// ```
///
/// Objects whose keys are in the order of the cases are read fastest.
public struct JSONKeys<Field: Sendable>: Sendable {
    @usableFromInline let fields: [Field]
    @usableFromInline let table: JSONKeyTable

    /// The table of all cases: at most 64, with distinct names that need no escapes in JSON.
    public init() where Field: CaseIterable & RawRepresentable<String> {
        fields = Array(Field.allCases)
        table = JSONKeyTable(fields.map { Array($0.rawValue.utf8) })
    }
}

extension JSONKeys where Field == Int {
    /// The table of some names, each with its index: at most 64, distinct, without escapes in JSON.
    public init(_ names: [String]) {
        fields = Array(names.indices)
        table = JSONKeyTable(names.map { Array($0.utf8) })
    }
}

/// A key of an object, read with `JSONReader.nextMember`.
public enum JSONMember<Field> {
    /// A key of the table.
    case known(Field)
    /// Any other key.
    case unknown(String)
}

extension JSONMember: Sendable where Field: Sendable {}
extension JSONMember: Equatable where Field: Equatable {}
