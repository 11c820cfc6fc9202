import JSON

/// A menu of a business.
public struct Menu: RecordPart {
    public static let schemaName = "menu"

    public var id = 0
    /// Its name, such as "Lunch".
    public var name = ""
    public var description: String?
    /// Its items, by ID.
    public var items: [MenuItem] = []

    /// An empty menu.
    public init() {}

    public static let fields = FieldTable(of: Menu.self)

    @inline(__always)
    public static func visit<Visitor: FieldVisitor<Menu>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.field("id", \.id, .id, .shown, "Unique ID; a menu in a business may be given with it, to keep it")
        try visitor.field(
            "name", \.name, .length(TextRules.name), [.open, .required], "What people read, such as Lunch")
        try visitor.field(
            "description", \.description, .length(TextRules.description), .open, "When or how it is served")
        try visitor.field("items", \.items, .any, .open, "What is on it")
    }

    /// The menu with its items sorted by name.
    public var sortedByName: Menu {
        var menu = self
        menu.items =
            items.map { (key: Collation.sortKey($0.name), item: $0) }
            .sorted { $0.key == $1.key ? $0.item.id < $1.item.id : $0.key.lexicographicallyPrecedes($1.key) }
            .map(\.item)
        return menu
    }
}

/// An item on a menu.
public struct MenuItem: RecordPart {
    public static let schemaName = "menu_item"

    public var id = 0
    public var name = ""
    public var description: String?
    /// Its price; nil only in a record that does not pass validation.
    public var price: Price?

    /// An item without a name.
    public init() {}

    public static let fields = FieldTable(of: MenuItem.self)

    @inline(__always)
    public static func visit<Visitor: FieldVisitor<MenuItem>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.field("id", \.id, .id, .shown, "Unique ID; an item in a menu may be given with it, to keep it")
        try visitor.field("name", \.name, .length(TextRules.name), [.open, .required], "What people order")
        try visitor.field(
            "description", \.description, .length(TextRules.description), .open, "What it is made of")
        try visitor.field("price", \.price, .any, [.open, .required], "What it costs, at most 99999999.99")
    }
}
