import Bytes
import JSON

/// Reads the members of an object into the fields of a value: in one visit if they are in the written order, otherwise
/// in several.
///
/// A value of another type or form becomes a problem and is skipped.
struct FieldReader<Subject: Described>: FieldVisitor {
    typealias Failure = JSONError

    var reader: JSONReader
    var subject: Subject
    var problems: FieldProblems
    let unknown: UnknownMembers
    private let indexes = Subject.fields.indexes
    /// The field of the next value; -1 at the end of the object.
    var next = 0
    var index = 0
    var found = FieldSet<Subject>()

    @inline(__always)
    mutating func read() throws(JSONError) {
        if case .reported = unknown, try !reader.expect(.object, "", "an object", &problems) { return }
        try reader.beginObject()
        try moveToNext()
        while next >= 0 {
            index = 0
            try Subject.visit(&self)
        }
    }

    @inline(__always)
    mutating func field<Value: FieldValue>(
        _ name: StaticString, _ path: WritableKeyPath<Subject, Value>, _ rule: Value.Rule, _ options: FieldOptions,
        _ explanation: StaticString
    ) throws(JSONError) {
        if index == next {
            subject[keyPath: path] = try Value.read(name, rule, from: &reader, &problems)
            found.insert(index)
            try moveToNext()
        }
        index += 1
    }

    @inline(never)
    private mutating func moveToNext() throws(JSONError) {
        while let name = try reader.nextKey() {
            if let index = indexes[ByteText(name)] {
                next = index
                return
            }
            if case .refused = unknown, try subject.readOther(name, from: &reader) { continue }
            try reader.skip(name, unknown, &problems)
        }
        next = -1
    }
}

extension Described {
    /// Reads the members of an object. Returns which fields were present; the others are left unchanged.
    @specialized(where Self == Business)
    @specialized(where Self == Event)
    @specialized(where Self == Menu)
    @specialized(where Self == MenuItem)
    @specialized(where Self == DayHours)
    @specialized(where Self == Person)
    public mutating func readFields(
        from reader: inout JSONReader, unknown: UnknownMembers, _ problems: inout FieldProblems
    ) throws(JSONError) -> FieldSet<Self> {
        // The reader is moved, because a second reference to its arrays would make it copy them.
        var moved = JSONReader([])
        swap(&moved, &reader)
        var visitor = FieldReader(reader: consume moved, subject: self, problems: problems, unknown: unknown)
        defer { (reader, self, problems) = (visitor.reader, visitor.subject, visitor.problems) }
        try visitor.read()
        return visitor.found
    }
}

/// Reading fields, where a value of another type is a problem and does not end reading.
extension JSONReader {
    mutating func readText(_ field: StaticString, _ problems: inout FieldProblems) throws(JSONError) -> String {
        try expect(.string, field, "a text", &problems) ? readString() : ""
    }

    mutating func readShape<Value: ShapedValue>(
        _ field: StaticString, _ problems: inout FieldProblems
    ) throws(JSONError) -> Value? {
        if try readNull() {
            problems.add(field, Value.shape, not: nil)
            return nil
        }
        guard try peek() == .string else {
            try refuse(field, Value.shape, &problems)
            return nil
        }
        let text = try readString()
        let value = text.utf8.count <= Value.longestShape ? Value(shaped: text) : nil
        if value == nil { problems.add(field, Value.shape, not: text) }
        return value
    }

    mutating func readNumber(_ field: StaticString, _ problems: inout FieldProblems) throws(JSONError) -> Int {
        guard try expect(.number, field, "a whole number", &problems) else { return 0 }
        let value = try readDoubleOrInfinity()
        guard let number = Int(exactly: value), number <= IDRules.range.upperBound else {
            problems.add(field, "must be a whole number")
            return 0
        }
        return number
    }

    mutating func readNumber(_ field: StaticString, _ problems: inout FieldProblems) throws(JSONError) -> Double {
        guard try expect(.number, field, "a number", &problems) else { return 0 }
        let value = try readDoubleOrInfinity()
        if value.isFinite { return value }
        problems.add(field, "is a number beyond what can be stored")
        return 0
    }

    mutating func readFlag(_ field: StaticString, _ problems: inout FieldProblems) throws(JSONError) -> Bool {
        try expect(.bool, field, "true or false", &problems) ? readBool() : false
    }

    /// Whether the next value is of a kind. Another value becomes a problem and is skipped.
    mutating func expect(
        _ kind: JSONKind, _ field: StaticString, _ name: StaticString, _ problems: inout FieldProblems
    ) throws(JSONError) -> Bool {
        if try peek() == kind { return true }
        try refuse(field, "\(name)", &problems)
        return false
    }

    @inline(never)
    private mutating func refuse(
        _ field: StaticString, _ name: String, _ problems: inout FieldProblems
    ) throws(JSONError) {
        problems.add(field, "must be \(name)")
        try skipValue()
    }

    /// Skips the value of an unknown member, which is an error or a problem.
    @inline(never)
    fileprivate mutating func skip(
        _ name: String, _ unknown: UnknownMembers, _ problems: inout FieldProblems
    ) throws(JSONError) {
        guard case .reported(let exceptions) = unknown else {
            throw error("an unknown field \"\(name.excerpt())\"")
        }
        if !exceptions.contains(where: { $0.hasSameBytes(as: name) }) {
            problems.add(name, FieldProblem.unknownMember)
        }
        try skipValue()
    }
}

extension FieldProblems {
    @inline(never)
    fileprivate mutating func add(_ field: StaticString, _ shape: String, not text: String?) {
        add(field, "must be \(shape), not " + (text.map { "\"\($0.excerpt())\"" } ?? "null"))
    }
}
