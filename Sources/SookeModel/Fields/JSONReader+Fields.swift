import Bytes
import JSON

/// Reading fields, where a value of another type is a problem and does not end reading.
extension JSONReader {
    /// Reads a text; for another value, returns the empty text and adds a problem.
    mutating func readText(_ field: StaticString, _ problems: inout FieldProblems) throws(JSONError) -> String {
        try expect(.string, field, "a text", &problems) ? readString() : ""
    }

    /// Reads a text of a form; for another value, returns nil and adds a problem.
    mutating func readShape<Value: ShapedValue>(
        _ field: StaticString, _ problems: inout FieldProblems
    ) throws(JSONError) -> Value? {
        if try readNull() {
            problems.add("\(field)", "must be \(Value.shape), not null")
            return nil
        }
        guard try peek() == .string else { return try refuse(field, Value.shape, &problems) }
        let text = try readString()
        let value = text.utf8.count <= Value.longestShape ? Value(shaped: text) : nil
        if value == nil { problems.add("\(field)", "must be \(Value.shape), not \"\(text.excerpt())\"") }
        return value
    }

    /// Reads a whole number; for another value, returns 0 and adds a problem.
    mutating func readNumber(_ field: StaticString, _ problems: inout FieldProblems) throws(JSONError) -> Int {
        guard try expect(.number, field, "a whole number", &problems) else { return 0 }
        let value = try readDoubleOrInfinity()
        guard let number = Int(exactly: value), number <= IDRules.range.upperBound else {
            problems.add("\(field)", "must be a whole number")
            return 0
        }
        return number
    }

    /// Reads a number; for another value, returns 0 and adds a problem.
    mutating func readNumber(_ field: StaticString, _ problems: inout FieldProblems) throws(JSONError) -> Double {
        guard try expect(.number, field, "a number", &problems) else { return 0 }
        let value = try readDoubleOrInfinity()
        if value.isFinite { return value }
        problems.add("\(field)", "is a number beyond what can be stored")
        return 0
    }

    /// Reads true or false; for another value, returns false and adds a problem.
    mutating func readFlag(_ field: StaticString, _ problems: inout FieldProblems) throws(JSONError) -> Bool {
        try expect(.bool, field, "true or false", &problems) ? readBool() : false
    }

    /// Whether the next value is of a kind. Another value becomes a problem and is skipped.
    mutating func expect(
        _ kind: JSONKind, _ field: StaticString, _ name: StaticString, _ problems: inout FieldProblems
    ) throws(JSONError) -> Bool {
        if try peek() == kind { return true }
        _ = try refuse(field, "\(name)", &problems) as Never?
        return false
    }

    /// Skips a value of another kind.
    private mutating func refuse<Value>(
        _ field: StaticString, _ name: String, _ problems: inout FieldProblems
    ) throws(JSONError) -> Value? {
        problems.add("\(field)", "must be \(name)")
        try skipValue()
        return nil
    }
}
