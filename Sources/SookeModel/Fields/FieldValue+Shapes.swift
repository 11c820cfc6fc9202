import Bytes
import JSON

/// A value that JSON and tables write as a text of a certain form.
public protocol ShapedValue: FieldValue, Equatable where Rule == NoRule {
    /// The form of the text, for messages.
    static var shape: String { get }

    /// The value in the place of an invalid one, which is a problem.
    static var placeholder: Self { get }

    /// Parses the text; nil if it has another form.
    init?(shaped text: String)

    /// The text.
    var shapedText: String { get }
}

extension ShapedValue {
    /// Reads a value. A value of another type or form becomes a problem and is skipped.
    public static func read(
        _ field: StaticString, _ rule: NoRule, from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) -> Self {
        try reader.readShape(field, &problems) ?? placeholder
    }

    /// Whether another value has the same bytes.
    public func isSame(as other: Self) -> Bool { self == other }

    /// Adds the problems of the value.
    public func validate(
        _ field: StaticString, _ rule: NoRule, _ stage: FieldStage, _ problems: inout FieldProblems
    ) {}

    /// Writes the value.
    public func write(to writer: inout JSONWriter) {
        writer.string(shapedText)
    }

    /// Parses a cell; nil if it has another form.
    public init?(cell text: String, isQuoted: Bool) {
        self.init(shaped: text)
    }

    /// The value as a cell.
    public var cell: String? { shapedText }

    /// The form of a cell, for messages.
    public static var cellShape: String? { shape }
}

extension Timestamp: ShapedValue {
    /// The kind of the value in descriptions.
    public static var kind: FieldDescription.Kind { .moment }

    /// The form of the text, for messages.
    public static var shape: String { "a date and time like 2027-06-01T19:00:00-07:00" }

    /// The value in the place of an invalid one.
    public static var placeholder: Timestamp { Timestamp(seconds: 0) }

    /// Parses the text; nil if it has another form.
    public init?(shaped text: String) {
        self.init(rfc3339: text)
    }

    /// Adds a problem of a moment that could not be written and read again.
    public func validate(
        _ field: StaticString, _ rule: NoRule, _ stage: FieldStage, _ problems: inout FieldProblems
    ) {
        problems.require(hasText, "\(field)", "must lie in the years 0 to 9999 in UTC")
    }

    /// The text.
    public var shapedText: String { rfc3339 }

    /// Writes the value.
    public func write(to writer: inout JSONWriter) {
        writer.string { $0.append(rfc3339: self) }
    }
}

extension CivilDate: ShapedValue {
    /// The kind of the value in descriptions.
    public static var kind: FieldDescription.Kind { .date }

    /// The form of the text, for messages.
    public static var shape: String { "a date like 2026-12-24" }

    /// The value in the place of an invalid one.
    public static var placeholder: CivilDate { CivilDate(daysSinceEpoch: 0) }

    /// Parses the text; nil if it has another form.
    public init?(shaped text: String) {
        self.init(text)
    }

    /// The text.
    public var shapedText: String { text }
}

extension ClockTime: ShapedValue {
    /// The kind of the value in descriptions.
    public static var kind: FieldDescription.Kind { .time }

    /// The form of the text, for messages.
    public static var shape: String { "a time like 09:30 or 24:00:00" }

    /// The value in the place of an invalid one.
    public static var placeholder: ClockTime { .midnight }

    /// Parses the text; nil if it has another form.
    public init?(shaped text: String) {
        self.init(text)
    }

    /// The text.
    public var shapedText: String { text }
}

extension Price: ShapedValue {
    /// The kind of the value in descriptions.
    public static var kind: FieldDescription.Kind { .price }

    /// The form of the text, for messages.
    public static var shape: String { "a price like \"14.25\", at most 99999999.99" }

    /// The value in the place of an invalid one.
    public static var placeholder: Price { .zero }

    /// Parses the text; nil if it has another form.
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

/// One of a few texts; the first case replaces an invalid one.
public protocol ChoiceValue: ShapedValue, CaseIterable, RawRepresentable<String> {}

extension ChoiceValue {
    /// The kind of the value in descriptions.
    public static var kind: FieldDescription.Kind { .choice(allCases.map(\.rawValue)) }

    /// The form of the text, for messages.
    public static var shape: String { "one of " + allCases.map(\.rawValue).joined(separator: ", ") }

    /// The value in the place of an invalid one.
    public static var placeholder: Self {
        guard let first = allCases.first else { preconditionFailure("a choice without cases") }
        return first
    }

    /// Parses the text; nil if it has another form.
    public init?(shaped text: String) {
        self.init(named: text)
    }

    /// The text.
    public var shapedText: String { rawValue }
}
