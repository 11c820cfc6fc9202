import JSON

/// A record of which only some fields are given: a merge patch (RFC 7396), a row of a spreadsheet, or a part of an
/// import.
///
/// Fields that are not given are left as they are when the patch is applied to a record.
public struct Patch<Value: Record>: Sendable {
    /// The values of the given fields.
    public var values = Value()
    /// Which fields are given.
    public var fields = FieldSet<Value>()

    /// A patch that gives no field.
    public init() {}

    /// Reads a JSON object's members as fields.
    ///
    /// Unknown members and values of a wrong type are noted in `problems` and passed over.
    /// - Parameter ignoring: unknown members that are passed over without a note.
    /// - Throws: a `JSONError` when the text is not JSON.
    public init(
        from reader: inout JSONReader, ignoring: [String] = [], _ problems: inout FieldProblems
    ) throws(JSONError) {
        fields = try values.readFields(from: &reader, unknown: .reported(except: ignoring), &problems)
    }

    /// The record with the given fields taken over.
    public func applied(to record: Value) -> Value {
        var result = record
        result.take(fields, from: values)
        return result
    }
}
