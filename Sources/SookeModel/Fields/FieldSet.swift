/// A set of fields of a type, with a bit for the index of each in `FieldTable`.
public struct FieldSet<Subject: Described>: Sendable, Equatable {
    @usableFromInline var bits: UInt64 = 0

    /// The empty set.
    public init() {}

    /// The fields whose options satisfy a predicate.
    public init(where fits: (FieldOptions) -> Bool) {
        for (index, field) in Subject.fields.descriptions.enumerated() where fits(field.options) { insert(index) }
    }

    private init(_ indexes: Range<Int>) {
        bits = ((1 << UInt64(indexes.upperBound)) &- 1) & ~((1 << UInt64(indexes.lowerBound)) &- 1)
    }

    public static var all: Self { Self(0..<Subject.fields.descriptions.count) }

    public var isEmpty: Bool { bits == 0 }

    /// Whether it contains the field with an index.
    @inline(__always)
    public func contains(_ index: Int) -> Bool { bits & 1 << UInt64(index) != 0 }

    /// Whether it contains the field with a name, which must exist.
    public func contains(_ name: String) -> Bool { contains(Subject.fields.knownIndex(of: name)) }

    /// Whether all of its fields are in another set.
    public func isSubset(of other: Self) -> Bool { bits & ~other.bits == 0 }

    /// Whether it has no field in common with another set.
    public func isDisjoint(with other: Self) -> Bool { bits & other.bits == 0 }

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

    /// Inserts the field with a name, which must exist.
    public mutating func insert(_ name: String) {
        insert(Subject.fields.knownIndex(of: name))
    }

    /// The fields that are in this set or in another.
    public func union(_ other: Self) -> Self {
        var union = self
        union.formUnion(other)
        return union
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
    /// The fields with some names, which must exist.
    public init(arrayLiteral names: String...) {
        for name in names { insert(name) }
    }
}
