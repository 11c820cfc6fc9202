import Bytes
import JSON

/// Reading fields so that a wrong type is a problem to report, not the end of reading.
extension JSONReader {
    /// Reads an object's members, handing known ones on; unknown ones are noted and passed over.
    mutating func readMembers<Field: RecordField>(
        of type: Field.Type, passingOver: [String] = [], _ problems: inout FieldProblems,
        _ member: (Field, inout JSONReader, inout FieldProblems) throws(JSONError) -> Void
    ) throws(JSONError) {
        guard try peek() == .object else {
            problems.add("", "must be an object")
            return try skipValue()
        }
        try beginObject()
        while let next = try nextMember(Field.keys) {
            switch next {
            case .known(let field):
                try member(field, &self, &problems)
            case .unknown(let name):
                if !passingOver.contains(where: { $0.hasSameBytes(as: name) }) {
                    problems.add(name, "is not a field here")
                }
                try skipValue()
            }
        }
    }

    /// Reads an array of objects that each are a `Part` of the record, such as its hours.
    mutating func readParts<Part>(
        _ field: some RecordField, _ problems: inout FieldProblems,
        _ element: (inout JSONReader, inout FieldProblems) throws(JSONError) -> Part
    ) throws(JSONError) -> [Part] {
        var parts: [Part] = []
        guard try expect(.array, field, "a list", &problems) else { return parts }
        try beginArray()
        while try nextElement() {
            let part = try problems.inside("\(field.rawValue)[\(parts.count)]") { problems throws(JSONError) in
                try element(&self, &problems)
            }
            parts.append(part)
        }
        return parts
    }

    /// Reads a list of texts, or null for none.
    mutating func readTexts(_ field: some RecordField, _ problems: inout FieldProblems) throws(JSONError) -> [String] {
        var texts: [String] = []
        if try readNull() { return texts }
        guard try expect(.array, field, "a list", &problems) else { return texts }
        try beginArray()
        while try nextElement() { texts.append(try readText(field, &problems)) }
        return texts
    }

    /// Reads a text; the empty text and a problem when it is none.
    mutating func readText(_ field: some RecordField, _ problems: inout FieldProblems) throws(JSONError) -> String {
        try expect(.string, field, "a text", &problems) ? readString() : ""
    }

    /// Reads a text or null.
    mutating func readOptionalText(
        _ field: some RecordField, _ problems: inout FieldProblems
    ) throws(JSONError) -> String? {
        try readNull() ? nil : readText(field, &problems)
    }

    /// Reads a text of a certain shape, or null.
    mutating func readShape<Value>(
        _ field: some RecordField, _ shape: String, _ problems: inout FieldProblems, _ make: (String) -> Value?
    ) throws(JSONError) -> Value? {
        if try readNull() { return nil }
        guard try expect(.string, field, shape, &problems) else { return nil }
        let text = try readString()
        let value = text.utf8.count <= Self.longestShape ? make(text) : nil
        if value == nil { problems.add(field.rawValue, "must be \(shape), not \"\(text.excerpt())\"") }
        return value
    }

    /// No text of a shape has more bytes; a longer one is not looked at.
    private static let longestShape = 256

    /// Reads a text of a certain shape where null has no meaning; nil and a problem when it is none.
    mutating func readRequiredShape<Value>(
        _ field: some RecordField, _ shape: String, _ problems: inout FieldProblems, _ make: (String) -> Value?
    ) throws(JSONError) -> Value? {
        if try peek() == .null { problems.add(field.rawValue, "must be \(shape), not null") }
        return try readShape(field, shape, &problems, make)
    }

    /// Reads a moment as RFC 3339 writes it; 1970 and a problem when it is none.
    mutating func readMoment(_ field: some RecordField, _ problems: inout FieldProblems) throws(JSONError) -> Timestamp
    {
        try readRequiredShape(field, Event.momentShape, &problems, Timestamp.init(rfc3339:)) ?? Timestamp(seconds: 0)
    }

    /// Reads a moment as RFC 3339 writes it, or null.
    mutating func readOptionalMoment(
        _ field: some RecordField, _ problems: inout FieldProblems
    ) throws(JSONError) -> Timestamp? {
        try readShape(field, Event.momentShape, &problems, Timestamp.init(rfc3339:))
    }

    /// Reads a whole number; 0 and a problem when it is none.
    mutating func readNumber(_ field: some RecordField, _ problems: inout FieldProblems) throws(JSONError) -> Int {
        guard try expect(.number, field, "a whole number", &problems) else { return 0 }
        let value = try readDoubleOrInfinity()
        guard let number = Int(exactly: value), number <= NumberRules.range.upperBound else {
            problems.add(field.rawValue, "must be a whole number")
            return 0
        }
        return number
    }

    /// Reads a whole number or null.
    mutating func readOptionalNumber(
        _ field: some RecordField, _ problems: inout FieldProblems
    ) throws(JSONError) -> Int? {
        try readNull() ? nil : readNumber(field, &problems)
    }

    /// Reads a number or null.
    mutating func readOptionalDouble(
        _ field: some RecordField, _ problems: inout FieldProblems
    ) throws(JSONError) -> Double? {
        if try readNull() { return nil }
        guard try expect(.number, field, "a number", &problems) else { return nil }
        let value = try readDoubleOrInfinity()
        if value.isFinite { return value }
        problems.add(field.rawValue, "is a number beyond what can be stored")
        return nil
    }

    /// Reads true or false; false and a problem when it is neither.
    mutating func readFlag(_ field: some RecordField, _ problems: inout FieldProblems) throws(JSONError) -> Bool {
        try expect(.bool, field, "true or false", &problems) ? readBool() : false
    }

    /// Whether the next value is of a kind; when not, it is noted and passed over.
    private mutating func expect(
        _ kind: JSONKind, _ field: some RecordField, _ name: String, _ problems: inout FieldProblems
    ) throws(JSONError) -> Bool {
        if try peek() == kind { return true }
        problems.add(field.rawValue, "must be \(name)")
        try skipValue()
        return false
    }
}
