import JSON

/// The value of a field: how it is read, written, compared and validated.
public protocol FieldValue: Sendable {
    /// The rule of a field beyond its type, such as the length of a text.
    associatedtype Rule: Sendable

    static var kind: FieldDescription.Kind { get }

    /// Reads a value. A value of another type or form becomes a problem and is skipped.
    static func read(
        _ field: StaticString, _ rule: Rule, from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) -> Self

    func write(to writer: inout JSONWriter)

    /// Whether it is empty, so that its member may be left out.
    var isNothing: Bool { get }

    /// Whether another value has the same bytes.
    func isSame(as other: Self) -> Bool

    func validate(_ field: StaticString, _ rule: Rule, _ stage: FieldStage, _ problems: inout FieldProblems)

    /// Parses a cell or a field of a form, trimmed unless it is a text; quotes tell the empty text from no value.
    init?(cell text: String, isQuoted: Bool)

    static var hasEmptyCell: Bool { get }

    /// The value as a cell of a table; nil for no value.
    var cell: String? { get }

    /// The form of a cell, for messages; nil for a text of any form.
    static var cellShape: String? { get }
}

extension FieldValue {
    public var isNothing: Bool { false }

    /// The most bytes of a text of a certain form; a longer one is not parsed.
    public static var longestShape: Int { 256 }

    /// Only a text can be empty.
    public static var hasEmptyCell: Bool { cellShape == nil }
}

/// A value that may be absent, which is `null` in JSON.
extension Optional: FieldValue where Wrapped: FieldValue {
    public static var kind: FieldDescription.Kind { Wrapped.kind }

    @inline(__always)
    public static func read(
        _ field: StaticString, _ rule: Wrapped.Rule, from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) -> Self {
        if try reader.readNull() { return nil }
        let before = problems.all.count
        let value = try Wrapped.read(field, rule, from: &reader, &problems)
        return problems.all.count == before ? value : nil
    }

    @inline(__always)
    public func write(to writer: inout JSONWriter) {
        if let self { self.write(to: &writer) } else { writer.null() }
    }

    public var isNothing: Bool { if case .none = self { true } else { false } }

    @inline(__always)
    public func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (nil, nil): true
        case (let value?, let other?): value.isSame(as: other)
        default: false
        }
    }

    @inline(__always)
    public func validate(
        _ field: StaticString, _ rule: Wrapped.Rule, _ stage: FieldStage, _ problems: inout FieldProblems
    ) {
        self?.validate(field, rule, stage, &problems)
    }

    /// Parses a cell; an empty one is no value.
    @inlinable
    public init?(cell text: String, isQuoted: Bool) {
        if text.isEmpty, !(isQuoted && Wrapped.self == String.self) {
            self = .none
        } else {
            guard let value = Wrapped(cell: text, isQuoted: isQuoted) else { return nil }
            self = .some(value)
        }
    }

    public static var hasEmptyCell: Bool { true }

    public var cell: String? { self?.cell }

    public static var cellShape: String? { Wrapped.cellShape }
}
