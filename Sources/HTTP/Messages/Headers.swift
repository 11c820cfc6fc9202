/// The header fields of a request.
///
/// A value is a slice of the request's own bytes; a look-up allocates nothing. It is inlinable, so that a look-up of an
/// absent field copies no references either.
public struct Headers: Sendable {
    @usableFromInline let head: RequestHead

    @inlinable
    init(head: RequestHead) {
        self.head = head
    }

    /// No field.
    public static let none = Headers(head: RequestHead())

    /// The number of fields.
    public var count: Int { head.fieldCount }

    /// The value of the first field with this name, ignoring case, without surrounding white space.
    @inlinable
    public func first(_ name: StaticString) -> ArraySlice<UInt8>? {
        head.mayHave(name) ? head.firstValue(name) : nil
    }

    /// The value of the first field with this name as text; bytes that are not UTF-8 become U+FFFD.
    public func text(_ name: StaticString) -> String? {
        first(name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The values of all fields with this name, ignoring case, in order.
    @inlinable
    public func all(_ name: StaticString) -> [ArraySlice<UInt8>] {
        head.mayHave(name) ? head.values(name) : []
    }
}
