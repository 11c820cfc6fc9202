import Bytes

/// One thing wrong with one field of a record, in words for the person who wrote it.
public struct FieldProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// Where: the field's name, with its place inside the record, such as `hours[2].open_time`; empty for the record.
    public let field: String
    /// What is wrong and what would be right, such as `must be a time like 09:30`.
    public let message: String

    /// A problem of a field.
    public init(_ field: String, _ message: String) {
        self.field = field
        self.message = message
    }

    /// `field: message`.
    public var description: String { field.isEmpty ? message : "\(field): \(message)" }
}

/// All that is wrong with a record, collected so that a person hears of every bad field at once: of the first hundred,
/// where a program sent thousands.
public struct FieldProblems: Error, Sendable, Equatable {
    /// The problems, in the order they were found.
    public private(set) var all: [FieldProblem] = []
    /// So many problems are collected.
    static let limit = 100

    /// No problem yet.
    public init() {}

    /// Whether nothing is wrong.
    public var isEmpty: Bool { all.isEmpty }

    /// Notes that a field is wrong. A field's first problem counts; what follows from it is not repeated.
    public mutating func add(_ field: String, _ message: String) {
        guard all.count < Self.limit, !all.contains(where: { $0.field.hasSameBytes(as: field) }) else { return }
        all.append(FieldProblem(field, message))
    }

    /// Notes that a field is wrong unless a condition holds.
    public mutating func require(_ holds: Bool, _ field: String, _ message: @autoclosure () -> String) {
        if !holds { add(field, message()) }
    }

    /// Runs checks on a part of the record; the fields they name are named as parts of `place`, such as `menus[0]`.
    mutating func inside<Result, Failure: Error>(
        _ place: @autoclosure () -> String, _ checks: (inout FieldProblems) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var part = FieldProblems()
        let result = try checks(&part)
        if !part.isEmpty {
            let prefix = place()
            for problem in part.all {
                add(problem.field.isEmpty ? prefix : "\(prefix).\(problem.field)", problem.message)
            }
        }
        return result
    }
}
