import Testing

@testable import SookeModel

@Suite struct PriceTests {
    @Test(arguments: ["0.00", "4.50", "14.25", "99999999.99", ""])
    func reads(text: String) {
        #expect(Price(text)?.text == text)
    }

    @Test(arguments: ["4", "4.5", "4.500", ".50", "-1.00", "+1.00", "100000000.00", "1,00", "1e2.00", "4.5O"])
    func refuses(text: String) {
        #expect(Price(text) == nil)
    }

    @Test(
        arguments: [
            (nil, 1450, "$14.50"), ("CAD", 1400, "$14"), ("EUR", 1400, "€14"), ("EUR", 1405, "€14.05"),
            ("GBP", 600, "£6"), ("SEK", 4500, "45\u{A0}kr"), ("CHF", 1450, "14.50\u{A0}CHF"), ("JPY", 80_000, "¥800"),
            ("BRL", 0, "R$0"),
        ] as [(String?, Int, String)])
    func itsTextIsReadAsTheSame(_ currency: String?, _ cents: Int, _ text: String) throws {
        let price = try #require(Price(cents: cents))
        #expect(price.text(in: currency) == text)
        #expect(Price(written: text, in: currency) == price)
    }

    @Test func anItemMayHaveNone() {
        #expect(Price("") == .unpriced && Price.unpriced.text(in: "EUR") == "")
    }

    @Test(arguments: ["", "€", "£6", "6 £", "1.2.3", "1,200", "-3", "1e3", "€ ", "6€ €", "99999999999"])
    func otherTextsAreNone(_ text: String) { #expect(Price(written: text, in: "EUR") == nil) }
}
