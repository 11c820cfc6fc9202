import Bytes

/// A problem of one field of a record, for the person who wrote it.
public struct FieldProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// The field's name, with its path inside the record, such as `hours[2].open_time`; empty for the record.
    public let field: String
    /// What is wrong and what is valid, such as `must be a time like 09:30`.
    public let message: String

    public init(_ field: String, _ message: String) {
        self.field = field
        self.message = message
    }

    static let unknownMember = "is not a field here"

    /// Whether the field is not known. Clients ignore it, because a later server may have more fields.
    public var isUnknownMember: Bool { message == Self.unknownMember }

    public var description: String { field.isEmpty ? message : "\(field): \(message)" }
}

/// The problems of a record, collected so that one message lists all invalid fields, up to the first hundred.
public struct FieldProblems: Error, Sendable, Equatable {
    public private(set) var all: [FieldProblem] = []
    static let limit = 100

    public init() {}

    public var isEmpty: Bool { all.isEmpty }

    /// Removes the problems of some fields, which are read in another way.
    public mutating func remove(_ fields: [String]) {
        all.removeAll { problem in fields.contains { $0.hasSameBytes(as: problem.field) } }
    }

    /// Adds a problem of a field. Only the first problem of a field is stored, because others follow from it.
    public mutating func add(_ field: String, _ message: String) {
        guard all.count < Self.limit, !all.contains(where: { $0.field.hasSameBytes(as: field) }) else { return }
        all.append(FieldProblem(field, message))
    }

    /// The same out of line, because the code of each field of each kind calls it.
    @inline(never)
    mutating func add(_ field: StaticString, _ message: String) { add(String(describing: field), message) }

    @inline(never)
    mutating func add(_ field: StaticString, _ message: StaticString) { add(field, "\(message)" as String) }

    public mutating func require(
        _ holds: Bool, _ field: @autoclosure () -> String, _ message: @autoclosure () -> String
    ) {
        if !holds { add(field(), message()) }
    }

    mutating func require(_ holds: Bool, _ field: StaticString, _ message: @autoclosure () -> String) {
        if !holds { add(field, message()) }
    }

    /// Runs checks on a part of the record; the fields of their problems are prefixed with `place`, such as `menus[0]`.
    mutating func inside<Result, Failure: Error>(
        _ place: @autoclosure () -> String, _ checks: (inout FieldProblems) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var part = FieldProblems()
        let result = try checks(&part)
        if !part.isEmpty { add(part, in: place()) }
        return result
    }

    @inline(never)
    private mutating func add(_ part: FieldProblems, in place: String) {
        for problem in part.all {
            add(problem.field.isEmpty ? place : "\(place).\(problem.field)", problem.message)
        }
    }
}

extension FieldProblems {
    /// Adds problems that were found later, but none of fields, or of their parts, that already have problems.
    public mutating func add(consequences later: FieldProblems, in place: String = "") {
        let fields = all.map(\.field)
        for problem in later.all {
            let field = problem.field.hasPrefix(place) ? String(problem.field.dropFirst(place.count)) : problem.field
            if !fields.contains(where: field.isPart(of:)) { add(problem.field, problem.message) }
        }
    }
}

extension String {
    /// Whether a field equals another one or is a part of it. All fields are parts of the record, which has an empty
    /// name.
    fileprivate func isPart(of other: String) -> Bool {
        other.isEmpty || self == other || hasPrefix("\(other).") || hasPrefix("\(other)[")
    }
}
