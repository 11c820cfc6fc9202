import Bytes

/// What a menu item costs, exact to the cent: 0.00 to 99999999.99, as Postgres keeps `NUMERIC(10,2)`.
public struct Price: Sendable, Hashable, Comparable {
    /// The price in cents.
    public let cents: Int

    static let maximumCents = 9_999_999_999

    /// A price of so many cents, or nil outside the range.
    public init?(cents: Int) {
        guard 0...Self.maximumCents ~= cents else { return nil }
        self.cents = cents
    }

    /// Reads digits, a point and two digits, such as `14.25`; nil for anything else.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 2, 1...8 ~= parts[0].count, parts[1].count == 2,
            parts.allSatisfy({ $0.allSatisfy(ASCII.isDigit) })
        else { return nil }
        cents = parts.joined().reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// The price as digits, a point and two digits.
    public var text: String {
        var bytes: [UInt8] = []
        bytes.append(decimal: cents / 100)
        bytes.append(".")
        bytes.append(decimal: cents % 100, width: 2)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether one price is lower than another.
    public static func < (left: Price, right: Price) -> Bool {
        left.cents < right.cents
    }
}
