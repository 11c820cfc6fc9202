import SookeModel
import TestSupport
import Testing

@testable import Site

@Suite struct MenuLinesTests {
    @Test(
        arguments: [
            ("Chowder 14.50", "Chowder", 1450, nil), ("Chowder $14.5", "Chowder", 1450, nil),
            ("Soup 4", "Soup", 400, nil),
            ("Fish & chips 18,90 - with slaw", "Fish & chips", 1890, "with slaw"), ("7 Up 3", "7 Up", 300, nil),
            ("Old 97 ale 8.00 – from 1997", "Old 97 ale", 800, "from 1997"), ("  Tea   2  ", "Tea", 200, nil),
        ] as [(String, String, Int, String?)])
    func aLine(_ line: String, _ name: String, _ cents: Int, _ description: String?) {
        var problems = FieldProblems()
        let items = MenuLines.items(line, of: [], "items", &problems)
        #expect(problems.isEmpty)
        #expect(items.map(\.name) == [name])
        #expect(items.first?.price?.cents == cents)
        #expect(items.first?.description == description)
    }

    @Test(arguments: ["Chowder", "14.50", "Chowder 14.50 with bread", "Chowder 14.505", "Chowder -3", "Chowder 1e3"])
    func aLineWithoutAPrice(_ line: String) {
        var problems = FieldProblems()
        #expect(MenuLines.items("Tea 2\n\(line)", of: [], "items", &problems).map(\.name) == ["Tea"])
        #expect(problems.all.first?.message.hasPrefix("Line 2, “\(line)”, needs a price") == true)
    }

    @Test func whatIsUnchangedStays() throws {
        let items = [("Tea", "2.00"), ("Soup - of the day", "4.50"), ("Pie 3.14", "9.00")].enumerated().map {
            index, pair in
            var item = MenuItem()
            (item.id, item.name, item.price) = (index + 7, pair.0, Price(pair.1))
            item.description = index == 0 ? nil : "two\nlines"
            return item
        }
        var problems = FieldProblems()
        let text = MenuLines.text(of: items)
        #expect(MenuLines.items(text, of: items, "items", &problems).map(\.id) == items.map(\.id))
        #expect(MenuLines.items(text, of: items, "items", &problems).map(\.description) == items.map(\.description))
        // A new price in its place keeps the ID; a line at the end is a new item.
        var lines = text.split(separator: "\n").map(String.init)
        lines[1] = "Broth 5"
        #expect(
            MenuLines.items(lines.joined(separator: "\n"), of: items, "items", &problems).map(\.id) == items.map(\.id))
        #expect(MenuLines.items(text + "\nCake 6", of: items, "items", &problems).map(\.id) == items.map(\.id) + [0])
        #expect(problems.isEmpty)
    }
}
