import JSON

/// Some of the fields of a record: a merge patch (RFC 7396), a row of a table, or a part of an import.
///
/// Applying the patch to a record leaves the other fields unchanged.
public struct Patch<Value: Record>: Sendable {
    /// The values of the given fields.
    public var values = Value()
    /// The given fields.
    public var fields = FieldSet<Value>()

    /// A patch without fields.
    public init() {}

    /// Reads the members of a JSON object as fields.
    ///
    /// Unknown members and values of another type become problems and are skipped.
    /// - Parameter ignoring: unknown members that are skipped without a problem.
    /// - Throws: a `JSONError` when the text is not JSON.
    public init(
        from reader: inout JSONReader, ignoring: [String] = [], _ problems: inout FieldProblems
    ) throws(JSONError) {
        fields = try values.readFields(from: &reader, unknown: .reported(except: ignoring), &problems)
    }

    /// The record with the given fields replaced.
    public func applied(to record: Value) -> Value {
        var result = record
        result.take(fields, from: values)
        result.derive(from: fields)
        return result
    }
}
