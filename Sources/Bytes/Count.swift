/// A number with its noun, for messages: `1 change`, `40 businesses`, `2,000 entries`.
public struct Count: Sendable, CustomStringConvertible {
    private let number: Int
    private let noun: String

    /// A number of things whose noun, given in the singular, is regular in the plural.
    public init(_ number: Int, _ noun: String) {
        (self.number, self.noun) = (number, noun)
    }

    public var description: String { "\(Self.grouped(number)) \(number == 1 ? noun : plural)" }

    private var plural: String {
        let stem = noun.dropLast()
        if noun.hasSuffix("y"), let last = stem.last, !"aeiou".contains(last) { return stem + "ies" }
        return noun + (["s", "x", "ch", "sh"].contains(where: noun.hasSuffix) ? "es" : "s")
    }

    /// A number in groups of three digits: `12,345`.
    public static func grouped(_ number: Int) -> String {
        var text = ""
        let digits = String(number.magnitude)
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return number < 0 ? "-" + text : text
    }
}
