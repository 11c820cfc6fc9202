import Bytes
import JSON

/// A value that JSON and tables write as a text of a shape of its own.
public protocol ShapedValue: FieldValue, Equatable where Rule == NoRule {
    /// What the text looks like, for messages.
    static var shape: String { get }

    /// Reads the text; nil for one of another shape.
    init?(shaped text: String)

    /// The text.
    var shapedText: String { get }
}

extension ShapedValue {
    /// Whether another value is the same, byte for byte.
    public func isSame(as other: Self) -> Bool { self == other }

    /// Notes what is wrong with the value.
    public func validate(
        _ field: StaticString, _ rule: NoRule, _ stage: FieldStage, _ problems: inout FieldProblems
    ) {}

    /// Writes the value.
    public func write(to writer: inout JSONWriter) {
        writer.string(shapedText)
    }

    /// The value of a cell; nil when it has another shape.
    public init?(cell text: String, isQuoted: Bool) {
        self.init(shaped: text)
    }

    /// The value as a cell.
    public var cell: String? { shapedText }

    /// What a cell looks like, for messages.
    public static var cellShape: String? { shape }
}

extension Timestamp: ShapedValue {
    /// What descriptions say that it is.
    public static var kind: FieldDescription.Kind { .moment }

    /// What the text looks like, for messages.
    public static var shape: String { "a date and time like 2027-06-01T19:00:00-07:00" }

    /// Reads a value; one of a wrong type or shape is noted and passed over.
    public static func read(
        _ field: StaticString, _ rule: NoRule, from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) -> Timestamp {
        try reader.readShape(field, &problems) ?? Timestamp(seconds: 0)
    }

    /// Reads the text; nil for one of another shape.
    public init?(shaped text: String) {
        self.init(rfc3339: text)
    }

    /// The text.
    public var shapedText: String { rfc3339 }

    /// Writes the value.
    public func write(to writer: inout JSONWriter) {
        writer.string { $0.append(rfc3339: self) }
    }
}

extension ClockTime: ShapedValue {
    /// What descriptions say that it is.
    public static var kind: FieldDescription.Kind { .time }

    /// What the text looks like, for messages.
    public static var shape: String { "a time like 09:30 or 24:00:00" }

    /// Reads a value; one of a wrong type or shape is noted and passed over.
    public static func read(
        _ field: StaticString, _ rule: NoRule, from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) -> ClockTime {
        try reader.readShape(field, &problems) ?? .midnight
    }

    /// Reads the text; nil for one of another shape.
    public init?(shaped text: String) {
        self.init(text)
    }

    /// The text.
    public var shapedText: String { text }
}

extension Price: ShapedValue {
    /// What descriptions say that it is.
    public static var kind: FieldDescription.Kind { .price }

    /// What the text looks like, for messages.
    public static var shape: String { "a price like \"14.25\", at most 99999999.99" }

    /// Reads a value; one of a wrong type or shape is noted and passed over.
    public static func read(
        _ field: StaticString, _ rule: NoRule, from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) -> Price {
        try reader.readShape(field, &problems) ?? .zero
    }

    /// Reads the text; nil for one of another shape.
    public init?(shaped text: String) {
        self.init(text)
    }

    /// The text.
    public var shapedText: String { text }

    /// Writes the value.
    public func write(to writer: inout JSONWriter) {
        writer.string { $0.append(price: self) }
    }
}

/// One of a few texts; the first case stands for one that cannot be read.
public protocol ChoiceValue: ShapedValue, CaseIterable, RawRepresentable<String> {}

extension ChoiceValue {
    /// What descriptions say that it is.
    public static var kind: FieldDescription.Kind { .choice(allCases.map(\.rawValue)) }

    /// What the text looks like, for messages.
    public static var shape: String { "one of " + allCases.map(\.rawValue).joined(separator: ", ") }

    /// Reads a value; one of a wrong type or shape is noted and passed over.
    public static func read(
        _ field: StaticString, _ rule: NoRule, from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) -> Self {
        if let value = try reader.readShape(field, &problems) as Self? { return value }
        guard let first = allCases.first else { preconditionFailure("a choice without cases") }
        return first
    }

    /// Reads the text; nil for one of another shape.
    public init?(shaped text: String) {
        self.init(named: text)
    }

    /// The text.
    public var shapedText: String { rawValue }
}
