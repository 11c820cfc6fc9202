/// Some of the fields of a kind of record, a bit each: a set is made and asked for every change, and the hash of a
/// field is that of its name.
public struct FieldSet<Field: RecordField>: Sendable, Equatable, ExpressibleByArrayLiteral {
    @usableFromInline var bits: UInt64 = 0

    /// No field.
    @inlinable
    public init() {}

    /// The fields that are named.
    @inlinable
    public init(arrayLiteral fields: Field...) {
        self.init(fields)
    }

    /// The fields of a list.
    @inlinable
    public init(_ fields: some Sequence<Field>) {
        for field in fields { insert(field) }
    }

    /// Whether a field is in it.
    @inlinable
    public func contains(_ field: Field) -> Bool { bits & Self.bit(of: field) != 0 }

    /// Whether all of its fields are in another set.
    @inlinable
    public func isSubset(of other: Self) -> Bool { bits & ~other.bits == 0 }

    /// The fields that are not in another set.
    @inlinable
    public func subtracting(_ other: Self) -> Self {
        var rest = self
        rest.bits &= ~other.bits
        return rest
    }

    /// Adds a field.
    @inlinable
    public mutating func insert(_ field: Field) {
        bits |= Self.bit(of: field)
    }

    /// Adds the fields of another set.
    @inlinable
    public mutating func formUnion(_ other: Self) {
        bits |= other.bits
    }

    @inlinable
    static func bit(of field: Field) -> UInt64 {
        // What an enumeration without associated values is in memory: the number of its case. There are 64 at most, as
        // `JSONKeys` sees to, and two at least, or this traps.
        1 << UInt64(unsafeBitCast(field, to: UInt8.self))
    }
}

/// The fields in the order in which they are declared.
extension FieldSet: Sequence {
    /// A walk from the first field.
    @inlinable
    public func makeIterator() -> IndexingIterator<[Field]> {
        Field.allCases.filter(contains).makeIterator()
    }
}
