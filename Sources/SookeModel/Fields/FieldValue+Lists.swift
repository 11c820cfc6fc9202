import JSON

/// An element of a list in a record.
public protocol FieldElement: Sendable {
    /// The kind of a list of them in descriptions.
    static var listKind: FieldDescription.Kind { get }

    /// Whether null stands for an empty list.
    static var isNullEmptyList: Bool { get }

    /// Reads an element, and adds its problems.
    ///
    /// - Throws: a `JSONError` when the text is not JSON.
    static func readElement(
        from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) -> Self

    /// Writes the element.
    func write(to writer: inout JSONWriter)

    /// Whether another element has the same bytes.
    func isSame(as other: Self) -> Bool

    /// Adds the problems of the element.
    func validateElement(_ stage: FieldStage, _ problems: inout FieldProblems)

    /// Adds the problems of a list from a request or an import, beyond those of its elements.
    static func validateList(_ list: [Self], _ field: StaticString, _ problems: inout FieldProblems)
}

extension FieldElement {
    /// Null is an empty list of texts, but invalid for a list of parts.
    public static var isNullEmptyList: Bool { true }
}

extension Array: FieldValue where Element: FieldElement {
    /// The kind of the value in descriptions.
    public static var kind: FieldDescription.Kind { Element.listKind }

    /// Reads a value. A value of another type or form becomes a problem and is skipped.
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

    /// Writes the value.
    public func write(to writer: inout JSONWriter) {
        writer.beginArray()
        for element in self { element.write(to: &writer) }
        writer.endArray()
    }

    /// Whether it is empty.
    public var isNothing: Bool { isEmpty }

    /// Whether another value has the same bytes.
    public func isSame(as other: [Element]) -> Bool {
        count == other.count && zip(self, other).allSatisfy { $0.isSame(as: $1) }
    }

    /// Adds the problems of the value.
    public func validate(
        _ field: StaticString, _ rule: NoRule, _ stage: FieldStage, _ problems: inout FieldProblems
    ) {
        for (index, element) in enumerated() {
            problems.inside("\(field)[\(index)]") { element.validateElement(stage, &$0) }
        }
        if stage == .input { Element.validateList(self, field, &problems) }
    }

    /// Parses a cell; nil if it has another form.
    public init?(cell text: String, isQuoted: Bool) {
        nil
    }

    /// The value as a cell.
    public var cell: String? { nil }

    /// The form of a cell, for messages.
    public static var cellShape: String? { nil }
}

/// An element of a list that has fields, such as a row of special hours.
public protocol FieldsElement: Described, FieldElement {
    /// The name of its schema in the API.
    static var schemaName: String { get }
    /// Adds problems for missing fields without which it cannot be read.
    static func checkFound(_ fields: FieldSet<Self>, in part: Self, _ problems: inout FieldProblems)
}

extension FieldsElement {
    /// The kind of a list of them in descriptions.
    public static var listKind: FieldDescription.Kind { .list(schemaName) }

    /// Whether null stands for an empty list.
    public static var isNullEmptyList: Bool { false }

    /// Reads an element, and adds its problems.
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

    /// Whether another value has the same bytes.
    public func isSame(as other: Self) -> Bool { self == other }

    /// Adds the problems of the element.
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
    /// Adds the problems of a list of them.
    public static func validateList(_ list: [Self], _ field: StaticString, _ problems: inout FieldProblems) {
        IDRules.checkDifferent(list, of: field, &problems)
    }
}

/// The former slugs of a record.
extension Slug: FieldElement {
    /// The kind of a list of them in descriptions.
    public static var listKind: FieldDescription.Kind { .any }

    /// Reads an element, and adds its problems.
    public static func readElement(
        from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) -> Slug {
        try read("", .former, from: &reader, &problems)
    }

    /// Adds the problems of the element.
    public func validateElement(_ stage: FieldStage, _ problems: inout FieldProblems) {
        validate("", .former, stage, &problems)
    }

    /// Adds the problems of a list of them.
    public static func validateList(_ list: [Slug], _ field: StaticString, _ problems: inout FieldProblems) {}
}

extension String: FieldElement {
    /// The kind of a list of them in descriptions.
    public static var listKind: FieldDescription.Kind { .any }

    /// Reads an element, and adds its problems.
    public static func readElement(
        from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) -> String {
        try read("", .any, from: &reader, &problems)
    }

    /// Adds the problems of the element.
    public func validateElement(_ stage: FieldStage, _ problems: inout FieldProblems) {}

    /// Adds the problems of a list of them.
    public static func validateList(_ list: [String], _ field: StaticString, _ problems: inout FieldProblems) {}
}
