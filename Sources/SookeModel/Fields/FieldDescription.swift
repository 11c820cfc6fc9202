/// The description of a member of a JSON object: a field of a record, or a member that responses add.
///
/// The bodies that routes accept, the description of the API and the columns of tables follow from it.
public struct FieldDescription: Sendable, Hashable {
    /// The kind of a value. All but `list` may be null where the field is not required.
    public enum Kind: Sendable, Hashable {
        case text
        case number
        case integer
        case flag
        case moment
        case date
        case localTime
        case texts
        case time
        case price
        case choice([String])
        case object(String)
        case objectOrText(String)
        case list(String)
        case any
    }

    public let name: String
    public let kind: Kind
    public let options: FieldOptions
    /// Its meaning, in one line without a full stop.
    public let explanation: String

    public init(_ name: String, _ kind: Kind, _ options: FieldOptions, _ explanation: String) {
        (self.name, self.kind, self.options, self.explanation) = (name, kind, options, explanation)
    }

    public var isRequired: Bool { options.contains(.required) }
    public var isGiven: Bool { options.isGiven }
    public var isShown: Bool { options.contains(.shown) }
}

/// Who may read and set a field, and where it occurs.
public struct FieldOptions: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public static let shown = FieldOptions(rawValue: 1)
    /// The owner of the record may set it, and so may an editor or an administrator.
    public static let setByOwner = FieldOptions(rawValue: 2)
    public static let setByAdministrator = FieldOptions(rawValue: 4)
    public static let column = FieldOptions(rawValue: 8)
    public static let required = FieldOptions(rawValue: 16)
    /// It is not written when it is empty.
    public static let leftOutWhenEmpty = FieldOptions(rawValue: 32)
    /// Lists do not have it, only responses with one record.
    public static let onlyInDetail = FieldOptions(rawValue: 64)
    /// An editor may set it, and so may an administrator.
    public static let setByEditor = FieldOptions(rawValue: 128)

    public static let open: FieldOptions = [.shown, .setByOwner, .column]
    public static let reserved: FieldOptions = [.shown, .setByEditor, .column]
    /// A field that responses show in another form, and an editor sets.
    public static let reference: FieldOptions = [.setByEditor, .column]
    /// A field that only the log, snapshots and exports have.
    public static let stored: FieldOptions = []

    public var isGiven: Bool { !isDisjoint(with: [.setByOwner, .setByEditor, .setByAdministrator]) }
    public var isGivenByEditors: Bool { !isDisjoint(with: [.setByOwner, .setByEditor]) }
}

/// The fields of a type, in the order in which they are written; made once per type, by a visit.
public struct FieldTable: Sendable {
    public let descriptions: [FieldDescription]
    /// The indexes of the fields `latitude` and `longitude`; nil for a type without a place.
    public let place: (latitude: Int, longitude: Int)?
    /// By their bytes, since a key of a client may be long.
    let indexes: [ByteText: Int]

    /// The fields of a type: at most 64.
    public init<Subject: Described>(of type: Subject.Type) {
        var collector = Collector<Subject>()
        Subject.visit(&collector)
        descriptions = collector.descriptions
        let names = descriptions.map(\.name)
        indexes = Dictionary(uniqueKeysWithValues: zip(names.map(ByteText.init), names.indices))
        place =
            if let latitude = names.firstIndex(of: "latitude"), let longitude = names.firstIndex(of: "longitude") {
                (latitude, longitude)
            } else {
                nil
            }
    }

    public var names: [String] { descriptions.map(\.name) }

    public func index(of name: some StringProtocol) -> Int? {
        descriptions.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
    }

    /// The index of the field with a name that the program states; it traps when there is none.
    public func knownIndex(of name: String) -> Int {
        guard let index = index(of: name) else { preconditionFailure("there is no field \(name)") }
        return index
    }

    private struct Collector<Subject: Described>: FieldVisitor {
        var descriptions: [FieldDescription] = []

        mutating func field<Value: FieldValue>(
            _ name: StaticString, _ path: WritableKeyPath<Subject, Value>, _ rule: Value.Rule,
            _ options: FieldOptions, _ explanation: StaticString
        ) {
            add(name, Value.kind, options, explanation)
        }

        @inline(never)
        private mutating func add(
            _ name: StaticString, _ kind: FieldDescription.Kind, _ options: FieldOptions, _ explanation: StaticString
        ) {
            descriptions.append(FieldDescription("\(name)", kind, options, "\(explanation)"))
        }
    }
}

/// A set of fields of a type, with a bit for the index of each in `FieldTable`.
public struct FieldSet<Subject: Described>: Sendable, Equatable {
    @usableFromInline var bits: UInt64 = 0

    public init() {}

    public init(where fits: (FieldOptions) -> Bool) {
        for (index, field) in Subject.fields.descriptions.enumerated() where fits(field.options) { insert(index) }
    }

    private init(_ indexes: Range<Int>) {
        bits = ((1 << UInt64(indexes.upperBound)) &- 1) & ~((1 << UInt64(indexes.lowerBound)) &- 1)
    }

    public static var all: Self { Self(0..<Subject.fields.descriptions.count) }

    public var isEmpty: Bool { bits == 0 }

    @inline(__always)
    public func contains(_ index: Int) -> Bool { bits & 1 << UInt64(index) != 0 }

    /// Whether it contains the field with a name, which must exist.
    public func contains(_ name: String) -> Bool { contains(Subject.fields.knownIndex(of: name)) }

    public func isSubset(of other: Self) -> Bool { bits & ~other.bits == 0 }

    public func isDisjoint(with other: Self) -> Bool { bits & other.bits == 0 }

    public func subtracting(_ other: Self) -> Self {
        var rest = self
        rest.bits &= ~other.bits
        return rest
    }

    @inline(__always)
    public mutating func insert(_ index: Int) {
        bits |= 1 << UInt64(index)
    }

    public mutating func remove(_ index: Int) { bits &= ~(1 << UInt64(index)) }

    /// Inserts the field with a name, which must exist.
    public mutating func insert(_ name: String) {
        insert(Subject.fields.knownIndex(of: name))
    }

    public func intersection(_ other: Self) -> Self { subtracting(subtracting(other)) }

    public func union(_ other: Self) -> Self {
        var union = self
        union.formUnion(other)
        return union
    }

    public mutating func formUnion(_ other: Self) {
        bits |= other.bits
    }

    /// The names of its fields, in the order in which they are written.
    public var names: [String] {
        Subject.fields.descriptions.enumerated().filter { contains($0.offset) }.map(\.element.name)
    }
}

extension FieldSet: ExpressibleByArrayLiteral {
    /// The fields with some names, which must exist.
    public init(arrayLiteral names: String...) {
        for name in names { insert(name) }
    }
}
