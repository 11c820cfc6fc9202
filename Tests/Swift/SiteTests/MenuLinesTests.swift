import SookeModel
import TestSupport
import Testing

@testable import Site

@Suite struct MenuLinesTests {
    private let lines = MenuLines(currency: nil)

    @Test(
        arguments: [
            ("Chowder 14.50", "Chowder", 1450, nil), ("Chowder $14.5", "Chowder", 1450, nil),
            ("Soup 4", "Soup", 400, nil),
            ("Fish & chips 18,90 - with slaw", "Fish & chips", 1890, "with slaw"), ("7 Up 3", "7 Up", 300, nil),
            ("Old 97 ale 8.00 – from 1997", "Old 97 ale", 800, "from 1997"), ("  Tea   2  ", "Tea", 200, nil),
            ("Tea $ 2", "Tea", 200, nil), ("Chowder", "Chowder", -1, nil), ("Water, still", "Water, still", -1, nil),
            ("Bread - while it lasts", "Bread", -1, "while it lasts"), ("Pinot 0.75l", "Pinot 0.75l", -1, nil),
        ] as [(String, String, Int, String?)])
    func aLine(_ line: String, _ name: String, _ cents: Int, _ description: String?) {
        var problems = FieldProblems()
        let items = lines.items(line, of: [], "items", &problems)
        #expect(problems.isEmpty)
        #expect(items.map(\.name) == [name])
        #expect(items.first?.price.cents == cents)
        #expect(items.first?.description == description)
    }

    @Test(
        arguments: [
            (nil, ["Soup $4", "Soup 4", "Soup 4,00", "Soup $ 4.00"]),
            ("EUR", ["Soup €4", "Soup 4 €", "Soup 4,00€", "Soup EUR 4", "Soup 4.0 EUR"]),
            ("GBP", ["Soup £4", "Soup 4.00"]), ("NOK", ["Soup 4 kr", "Soup 4kr", "Soup kr 4", "Soup 4 NOK"]),
            ("CHF", ["Soup CHF 4", "Soup 4.00 CHF"]),
        ] as [(String?, [String])])
    func pricesOfACurrency(_ currency: String?, _ written: [String]) {
        var problems = FieldProblems()
        let lines = MenuLines(currency: currency)
        let items = lines.items(written.joined(separator: "\n"), of: [], "items", &problems)
        #expect(problems.isEmpty, "\(problems)")
        #expect(items.allSatisfy { $0.name == "Soup" && $0.price.cents == 400 }, "\(items)")
        // What the form shows is read as the same.
        let again = lines.items(lines.text(of: items), of: [], "items", &problems)
        #expect(again == items)
    }

    @Test(arguments: ["14.50", "Chowder 14.50 with bread", "Chowder 14.505", "Chowder -3.00", "Chowder €3"])
    func aLineWithAPriceThatCannotBeRead(_ line: String) {
        var problems = FieldProblems()
        #expect(lines.items("Tea 2\n\(line)", of: [], "items", &problems).map(\.name) == ["Tea"])
        #expect(problems.all.first?.message.hasPrefix("Line 2, “\(line)”, needs its price last") == true)
    }

    @Test func whatIsUnchangedStays() throws {
        let items = [("Tea", "2.00"), ("Soup - of the day", "4.50"), ("Pie 3.14", "9.00")].enumerated().map {
            index, pair in
            var item = MenuItem()
            (item.id, item.name, item.price) = (index + 7, pair.0, Price(pair.1) ?? .unpriced)
            item.description = index == 0 ? nil : "two\nlines"
            return item
        }
        var problems = FieldProblems()
        let text = lines.text(of: items)
        #expect(lines.items(text, of: items, "items", &problems).map(\.id) == items.map(\.id))
        #expect(lines.items(text, of: items, "items", &problems).map(\.description) == items.map(\.description))
        // A new price in its place keeps the ID; a line at the end is a new item.
        var changed = text.split(separator: "\n").map(String.init)
        changed[1] = "Broth 5"
        #expect(
            lines.items(changed.joined(separator: "\n"), of: items, "items", &problems).map(\.id) == items.map(\.id))
        #expect(lines.items(text + "\nCake 6", of: items, "items", &problems).map(\.id) == items.map(\.id) + [0])
        #expect(problems.isEmpty)
    }
}
