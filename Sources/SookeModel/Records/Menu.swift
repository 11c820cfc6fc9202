import JSON

/// A list of what a business serves.
public struct Menu: RecordPart {
    /// What the API calls it.
    public static let schemaName = "menu"

    /// The menu's ID; 0 until the store has given it one.
    public var id = 0
    /// What people read, such as "Lunch".
    public var name = ""
    /// When or how it is served.
    public var description: String?
    /// What is on it, in the order it was written.
    public var items: [MenuItem] = []

    /// An empty menu.
    public init() {}

    /// Its fields.
    public static let fields = FieldTable(of: Menu.self)

    /// Visits each field.
    @inline(__always)
    public static func visit<Visitor: FieldVisitor<Menu>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.field("id", \.id, .id, .shown, "Its number; inside a business it may be given, to keep it")
        try visitor.field(
            "name", \.name, .length(TextRules.name), [.open, .required], "What people read, such as Lunch")
        try visitor.field(
            "description", \.description, .length(TextRules.description), .open, "When or how it is served")
        try visitor.field("items", \.items, .any, .open, "What is on it")
    }
}

/// One thing on a menu.
public struct MenuItem: RecordPart {
    /// What the API calls it.
    public static let schemaName = "menu_item"

    /// The item's ID; 0 until the store has given it one.
    public var id = 0
    /// What people order.
    public var name = ""
    /// What it is made of.
    public var description: String?
    /// What it costs; nil only in a record that does not pass validation.
    public var price: Price?

    /// An item without a name.
    public init() {}

    /// Its fields.
    public static let fields = FieldTable(of: MenuItem.self)

    /// Visits each field.
    @inline(__always)
    public static func visit<Visitor: FieldVisitor<MenuItem>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.field("id", \.id, .id, .shown, "Its number; inside a menu it may be given, to keep it")
        try visitor.field("name", \.name, .length(TextRules.name), [.open, .required], "What people order")
        try visitor.field(
            "description", \.description, .length(TextRules.description), .open, "What it is made of")
        try visitor.field("price", \.price, .any, [.open, .required], "What it costs, at most 99999999.99")
    }
}
