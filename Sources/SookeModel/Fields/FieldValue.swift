import JSON

/// What a field can hold: how it is read, written, compared and checked.
public protocol FieldValue: Sendable {
    /// What a field may hold beyond its type, such as how long a text may be.
    associatedtype Rule: Sendable

    /// What descriptions say that it is.
    static var kind: FieldDescription.Kind { get }

    /// Reads a value; one of a wrong type or shape is noted and passed over.
    ///
    /// - Throws: a `JSONError` when the text is not JSON.
    static func read(
        _ field: StaticString, _ rule: Rule, from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) -> Self

    /// Writes the value.
    func write(to writer: inout JSONWriter)

    /// Whether there is nothing in it, so that a member may be left out.
    var isNothing: Bool { get }

    /// Whether another value is the same, byte for byte.
    func isSame(as other: Self) -> Bool

    /// Notes what is wrong with the value.
    func validate(_ field: StaticString, _ rule: Rule, _ stage: FieldStage, _ problems: inout FieldProblems)

    /// The value of a cell of a table, or of a field of a form; nil when the text has another shape.
    ///
    /// - Parameters:
    ///   - text: without spaces around it, unless the value is a text of any shape.
    ///   - isQuoted: whether it stood in quotes, which tells the empty text from nothing.
    init?(cell text: String, isQuoted: Bool)

    /// Whether an empty cell says something.
    static var hasEmptyCell: Bool { get }

    /// The value as a cell of a table; nil when there is nothing to write.
    var cell: String? { get }

    /// What a cell looks like, for messages; nil for a text of any shape.
    static var cellShape: String? { get }
}

extension FieldValue {
    /// Most values say something.
    public var isNothing: Bool { false }

    /// Only a text can be empty.
    public static var hasEmptyCell: Bool { cellShape == nil }
}

/// A value that may be absent, which is `null` in JSON.
extension Optional: FieldValue where Wrapped: FieldValue {
    /// The kind of the value.
    public static var kind: FieldDescription.Kind { Wrapped.kind }

    /// Reads a value or null.
    @inline(__always)
    public static func read(
        _ field: StaticString, _ rule: Wrapped.Rule, from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) -> Self {
        if try reader.readNull() { return nil }
        let before = problems.all.count
        let value = try Wrapped.read(field, rule, from: &reader, &problems)
        return problems.all.count == before ? value : nil
    }

    /// Writes the value or null.
    @inline(__always)
    public func write(to writer: inout JSONWriter) {
        if let self { self.write(to: &writer) } else { writer.null() }
    }

    /// Whether it is absent.
    public var isNothing: Bool { if case .none = self { true } else { false } }

    /// Whether another value is the same, byte for byte.
    @inline(__always)
    public func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (nil, nil): true
        case (let value?, let other?): value.isSame(as: other)
        default: false
        }
    }

    /// Notes what is wrong with the value, if there is one.
    @inline(__always)
    public func validate(
        _ field: StaticString, _ rule: Wrapped.Rule, _ stage: FieldStage, _ problems: inout FieldProblems
    ) {
        self?.validate(field, rule, stage, &problems)
    }

    /// The value of a cell, or nothing for an empty one.
    public init?(cell text: String, isQuoted: Bool) {
        if text.isEmpty, !(isQuoted && Wrapped.self == String.self) {
            self = .none
        } else {
            guard let value = Wrapped(cell: text, isQuoted: isQuoted) else { return nil }
            self = .some(value)
        }
    }

    /// An empty cell stands for nothing.
    public static var hasEmptyCell: Bool { true }

    /// The value as a cell.
    public var cell: String? { self?.cell }

    /// What a cell looks like.
    public static var cellShape: String? { Wrapped.cellShape }
}
