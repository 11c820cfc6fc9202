/// The opening hours of a place, in the syntax of OpenStreetMap's `opening_hours`.
///
/// ```swift
/// let hours = try OpeningHours("Mo-Fr 09:00-17:00; Sa 10:00-14:00; PH off")
/// ```
///
/// A rule replaces those before it on its days, unless a comma comes before it; `off` closes at its times, and without
/// times all of the day. A time that ends after midnight belongs to the day on which it starts: a rule of the next day
/// does not end it.
public struct OpeningHours: Sendable, Hashable {
    /// The rules in their order; nil for syntax that is stored but not understood, such as sunset or school holidays.
    public let rules: [HoursRule]?
    /// The text as it was given.
    public let text: String

    /// The longest text, in bytes.
    public static let longestText = 1000

    /// Parses the syntax of OpenStreetMap.
    public init(_ text: String) throws(OpeningHoursError) {
        var parser = try OpeningHoursParser(text)
        (self.text, rules) = (text, try parser.parse())
    }

    /// Hours in a text that cannot be parsed: they are not known.
    init(unreadable text: String) {
        (self.text, rules) = (text, nil)
    }

    /// Hours of some rules.
    public init(rules: [HoursRule]) {
        (self.rules, text) = (rules, OpeningHoursWriter.text(of: rules))
    }
}
