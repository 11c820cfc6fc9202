import Bytes
import JSON

public struct Menu: RecordPart {
    public static let schemaName = "menu"

    public var id = 0
    public var name = ""
    public var description: String?
    /// By ID.
    public var items: [MenuItem] = []

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

    public var sortedByName: Menu {
        var menu = self
        menu.items =
            items.map { (key: Collation.sortKey($0.name), item: $0) }
            .sorted { $0.key == $1.key ? $0.item.id < $1.item.id : $0.key.lexicographicallyPrecedes($1.key) }
            .map(\.item)
        return menu
    }
}

public struct MenuItem: RecordPart {
    public static let schemaName = "menu_item"

    public var id = 0
    public var name = ""
    public var description: String?
    public var price = Price.unpriced

    public init() {}

    public static let fields = FieldTable(of: MenuItem.self)

    @inline(__always)
    public static func visit<Visitor: FieldVisitor<MenuItem>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.field("id", \.id, .id, .shown, "Unique ID; an item in a menu may be given with it, to keep it")
        try visitor.field("name", \.name, .length(TextRules.name), [.open, .required], "What people order")
        try visitor.field(
            "description", \.description, .length(TextRules.description), .open, "What it is made of")
        try visitor.field(
            "price", \.price, .any, .open, "What it costs, at most 99999999.99; an empty text for no price")
    }
}

/// The price of a menu item, exact to the cent: 0.00 to 99999999.99, as `NUMERIC(10,2)` in Postgres; or none.
public struct Price: Sendable, Hashable, Comparable {
    public let cents: Int

    /// That of an item without a price, in responses the empty text: apps expect a text.
    public static let unpriced = Price(unchecked: -1)

    static let maximumCents = 9_999_999_999

    private init(unchecked cents: Int) {
        self.cents = cents
    }

    /// Nil outside the range.
    public init?(cents: Int) {
        guard 0...Self.maximumCents ~= cents else { return nil }
        self.cents = cents
    }

    /// Parses digits, a point and two digits, such as `14.25`, or the empty text for none; nil for anything else.
    public init?(_ text: String) {
        if text.isEmpty {
            self = .unpriced
            return
        }
        guard let cents = text.withUTF8Bytes(Self.cents) else { return nil }
        self.cents = cents
    }

    private static func cents(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
        let point = text.count - 3
        guard 1...8 ~= point, text[point] == UInt8(ascii: ".") else { return nil }
        var cents = 0
        for place in text.indices where place != point {
            guard let digit = ASCII.decimalValue(text[place]) else { return nil }
            cents = cents * 10 + digit
        }
        return cents
    }

    public var text: String {
        var bytes: [UInt8] = []
        bytes.append(price: self)
        return String(decoding: bytes, as: UTF8.self)
    }

    public static func < (left: Price, right: Price) -> Bool {
        left.cents < right.cents
    }
}

extension [UInt8] {
    mutating func append(price: Price) {
        if price == .unpriced { return }
        append(decimal: price.cents / 100)
        append(UInt8(ascii: "."))
        append(decimal: price.cents % 100, width: 2)
    }
}
