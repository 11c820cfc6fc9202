/// Some of the fields of a type, a bit each, by their index in `FieldTable`.
public struct FieldSet<Subject: Described>: Sendable, Equatable {
    @usableFromInline var bits: UInt64 = 0

    /// No field.
    public init() {}

    /// The fields whose options fit.
    public init(where fits: (FieldOptions) -> Bool) {
        for (index, field) in Subject.fields.descriptions.enumerated() where fits(field.options) { insert(index) }
    }

    /// The fields with some indexes.
    public init(_ indexes: Range<Int>) {
        for index in indexes { insert(index) }
    }

    /// All fields.
    public static var all: Self { Self(0..<Subject.fields.descriptions.count) }

    /// Whether there is none.
    public var isEmpty: Bool { bits == 0 }

    /// Whether it has the field with an index.
    @inline(__always)
    public func contains(_ index: Int) -> Bool { bits & 1 << UInt64(index) != 0 }

    /// Whether it has the field with a name, which there must be.
    public func contains(_ name: String) -> Bool { contains(Self.index(of: name)) }

    /// Whether all of its fields are in another set.
    public func isSubset(of other: Self) -> Bool { bits & ~other.bits == 0 }

    /// The fields that are not in another set.
    public func subtracting(_ other: Self) -> Self {
        var rest = self
        rest.bits &= ~other.bits
        return rest
    }

    /// Adds the field with an index.
    @inline(__always)
    public mutating func insert(_ index: Int) {
        bits |= 1 << UInt64(index)
    }

    /// Adds the field with a name, which there must be.
    public mutating func insert(_ name: String) {
        insert(Self.index(of: name))
    }

    private static func index(of name: String) -> Int {
        guard let index = Subject.fields.index(of: name) else { preconditionFailure("there is no field \(name)") }
        return index
    }

    /// Adds the fields of another set.
    public mutating func formUnion(_ other: Self) {
        bits |= other.bits
    }

    /// The names of its fields, in the order in which they are written.
    public var names: [String] {
        Subject.fields.descriptions.enumerated().filter { contains($0.offset) }.map(\.element.name)
    }
}

extension FieldSet: ExpressibleByArrayLiteral {
    /// The fields with some names, which there must be.
    public init(arrayLiteral names: String...) {
        for name in names { insert(name) }
    }
}
