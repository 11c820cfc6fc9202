import Bytes
import JSON

/// A value that JSON and tables write as a text of a certain form.
public protocol ShapedValue: FieldValue, Equatable where Rule == NoRule {
    static var shape: String { get }

    /// The value in the place of an invalid one, which is a problem.
    static var placeholder: Self { get }

    init?(shaped text: String)

    var shapedText: String { get }
}

extension ShapedValue {
    public static func read(
        _ field: StaticString, _ rule: NoRule, from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) -> Self {
        try reader.readShape(field, &problems) ?? placeholder
    }

    public func isSame(as other: Self) -> Bool { self == other }

    public func validate(_ field: StaticString, _ rule: NoRule, _ stage: FieldStage, _ problems: inout FieldProblems) {}

    public func write(to writer: inout JSONWriter) {
        writer.string(shapedText)
    }

    public init?(cell text: String, isQuoted: Bool) {
        self.init(shaped: text)
    }

    public var cell: String? { shapedText }

    public static var cellShape: String? { shape }
}

extension Timestamp: ShapedValue {
    public static var kind: FieldDescription.Kind { .moment }

    public static var shape: String { "a date and time like 2027-06-01T19:00:00-07:00" }

    public static var placeholder: Timestamp { Timestamp.epoch }

    public init?(shaped text: String) {
        self.init(rfc3339: text)
    }

    /// Adds a problem of a time that could not be written and read again.
    public func validate(_ field: StaticString, _ rule: NoRule, _ stage: FieldStage, _ problems: inout FieldProblems) {
        problems.require(hasText, field, "must lie in the years 0 to 9999 in UTC")
    }

    public var shapedText: String { rfc3339 }

    public func write(to writer: inout JSONWriter) {
        writer.string { $0.append(rfc3339: self) }
    }
}

extension CivilDate: ShapedValue {
    public static var kind: FieldDescription.Kind { .date }

    public static var shape: String { "a date like 2026-12-24" }

    public static var placeholder: CivilDate { CivilDate(daysSinceEpoch: 0) }

    /// Adds a problem of a date that could not be written and read again.
    public func validate(_ field: StaticString, _ rule: NoRule, _ stage: FieldStage, _ problems: inout FieldProblems) {
        problems.require(hasText, field, "must lie in the years 0 to 9999")
    }

    public init?(shaped text: String) {
        self.init(text)
    }

    public var shapedText: String { text }
}

extension ClockTime: ShapedValue {
    public static var kind: FieldDescription.Kind { .time }

    public static var shape: String { "a time like 09:30 or 24:00:00" }

    public static var placeholder: ClockTime { .midnight }

    public init?(shaped text: String) {
        self.init(text)
    }

    public var shapedText: String { text }
}

extension Price: ShapedValue {
    public static var kind: FieldDescription.Kind { .price }

    public static var shape: String { "a price like \"14.25\", at most 99999999.99" }

    public static var placeholder: Price { .unpriced }

    public var isNothing: Bool { self == .unpriced }

    public static func read(
        _ field: StaticString, _ rule: NoRule, from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) -> Price {
        try reader.readNull() ? .unpriced : reader.readShape(field, &problems) ?? placeholder
    }

    public init?(shaped text: String) {
        self.init(text)
    }

    public var shapedText: String { text }

    public func write(to writer: inout JSONWriter) {
        writer.string { $0.append(price: self) }
    }
}

/// One of a few texts; the first case replaces an invalid one.
public protocol ChoiceValue: ShapedValue, CaseIterable, RawRepresentable<String> {}

extension ChoiceValue {
    public static var kind: FieldDescription.Kind { .choice(allCases.map(\.rawValue)) }

    public static var shape: String { "one of " + allCases.map(\.rawValue).joined(separator: ", ") }

    public static var placeholder: Self {
        guard let first = allCases.first else { preconditionFailure("a choice without cases") }
        return first
    }

    public init?(shaped text: String) {
        self.init(named: text)
    }

    public var shapedText: String { rawValue }
}
