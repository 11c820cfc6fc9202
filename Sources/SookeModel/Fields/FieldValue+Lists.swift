import JSON

/// What a list in a record holds.
public protocol FieldElement: Sendable {
    /// What descriptions say that a list of them is.
    static var listKind: FieldDescription.Kind { get }

    /// Whether null stands for an empty list.
    static var isNullEmptyList: Bool { get }

    /// Reads an element; what is wrong with it is noted.
    ///
    /// - Throws: a `JSONError` when the text is not JSON.
    static func readElement(
        from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) -> Self

    /// Writes the element.
    func write(to writer: inout JSONWriter)

    /// Whether another element is the same, byte for byte.
    func isSame(as other: Self) -> Bool

    /// Notes what is wrong with the element.
    func validateElement(_ stage: FieldStage, _ problems: inout FieldProblems)

    /// Notes what is wrong with a list of them that is brought in, beyond its elements.
    static func validateList(_ list: [Self], _ field: StaticString, _ problems: inout FieldProblems)
}

extension FieldElement {
    /// A list of parts that is null is a mistake, one of texts has none.
    public static var isNullEmptyList: Bool { true }
}

extension Array: FieldValue where Element: FieldElement {
    /// What descriptions say that it is.
    public static var kind: FieldDescription.Kind { Element.listKind }

    /// Reads a value; one of a wrong type or shape is noted and passed over.
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

    /// Whether there is nothing in it.
    public var isNothing: Bool { isEmpty }

    /// Whether another value is the same, byte for byte.
    public func isSame(as other: [Element]) -> Bool {
        count == other.count && zip(self, other).allSatisfy { $0.isSame(as: $1) }
    }

    /// Notes what is wrong with the value.
    public func validate(
        _ field: StaticString, _ rule: NoRule, _ stage: FieldStage, _ problems: inout FieldProblems
    ) {
        for (index, element) in enumerated() {
            problems.inside("\(field)[\(index)]") { element.validateElement(stage, &$0) }
        }
        if stage == .input { Element.validateList(self, field, &problems) }
    }

    /// The value of a cell; nil when it has another shape.
    public init?(cell text: String, isQuoted: Bool) {
        nil
    }

    /// The value as a cell.
    public var cell: String? { nil }

    /// What a cell looks like, for messages.
    public static var cellShape: String? { nil }
}

/// A part of a record that has fields and an ID of its own, such as a menu.
public protocol RecordPart: Described, FieldElement {
    /// The kind of part in the description of the API.
    static var schemaName: String { get }
    /// Its ID; 0 until the store has given it one.
    var id: Int { get set }
    /// Notes fields without which it cannot be read.
    static func checkFound(_ fields: FieldSet<Self>, in part: Self, _ problems: inout FieldProblems)
}

extension RecordPart {
    /// What descriptions say that a list of them is.
    public static var listKind: FieldDescription.Kind { .list(schemaName) }

    /// Whether null stands for an empty list.
    public static var isNullEmptyList: Bool { false }

    /// Reads an element; what is wrong with it is noted.
    public static func readElement(
        from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) -> Self {
        var part = Self()
        let found = try part.readFields(from: &reader, unknown: .reported(), &problems)
        checkFound(found, in: part, &problems)
        return part
    }

    /// Most parts can be read without any field.
    public static func checkFound(_ fields: FieldSet<Self>, in part: Self, _ problems: inout FieldProblems) {}

    /// Whether another value is the same, byte for byte.
    public func isSame(as other: Self) -> Bool { self == other }

    /// Notes what is wrong with the element.
    public func validateElement(_ stage: FieldStage, _ problems: inout FieldProblems) {
        switch stage {
        case .stored: validateStored(&problems)
        case .input: validateInput(&problems)
        }
    }

    /// Notes what is wrong with a list of them.
    public static func validateList(_ list: [Self], _ field: StaticString, _ problems: inout FieldProblems) {
        IDRules.checkDifferent(list, of: field, &problems)
    }
}

/// The slugs that a record had before.
extension Slug: FieldElement {
    /// What descriptions say that a list of them is.
    public static var listKind: FieldDescription.Kind { .any }

    /// Reads an element; what is wrong with it is noted.
    public static func readElement(
        from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) -> Slug {
        try read("", .former, from: &reader, &problems)
    }

    /// Notes what is wrong with the element.
    public func validateElement(_ stage: FieldStage, _ problems: inout FieldProblems) {
        validate("", .former, stage, &problems)
    }

    /// Notes what is wrong with a list of them.
    public static func validateList(_ list: [Slug], _ field: StaticString, _ problems: inout FieldProblems) {}
}

extension String: FieldElement {
    /// What descriptions say that a list of them is.
    public static var listKind: FieldDescription.Kind { .any }

    /// Reads an element; what is wrong with it is noted.
    public static func readElement(
        from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) -> String {
        try read("", .any, from: &reader, &problems)
    }

    /// Notes what is wrong with the element.
    public func validateElement(_ stage: FieldStage, _ problems: inout FieldProblems) {}

    /// Notes what is wrong with a list of them.
    public static func validateList(_ list: [String], _ field: StaticString, _ problems: inout FieldProblems) {}
}
