/// The header fields of a request.
///
/// A value is handed out as a slice of the request's own bytes; looking one up allocates nothing.
public struct Headers: Sendable {
    let head: RequestHead

    /// The number of fields.
    public var count: Int { head.fieldCount }

    /// The value of the first field with this name in any letter case, without surrounding white space.
    public func first(_ name: StaticString) -> ArraySlice<UInt8>? {
        let bytes = head.bytes.span
        for index in 0..<head.fieldCount
        where bytes.extracting(head.fields[index].name.range).equalsIgnoringCase(name) {
            return head.bytes[head.fields[index].value.range]
        }
        return nil
    }

    /// The value of the first field with this name as text; bytes that are not UTF-8 become U+FFFD.
    public func text(_ name: StaticString) -> String? {
        first(name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The values of all fields with this name in any letter case, in order.
    public func all(_ name: StaticString) -> [ArraySlice<UInt8>] {
        let bytes = head.bytes.span
        var values: [ArraySlice<UInt8>] = []
        for index in 0..<head.fieldCount
        where bytes.extracting(head.fields[index].name.range).equalsIgnoringCase(name) {
            values.append(head.bytes[head.fields[index].value.range])
        }
        return values
    }
}
