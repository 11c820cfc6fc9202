import Bytes

/// The price of a menu item, exact to the cent: 0.00 to 99999999.99, as `NUMERIC(10,2)` in Postgres.
public struct Price: Sendable, Hashable, Comparable {
    /// The price in cents.
    public let cents: Int

    /// The price 0.00.
    static let zero = Price(unchecked: 0)

    static let maximumCents = 9_999_999_999

    private init(unchecked cents: Int) {
        self.cents = cents
    }

    /// A price of so many cents, or nil outside the range.
    public init?(cents: Int) {
        guard 0...Self.maximumCents ~= cents else { return nil }
        self.cents = cents
    }

    /// Parses digits, a point and two digits, such as `14.25`; nil for anything else.
    public init?(_ text: String) {
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

    /// The price as digits, a point and two digits.
    public var text: String {
        var bytes: [UInt8] = []
        bytes.append(price: self)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether one price is lower than another.
    public static func < (left: Price, right: Price) -> Bool {
        left.cents < right.cents
    }
}

extension [UInt8] {
    /// Appends a price as digits, a point and two digits.
    mutating func append(price: Price) {
        append(decimal: price.cents / 100)
        append(UInt8(ascii: "."))
        append(decimal: price.cents % 100, width: 2)
    }
}
