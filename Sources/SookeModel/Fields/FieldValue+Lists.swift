import JSON

/// An element of a list in a record.
public protocol FieldElement: Sendable {
    static var listKind: FieldDescription.Kind { get }

    static var isNullEmptyList: Bool { get }

    static func readElement(from reader: inout JSONReader, _ problems: inout FieldProblems) throws(JSONError) -> Self

    func write(to writer: inout JSONWriter)

    func isSame(as other: Self) -> Bool

    func validateElement(_ stage: FieldStage, _ problems: inout FieldProblems)

    /// Adds the problems of a list from a request or an import, beyond those of its elements.
    static func validateList(_ list: [Self], _ field: StaticString, _ problems: inout FieldProblems)
}

extension FieldElement {
    /// Null is an empty list of texts, but invalid for a list of parts.
    public static var isNullEmptyList: Bool { true }

    public static func validateList(_ list: [Self], _ field: StaticString, _ problems: inout FieldProblems) {}
}

extension Array: FieldValue where Element: FieldElement {
    public static var kind: FieldDescription.Kind { Element.listKind }

    public static func read(
        _ field: StaticString, _ rule: NoRule, from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) -> [Element] {
        var list: [Element] = []
        if Element.isNullEmptyList, try reader.readNull() { return list }
        guard try reader.expect(.array, field, "a list", &problems) else { return list }
        try reader.beginArray()
        while try reader.nextElement() {
            let element = try problems.inside("\(field)[\(list.count)]") { problems throws(JSONError) in
                try Element.readElement(from: &reader, &problems)
            }
            list.append(element)
        }
        return list
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginArray()
        for element in self { element.write(to: &writer) }
        writer.endArray()
    }

    public var isNothing: Bool { isEmpty }

    public func isSame(as other: [Element]) -> Bool {
        count == other.count && zip(self, other).allSatisfy { $0.isSame(as: $1) }
    }

    public func validate(_ field: StaticString, _ rule: NoRule, _ stage: FieldStage, _ problems: inout FieldProblems) {
        for (index, element) in enumerated() {
            problems.inside("\(field)[\(index)]") { element.validateElement(stage, &$0) }
        }
        if stage == .input { Element.validateList(self, field, &problems) }
    }

    public init?(cell text: String, isQuoted: Bool) {
        nil
    }

    public var cell: String? { nil }

    public static var cellShape: String? { nil }
}

/// An element of a list that has fields, such as a row of special hours.
public protocol FieldsElement: Described, FieldElement {
    static var schemaName: String { get }
    /// Adds problems for missing fields without which it cannot be read.
    static func checkFound(_ fields: FieldSet<Self>, in part: Self, _ problems: inout FieldProblems)
}

extension FieldsElement {
    public static var listKind: FieldDescription.Kind { .list(schemaName) }

    public static var isNullEmptyList: Bool { false }

    public static func readElement(
        from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) -> Self {
        var part = Self()
        let found = try part.readFields(from: &reader, unknown: .reported(), &problems)
        checkFound(found, in: part, &problems)
        return part
    }

    /// Most elements can be read without any field.
    public static func checkFound(_ fields: FieldSet<Self>, in part: Self, _ problems: inout FieldProblems) {}

    public func isSame(as other: Self) -> Bool { self == other }

    public func validateElement(_ stage: FieldStage, _ problems: inout FieldProblems) {
        switch stage {
        case .stored: validateStored(&problems)
        case .input: validateInput(&problems)
        }
    }
}

/// A part of a record that has fields and an ID, such as a menu.
public protocol RecordPart: FieldsElement {
    /// Its ID; 0 until the store has assigned it.
    var id: Int { get set }
}

extension RecordPart {
    public static func validateList(_ list: [Self], _ field: StaticString, _ problems: inout FieldProblems) {
        IDRules.checkDifferent(list, of: field, &problems)
    }
}

/// An element of a list that is a value without fields, such as a slug.
public protocol ValueElement: FieldElement, FieldValue {
    static var elementRule: Rule { get }
}

extension ValueElement {
    public static func readElement(
        from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) -> Self {
        try read("", elementRule, from: &reader, &problems)
    }

    public func validateElement(_ stage: FieldStage, _ problems: inout FieldProblems) {
        validate("", Self.elementRule, stage, &problems)
    }
}

extension Slug: ValueElement {
    public static var listKind: FieldDescription.Kind { .any }

    public static var elementRule: Rule { .former }
}

extension String: ValueElement {
    public static var listKind: FieldDescription.Kind { .texts }

    public static var elementRule: Rule { .any }
}
