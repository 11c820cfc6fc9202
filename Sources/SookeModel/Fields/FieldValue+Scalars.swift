import Bytes
import JSON

/// What a text may be. Lengths are in Unicode scalars.
public enum TextRule: Sendable {
    /// Anything.
    case any
    /// So long; one of at least one character must not be blank.
    case length(ClosedRange<Int>)
    /// The address of one mailbox, or the empty text for none.
    case email
    /// An absolute `http` or `https` URL, or the empty text for none.
    case website
}

extension String: FieldValue {
    /// What descriptions say that it is.
    public static var kind: FieldDescription.Kind { .text }

    /// Reads a value; one of a wrong type or shape is noted and passed over.
    @inline(__always)
    public static func read(
        _ field: StaticString, _ rule: TextRule, from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) -> String {
        try reader.readText(field, &problems)
    }

    /// Writes the value.
    public func write(to writer: inout JSONWriter) {
        writer.string(self)
    }

    /// Whether another value is the same, byte for byte.
    public func isSame(as other: String) -> Bool { hasSameBytes(as: other) }

    /// Notes what is wrong with the value.
    @inline(__always)
    public func validate(
        _ field: StaticString, _ rule: TextRule, _ stage: FieldStage, _ problems: inout FieldProblems
    ) {
        guard stage == .input else { return }
        switch rule {
        case .any: break
        case .length(let length): TextRules.check(self, field, length: length, &problems)
        case .email: TextRules.checkEmail(self, field, &problems)
        case .website: TextRules.checkWebsite(self, field, &problems)
        }
    }

    /// The value of a cell; nil when it has another shape.
    public init?(cell text: String, isQuoted: Bool) {
        self = text
    }

    /// The value as a cell.
    public var cell: String? { self }

    /// What a cell looks like, for messages.
    public static var cellShape: String? { nil }
}

/// What a slug is for.
public enum SlugRule: Sendable {
    /// It names the record itself, and is made from its name when it is left out.
    case own
    /// It names another record.
    case reference
    /// The record had it before.
    case former
}

extension Slug: FieldValue {
    /// What descriptions say that it is.
    public static var kind: FieldDescription.Kind { .text }

    /// Reads a value; one of a wrong type or shape is noted and passed over.
    @inline(__always)
    public static func read(
        _ field: StaticString, _ rule: SlugRule, from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) -> Slug {
        if case .own = rule, try reader.readNull() { return Slug("") }
        return Slug(try reader.readText(field, &problems))
    }

    /// Writes the value.
    public func write(to writer: inout JSONWriter) {
        writer.string(text)
    }

    /// Whether another value is the same, byte for byte.
    public func isSame(as other: Slug) -> Bool { self == other }

    /// Notes what is wrong with the value.
    @inline(__always)
    public func validate(
        _ field: StaticString, _ rule: SlugRule, _ stage: FieldStage, _ problems: inout FieldProblems
    ) {
        switch (rule, stage) {
        case (.own, .stored): problems.require(!isEmpty, "\(field)", "must not be empty")
        case (.own, .input), (.former, .input): TextRules.checkSlug(self, field, &problems)
        case (.reference, .input): TextRules.check(text, field, length: TextRules.slug, &problems)
        case (.reference, .stored), (.former, .stored): break
        }
    }

    /// The value of a cell; nil when it has another shape.
    public init?(cell text: String, isQuoted: Bool) {
        self.init(text)
    }

    /// The value as a cell.
    public var cell: String? { text }

    /// What a cell looks like, for messages.
    public static var cellShape: String? { nil }
}

/// What a whole number is.
public enum IntegerRule: Sendable {
    /// The ID of the record itself or of a part of it; 0, or null in JSON, until it has one.
    case id
    /// The ID of another record.
    case reference
    /// A number in a range, with the words for it.
    case range(ClosedRange<Int>, StaticString)
}

extension Int: FieldValue {
    /// What descriptions say that it is.
    public static var kind: FieldDescription.Kind { .integer }

    /// Reads a value; one of a wrong type or shape is noted and passed over.
    @inline(__always)
    public static func read(
        _ field: StaticString, _ rule: IntegerRule, from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) -> Int {
        if case .id = rule, try reader.readNull() { return 0 }
        return try reader.readNumber(field, &problems)
    }

    /// Writes the value.
    public func write(to writer: inout JSONWriter) {
        writer.int(self)
    }

    /// Whether another value is the same, byte for byte.
    public func isSame(as other: Int) -> Bool { self == other }

    /// Notes what is wrong with the value.
    @inline(__always)
    public func validate(
        _ field: StaticString, _ rule: IntegerRule, _ stage: FieldStage, _ problems: inout FieldProblems
    ) {
        switch rule {
        case .id, .reference: IDRules.check(self, field, &problems)
        case .range(let range, let words): problems.require(range ~= self, "\(field)", "\(words)")
        }
    }

    /// The value of a cell; nil when it has another shape.
    public init?(cell text: String, isQuoted: Bool) {
        guard text.utf8.allSatisfy(ASCII.isDigit) else { return nil }
        self.init(text)
    }

    /// The value as a cell.
    public var cell: String? { "\(self)" }

    /// What a cell looks like, for messages.
    public static var cellShape: String? { "a whole number" }
}

/// What a number is.
public enum NumberRule: Sendable {
    /// Degrees north, -90 to 90.
    case latitude
    /// Degrees east, -180 to 180.
    case longitude
}

extension Double: FieldValue {
    /// What descriptions say that it is.
    public static var kind: FieldDescription.Kind { .number }

    /// Reads a value; one of a wrong type or shape is noted and passed over.
    @inline(__always)
    public static func read(
        _ field: StaticString, _ rule: NumberRule, from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) -> Double {
        try reader.readNumber(field, &problems)
    }

    /// Writes the value.
    public func write(to writer: inout JSONWriter) {
        writer.double(self)
    }

    /// Whether another value is the same, byte for byte.
    public func isSame(as other: Double) -> Bool { bitPattern == other.bitPattern }

    /// Notes what is wrong with the value.
    @inline(__always)
    public func validate(
        _ field: StaticString, _ rule: NumberRule, _ stage: FieldStage, _ problems: inout FieldProblems
    ) {
        switch rule {
        case .latitude:
            problems.require(-90...90 ~= self, "\(field)", "must lie between -90 and 90 degrees")
        case .longitude:
            problems.require(-180...180 ~= self, "\(field)", "must lie between -180 and 180 degrees")
        }
    }

    /// The value of a cell; nil when it has another shape.
    public init?(cell text: String, isQuoted: Bool) {
        self.init(decimal: text)
    }

    /// The shortest decimal number that reads back as the same.
    public var cell: String? {
        var digits: [UInt8] = []
        digits.append(json: self)
        return String(decoding: digits, as: UTF8.self)
    }

    /// What a cell looks like, for messages.
    public static var cellShape: String? { "a number like 48.374" }
}

/// The rule of values that need none beyond their type.
public enum NoRule: Sendable {
    /// Any value.
    case any
}

extension Bool: FieldValue {
    /// What descriptions say that it is.
    public static var kind: FieldDescription.Kind { .flag }

    /// Reads a value; one of a wrong type or shape is noted and passed over.
    public static func read(
        _ field: StaticString, _ rule: NoRule, from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) -> Bool {
        try reader.readFlag(field, &problems)
    }

    /// Writes the value.
    public func write(to writer: inout JSONWriter) {
        writer.bool(self)
    }

    /// Whether there is nothing in it.
    public var isNothing: Bool { !self }

    /// Whether another value is the same, byte for byte.
    public func isSame(as other: Bool) -> Bool { self == other }

    /// Notes what is wrong with the value.
    public func validate(
        _ field: StaticString, _ rule: NoRule, _ stage: FieldStage, _ problems: inout FieldProblems
    ) {}

    /// The value of a cell; nil when it has another shape.
    public init?(cell text: String, isQuoted: Bool) {
        self.init(text)
    }

    /// The value as a cell.
    public var cell: String? { "\(self)" }

    /// What a cell looks like, for messages.
    public static var cellShape: String? { "true or false" }
}
