import Bytes
import SookeModel

/// The items of a menu as lines: `Chowder 14.50`, with what else is to say after a dash.
enum MenuLines {
    static func text(of items: [MenuItem]) -> String { items.map(line).joined(separator: "\n") }

    private static func line(_ item: MenuItem) -> String {
        let price = item.price.map { " \($0.text)" } ?? ""
        return (item.name + price + (item.description.shown.map { " - \($0)" } ?? "")).split(
            whereSeparator: \.isNewline
        ).joined(separator: " ").typed
    }

    /// The items of some lines. An item whose line is unchanged stays as it is; one that was changed in its place keeps its
    /// ID.
    static func items(_ text: String, of existing: [MenuItem], _ field: String, _ problems: inout FieldProblems)
        -> [MenuItem]
    {
        var unchanged: [ByteText: [MenuItem]] = [:]
        for item in existing.reversed() { unchanged[ByteText(line(item)), default: []].append(item) }
        let lines = text.split(at: "\n").map(\.typed).filter { !$0.isEmpty }
        var found: [MenuItem?] = lines.map { unchanged[ByteText($0)]?.popLast() }
        let left = Set(unchanged.values.joined().map(\.id))
        let isSameCount = lines.count == existing.count
        for (index, line) in lines.enumerated() where found[index] == nil {
            guard var item = item(line) else {
                problems.add(
                    field, "line \(index + 1), “\(line.excerpt())”, needs a price at its end, such as “Chowder 14.50”")
                continue
            }
            if isSameCount, left.contains(existing[index].id) { item.id = existing[index].id }
            found[index] = item
        }
        return found.compactMap(\.self)
    }

    private static func item(_ line: String) -> MenuItem? {
        var item = MenuItem()
        let words = line.split(at: " ")
        // The first price after the name.
        for index in words.indices.dropFirst() {
            guard let price = price(words[index]) else { continue }
            var rest = words[(index + 1)...]
            if let dash = rest.first, ["-", "–", "—"].contains(where: { $0 == dash }) {
                rest = rest.dropFirst()
            } else if !rest.isEmpty {
                continue
            }
            item.name = words[..<index].joined(separator: " ")
            item.price = price
            item.description = rest.isEmpty ? nil : rest.joined(separator: " ")
            return item
        }
        return nil
    }

    /// A price as people write it: `14.50`, `$14.5`, `14`, `14,50`.
    static func price(_ text: String) -> Price? {
        guard text.utf8.count <= 40 else { return nil }
        let digits = String(text.drop { $0 == "$" }.map { $0 == "," ? "." : $0 })
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(ASCII.isDigit) }),
            parts.count == 1 || parts[1].count <= 2
        else { return nil }
        let cents = parts.count == 1 ? "00" : parts[1] + (parts[1].count == 1 ? "0" : "")
        return Price("\(parts[0]).\(cents)")
    }
}
