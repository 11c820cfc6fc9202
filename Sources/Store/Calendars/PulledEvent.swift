import Bytes
import SookeModel

/// An event as a calendar of others has it now.
package struct PulledEvent: Sendable {
    package let key: String
    /// Nil where it is wrong: then it is neither made nor missed.
    package let event: Event?

    package init(key: String, event: Event?) { (self.key, self.event) = (key, event) }
}

extension Event {
    /// What is merged as one.
    static let groups: [(name: String, fields: FieldSet<Event>)] = [
        ("name", ["name"]), ("description", ["description"]),
        (
            "times",
            ["starts_local", "ends_local", "all_day", "time_zone", "rrule", "exdates", "rdates", "overrides"]
        ),
        ("place", ["business", "latitude", "longitude", "location"]), ("url", ["url"]),
        ("host", ["host", "organizer"]), ("price", ["price"]),
    ]

    func digest(of fields: FieldSet<Event>) -> String { Hex.text(of: XXH64.digest(writtenMembers(fields).span)) }

    func likeness(in town: Town) -> String {
        let start = Array("\(startsAt?.microseconds ?? 0)".utf8)
        let bytes = CaseFolding.fold(name) + [0] + start + [0] + foldedPlace(in: town)
        return Hex.text(of: XXH64.digest(bytes.span))
    }

    /// In words, folded: its business, then its place.
    func foldedPlace(in town: Town) -> [UInt8] {
        let name = business.flatMap { town.businesses[$0]?.value.name }
        return CaseFolding.fold([name, location].compactMap(\.self).joined(separator: " "))
    }
}

extension EventSource {
    package subscript(name: String) -> SourceField? {
        get { fields.first { $0.name.hasSameBytes(as: name) } }
        set {
            // In its place: another order would be a change of the event.
            let index = fields.firstIndex { $0.name.hasSameBytes(as: name) }
            if let index { fields.remove(at: index) }
            if let newValue { fields.insert(newValue, at: index ?? fields.endIndex) }
        }
    }
}

/// What tells events with the same name apart, in one calendar and across several.
struct EventIdentity: Hashable {
    let start: Timestamp?
    let name: [UInt8]

    init(_ event: Event) { (start, name) = (event.startsAt, CaseFolding.fold(event.name)) }

    /// Whether nothing says that two places differ: they are equal, or one has the words of the other,
    /// or none.
    static func mayBeSame(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        let (left, right) = (words(left), words(right))
        return left.count <= right.count ? CaseFolding.contains(right, left) : CaseFolding.contains(left, right)
    }

    /// Between blanks, so that a word is found as a whole.
    private static func words(_ text: [UInt8]) -> [UInt8] {
        let blank = UInt8(ascii: " ")
        let words = text.split { $0 < UInt8(ascii: "0") || $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ":") }
        return words.isEmpty ? [] : [blank] + Array(words.joined(separator: [blank])) + [blank]
    }
}
