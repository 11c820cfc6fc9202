import Bytes
import JSON

/// The rule of a text. Lengths are in Unicode scalars.
public enum TextRule: Sendable {
    case any
    /// A length; a text that must not be empty must not be blank either.
    case length(ClosedRange<Int>)
    /// The address of one mailbox, or the empty text for no address.
    case email
    case website
    case openingHours
    case timeZone
    case recurrenceRule
}

extension String: FieldValue {
    public static var kind: FieldDescription.Kind { .text }

    @inline(__always)
    public static func read(
        _ field: StaticString, _ rule: TextRule, from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) -> String {
        // Of a text that may be empty.
        if case .length(let length) = rule, length.lowerBound == 0, try reader.readNull() { return "" }
        return try reader.readText(field, &problems)
    }

    public func write(to writer: inout JSONWriter) {
        writer.string(self)
    }

    public func isSame(as other: String) -> Bool { hasSameBytes(as: other) }

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
        case .openingHours: TextRules.checkOpeningHours(self, field, &problems)
        case .timeZone: TextRules.checkTimeZone(self, field, &problems)
        case .recurrenceRule: TextRules.checkRecurrenceRule(self, field, &problems)
        }
    }

    public init?(cell text: String, isQuoted: Bool) {
        self = text
    }

    public var cell: String? { self }

    public static var cellShape: String? { nil }
}

public enum SlugRule: Sendable {
    /// The slug of the record itself, which is made from its name when it is left out.
    case own
    case reference
    case former
}

extension Slug: FieldValue {
    public static var kind: FieldDescription.Kind { .text }

    @inline(__always)
    public static func read(
        _ field: StaticString, _ rule: SlugRule, from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) -> Slug {
        if case .own = rule, try reader.readNull() { return Slug("") }
        return Slug(try reader.readText(field, &problems))
    }

    public func write(to writer: inout JSONWriter) {
        writer.string(text)
    }

    public func isSame(as other: Slug) -> Bool { self == other }

    @inline(__always)
    public func validate(
        _ field: StaticString, _ rule: SlugRule, _ stage: FieldStage, _ problems: inout FieldProblems
    ) {
        switch (rule, stage) {
        case (.own, .stored): problems.require(!isEmpty, field, "must not be empty")
        case (.own, .input), (.former, .input): TextRules.checkSlug(self, field, &problems)
        case (.reference, .input): TextRules.check(text, field, length: TextRules.slug, &problems)
        case (.reference, .stored), (.former, .stored): break
        }
    }

    public init?(cell text: String, isQuoted: Bool) {
        self.init(text)
    }

    public var cell: String? { text }

    public static var cellShape: String? { nil }
}

public enum IntegerRule: Sendable {
    /// The ID of the record itself or of a part of it; 0, or null in JSON, until it is assigned.
    case id
    case reference
    /// A number in a range, with the message for others.
    case range(ClosedRange<Int>, StaticString)
}

extension Int: FieldValue {
    public static var kind: FieldDescription.Kind { .integer }

    @inline(__always)
    public static func read(
        _ field: StaticString, _ rule: IntegerRule, from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) -> Int {
        if case .id = rule, try reader.readNull() { return 0 }
        return try reader.readNumber(field, &problems)
    }

    public func write(to writer: inout JSONWriter) {
        writer.int(self)
    }

    public func isSame(as other: Int) -> Bool { self == other }

    @inline(__always)
    public func validate(
        _ field: StaticString, _ rule: IntegerRule, _ stage: FieldStage, _ problems: inout FieldProblems
    ) {
        switch rule {
        case .id, .reference: IDRules.check(self, field, &problems)
        case .range(let range, let words): if !(range ~= self) { problems.add(field, words) }
        }
    }

    public init?(cell text: String, isQuoted: Bool) {
        guard text.utf8.allSatisfy(ASCII.isDigit) else { return nil }
        self.init(text)
    }

    public var cell: String? { "\(self)" }

    public static var cellShape: String? { "a whole number" }
}

public enum NumberRule: Sendable {
    case latitude
    case longitude
}

extension Double: FieldValue {
    public static var kind: FieldDescription.Kind { .number }

    @inline(__always)
    public static func read(
        _ field: StaticString, _ rule: NumberRule, from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) -> Double {
        try reader.readNumber(field, &problems)
    }

    public func write(to writer: inout JSONWriter) {
        writer.double(self)
    }

    public func isSame(as other: Double) -> Bool { bitPattern == other.bitPattern }

    @inline(__always)
    public func validate(
        _ field: StaticString, _ rule: NumberRule, _ stage: FieldStage, _ problems: inout FieldProblems
    ) {
        switch rule {
        case .latitude:
            problems.require(-90...90 ~= self, field, "must lie between -90 and 90 degrees")
        case .longitude:
            problems.require(-180...180 ~= self, field, "must lie between -180 and 180 degrees")
        }
    }

    public init?(cell text: String, isQuoted: Bool) {
        self.init(decimal: text)
    }

    /// The shortest decimal number that parses to the same value.
    public var cell: String? {
        var digits: [UInt8] = []
        digits.append(json: self)
        return String(decoding: digits, as: UTF8.self)
    }

    public static var cellShape: String? { "a number like 48.374" }
}

/// The rule of values without further rules.
public enum NoRule: Sendable {
    case any
}

extension Bool: FieldValue {
    public static var kind: FieldDescription.Kind { .flag }

    public static func read(
        _ field: StaticString, _ rule: NoRule, from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) -> Bool {
        try reader.readFlag(field, &problems)
    }

    public func write(to writer: inout JSONWriter) {
        writer.bool(self)
    }

    public var isNothing: Bool { !self }

    public func isSame(as other: Bool) -> Bool { self == other }

    public func validate(_ field: StaticString, _ rule: NoRule, _ stage: FieldStage, _ problems: inout FieldProblems) {}

    public init?(cell text: String, isQuoted: Bool) {
        self.init(text)
    }

    public var cell: String? { "\(self)" }

    public static var cellShape: String? { "true or false" }
}

extension Double {
    /// A finite number in decimal, such as `-123.73` or `1e-7`; `Double` alone would accept `nan` and hexadecimal.
    public init?(decimal text: String) {
        let isDecimal = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): true
            default: ASCII.isDigit(byte)
            }
        }
        guard isDecimal, let value = Double(text), value.isFinite else { return nil }
        self = value
    }
}
