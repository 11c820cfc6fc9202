import JSON

/// A list of what a business serves.
public struct Menu: Sendable, Hashable {
    enum Field: String, RecordField {
        case id, name, description, items

        static let keys = JSONKeys<Field>()
    }

    /// The menu's number; 0 until the store has given it one.
    public var id = 0
    /// What people read, such as "Lunch".
    public var name = ""
    /// When or how it is served.
    public var description: String?
    /// What is on it, in the order it was written.
    public var items: [MenuItem] = []

    /// An empty menu.
    public init() {}

    init(from reader: inout JSONReader, _ problems: inout FieldProblems) throws(JSONError) {
        try merge(from: &reader, &problems)
    }

    /// Takes the members of a JSON object over, and leaves the others as they are (RFC 7396).
    ///
    /// - Throws: a `JSONError` when the text is not JSON; what is wrong with a member is noted in `problems`.
    public mutating func merge(
        from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) {
        try reader.readMembers(of: Field.self, &problems) { field, reader, problems throws(JSONError) in
            switch field {
            case .id: id = try reader.readOptionalNumber(field, &problems) ?? 0
            case .name: name = try reader.readText(field, &problems)
            case .description: description = try reader.readOptionalText(field, &problems)
            case .items:
                items = try reader.readParts(field, &problems) { reader, problems throws(JSONError) in
                    try MenuItem(from: &reader, &problems)
                }
            }
        }
    }

    /// Writes the menu as a dataset and the API show it.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", id)
        writer.member("name", name)
        writer.member("description", description)
        writer.key("items")
        writer.beginArray()
        for item in items { item.write(to: &writer) }
        writer.endArray()
        writer.endObject()
    }

    func validateStored(_ problems: inout FieldProblems) {
        NumberRules.check(id, &problems)
        for (index, item) in items.enumerated() {
            problems.inside("items[\(index)]") { item.validateStored(&$0) }
        }
    }

    /// Notes what else may not be in a menu that is brought in.
    func checkInputRules(_ problems: inout FieldProblems) {
        TextRules.check(name, "name", length: TextRules.name, &problems)
        TextRules.check(description, "description", length: TextRules.description, &problems)
        NumberRules.checkDifferent(items, \.id, of: "items", &problems)
        for (index, item) in items.enumerated() {
            problems.inside("items[\(index)]") { item.checkInputRules(&$0) }
        }
    }
}

/// One thing on a menu.
public struct MenuItem: Sendable, Hashable {
    enum Field: String, RecordField {
        case id, name, description, price

        static let keys = JSONKeys<Field>()
    }

    /// The item's number; 0 until the store has given it one.
    public var id = 0
    /// What people order.
    public var name = ""
    /// What it is made of.
    public var description: String?
    /// What it costs; nil only in a record that does not pass validation.
    public var price: Price?

    /// An item without a name.
    public init() {}

    init(from reader: inout JSONReader, _ problems: inout FieldProblems) throws(JSONError) {
        try merge(from: &reader, &problems)
    }

    /// Takes the members of a JSON object over, and leaves the others as they are (RFC 7396).
    ///
    /// - Throws: a `JSONError` when the text is not JSON; what is wrong with a member is noted in `problems`.
    public mutating func merge(
        from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) {
        try reader.readMembers(of: Field.self, &problems) { field, reader, problems throws(JSONError) in
            switch field {
            case .id: id = try reader.readOptionalNumber(field, &problems) ?? 0
            case .name: name = try reader.readText(field, &problems)
            case .description: description = try reader.readOptionalText(field, &problems)
            case .price:
                price = try reader.readShape(
                    field, "a price like \"14.25\", at most 99999999.99", &problems, Price.init(_:))
            }
        }
    }

    /// Writes the item as a dataset and the API show it.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", id)
        writer.member("name", name)
        writer.member("description", description)
        writer.key("price")
        if let price { writer.string { $0.append(price: price) } } else { writer.null() }
        writer.endObject()
    }

    func validateStored(_ problems: inout FieldProblems) {
        NumberRules.check(id, &problems)
    }

    /// Notes what else may not be in an item that is brought in.
    func checkInputRules(_ problems: inout FieldProblems) {
        TextRules.check(name, "name", length: TextRules.name, &problems)
        TextRules.check(description, "description", length: TextRules.description, &problems)
        problems.require(price != nil, "price", "is missing")
    }
}
