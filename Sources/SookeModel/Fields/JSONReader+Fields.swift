import Bytes
import JSON

/// Reading fields so that a wrong type is a problem to report, not the end of reading.
extension JSONReader {
    /// Reads a text; the empty text and a problem when it is none.
    mutating func readText(_ field: StaticString, _ problems: inout FieldProblems) throws(JSONError) -> String {
        try expect(.string, field, "a text", &problems) ? readString() : ""
    }

    /// Reads a text of a shape; nil and a problem when it is none.
    mutating func readShape<Value: ShapedValue>(
        _ field: StaticString, _ problems: inout FieldProblems
    ) throws(JSONError) -> Value? {
        if try readNull() {
            problems.add("\(field)", "must be \(Value.shape), not null")
            return nil
        }
        guard try peek() == .string else { return try refuse(field, Value.shape, &problems) }
        let text = try readString()
        let value = text.utf8.count <= Self.longestShape ? Value(shaped: text) : nil
        if value == nil { problems.add("\(field)", "must be \(Value.shape), not \"\(text.excerpt())\"") }
        return value
    }

    /// No text of a shape has more bytes; a longer one is not looked at.
    private static let longestShape = 256

    /// Reads a whole number; 0 and a problem when it is none.
    mutating func readNumber(_ field: StaticString, _ problems: inout FieldProblems) throws(JSONError) -> Int {
        guard try expect(.number, field, "a whole number", &problems) else { return 0 }
        let value = try readDoubleOrInfinity()
        guard let number = Int(exactly: value), number <= IDRules.range.upperBound else {
            problems.add("\(field)", "must be a whole number")
            return 0
        }
        return number
    }

    /// Reads a number; 0 and a problem when it is none.
    mutating func readNumber(_ field: StaticString, _ problems: inout FieldProblems) throws(JSONError) -> Double {
        guard try expect(.number, field, "a number", &problems) else { return 0 }
        let value = try readDoubleOrInfinity()
        if value.isFinite { return value }
        problems.add("\(field)", "is a number beyond what can be stored")
        return 0
    }

    /// Reads true or false; false and a problem when it is neither.
    mutating func readFlag(_ field: StaticString, _ problems: inout FieldProblems) throws(JSONError) -> Bool {
        try expect(.bool, field, "true or false", &problems) ? readBool() : false
    }

    /// Whether the next value is of a kind; when not, it is noted and passed over.
    mutating func expect(
        _ kind: JSONKind, _ field: StaticString, _ name: StaticString, _ problems: inout FieldProblems
    ) throws(JSONError) -> Bool {
        if try peek() == kind { return true }
        _ = try refuse(field, "\(name)", &problems) as Never?
        return false
    }

    /// Passes over a value of a wrong kind.
    private mutating func refuse<Value>(
        _ field: StaticString, _ name: String, _ problems: inout FieldProblems
    ) throws(JSONError) -> Value? {
        problems.add("\(field)", "must be \(name)")
        try skipValue()
        return nil
    }
}
