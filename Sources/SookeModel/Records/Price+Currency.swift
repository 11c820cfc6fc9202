import Bytes

/// Prices as people write and read them, with the sign of the town's currency.
extension Price {
    /// `€14`, `€14.50` or `45 kr`; empty without a price. The currency is a code of ISO 4217; nil for a dollar.
    public func text(in currency: String?) -> String {
        if self == .unpriced { return "" }
        let (sign, amount) = (Self.sign(of: currency), cents % 100 == 0 ? "\(cents / 100)" : text)
        let isBefore = sign.unicodeScalars.count == 1 || sign.hasSuffix("$")
        return isBefore ? sign + amount : "\(amount)\u{A0}\(sign)"
    }

    /// The sign of a currency; its code where it has none of its own.
    private static func sign(of currency: String?) -> String {
        guard let currency else { return "$" }
        return signs.first { $0.contains(currency[...]) }.map { String($0[0]) } ?? currency
    }

    private static let signs = """
        $ CAD USD AUD NZD SGD HKD MXN ARS CLP COP TWD JMD TTD,€ EUR,£ GBP,kr DKK ISK NOK SEK,zł PLN,Kč CZK,Ft HUF,\
        ¥ JPY CNY,₹ INR,₩ KRW,₺ TRY,₪ ILS,₴ UAH,₱ PHP,₫ VND,฿ THB,R ZAR,R$ BRL,₦ NGN
        """.split(separator: ",").map { $0.split(separator: " ") }

    /// Reads `14`, `14.5`, `14,50`, also with the sign or the code of the currency: `€14`, `14,50 €`, `EUR 14`.
    public init?(written text: String, in currency: String?) {
        guard text.utf8.count <= 40 else { return nil }
        var figures = text[...]
        for sign in [Self.sign(of: currency), currency ?? ""] where !sign.isEmpty {
            if figures.hasPrefix(sign) {
                figures = figures.dropFirst(sign.count).drop(while: \.isWhitespace)
            } else if figures.hasSuffix(sign) {
                figures = figures.dropLast(sign.count)
                while figures.last?.isWhitespace == true { figures.removeLast() }
            }
        }
        let parts = figures.utf8.split(omittingEmptySubsequences: false) { ".,".utf8.contains($0) }
        guard 1...2 ~= parts.count, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(ASCII.isDigit) }),
            parts.count == 1 || parts[1].count <= 2
        else { return nil }
        let cents = parts.count == 1 ? "" : "\(Substring(parts[1]))"
        self.init("\(Substring(parts[0])).\((cents + "00").prefix(2))")
    }
}
