import Foundation
import SookeModel

/// A draft of a business. Its menus are not part of it.
public struct BusinessDraft: EditDraft {
    /// The fields of the draft, in the order of a form.
    public enum Field: String, DraftField {
        /// The name.
        case name
        /// What it is about.
        case description
        /// The slug of its category, which only a super admin may change.
        case category
        /// Street and house number.
        case address
        /// The phone number.
        case phone
        /// The e-mail address.
        case email
        /// The website.
        case website
        /// Degrees north.
        case latitude
        /// Degrees east.
        case longitude
        /// The hours of the week.
        case hours
    }

    /// The name.
    public var name = ""
    /// What it is about; empty for nothing.
    public var description = ""
    /// The slug of its category; empty for none.
    public var category = ""
    /// Street and house number.
    public var address = ""
    /// The phone number; empty for none.
    public var phone = ""
    /// The e-mail address; empty for none.
    public var email = ""
    /// The website; empty for none.
    public var website = ""
    /// Degrees north, as a decimal number.
    public var latitude = ""
    /// Degrees east, as a decimal number.
    public var longitude = ""
    /// The hours, by day of the week; a day without a row is unknown. Times are `HH:MM` or `HH:MM:SS`.
    public var hours: [BusinessHour] = []

    /// An empty draft.
    public init() {}

    /// The hours of a day, 0 for Sunday to 6 for Saturday; nil if they are unknown.
    public subscript(hoursOn dayOfWeek: Int) -> BusinessHour? {
        get { hours.first { $0.dayOfWeek == dayOfWeek } }
        set {
            hours.removeAll { $0.dayOfWeek == dayOfWeek }
            if let newValue { hours.append(newValue) }
            hours.sort { $0.dayOfWeek < $1.dayOfWeek }
        }
    }
}

extension BusinessDraft {
    /// The record of the server.
    public typealias Model = SookeModel.Business

    /// The kind of the record.
    public static var kind: RecordKind { .business }

    /// The path of a business.
    public static func path(of slug: String) -> String { APIPath.business(slug) }

    /// The text of a field; nil for the hours.
    public static func text(_ field: Field) -> WritableKeyPath<BusinessDraft, String>? {
        switch field {
        case .name: \.name
        case .description: \.description
        case .category: \.category
        case .address: \.address
        case .phone: \.phone
        case .email: \.email
        case .website: \.website
        case .latitude: \.latitude
        case .longitude: \.longitude
        case .hours: nil
        }
    }

    /// The form of a field in requests.
    public static func form(of field: Field) -> DraftFieldForm {
        switch field {
        case .name, .address: .text
        case .latitude, .longitude: .number
        case .description, .category, .phone, .email, .website, .hours: .optionalText
        }
    }

    /// A copy of a business.
    public init(_ record: JSONValue) throws {
        copy(record, names: [.category: "category_slug"])
        hours = try (record["hours"] ?? .array([])).decoded()
    }

    /// The value of a field as in requests.
    public func json(of field: Field) -> JSONValue {
        if let text = textJSON(of: field) { return text }
        return .array(
            hours.map { row in
                var members: [String: JSONValue] = [
                    "day_of_week": .integer(Int64(row.dayOfWeek)), "is_closed": .bool(row.isClosed),
                ]
                // The times of a closed day may be left out, and what was typed for them does not matter.
                if !row.isClosed {
                    members["open_time"] = .string(row.openTime)
                    members["close_time"] = .string(row.closeTime)
                }
                return .object(members)
            })
    }

    /// Whether a field has the same bytes in another draft.
    public func isSame(_ field: Field, as other: BusinessDraft) -> Bool {
        hasSameText(field, as: other) ?? (json(of: field) == other.json(of: field))
    }

    /// Takes the value of a field from another draft.
    public mutating func take(_ field: Field, from other: BusinessDraft) {
        if let path = Self.text(field) { self[keyPath: path] = other[keyPath: path] } else { hours = other.hours }
    }

    /// The value of a field for people.
    public func display(_ field: Field) -> String {
        if let path = Self.text(field) { return self[keyPath: path] }
        return hours.map { row in
            let day = 0...6 ~= row.dayOfWeek ? Self.days[row.dayOfWeek] : "\(row.dayOfWeek)"
            return day + " " + (row.isClosed ? "closed" : "\(row.openTime)–\(row.closeTime)")
        }.joined(separator: ", ")
    }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    /// Sorts the hours and gives them IDs, as the server does.
    public static func complete(_ record: inout Model) {
        record.sortHours()
        for index in record.hours.indices { record.hours[index].id = index + 1 }
    }
}
