import Foundation
import TestSupport

/// Datasets of towns in which everything that may be missing is missing somewhere.
struct RandomTown {
    private var random: SplitMix64
    private static let words = [
        "Pub", "Café", "\"Quoted\"", "O'Brien", "a\\b", "línea\nnueva", "湖", "e\u{301}", "<b>", "🎻",
    ]

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// A dataset with some businesses and as many events.
    mutating func dataset(_ count: Int) throws -> Data {
        let categories = (1...4).map {
            ["id": $0, "name": "Category \($0) \(text())", "slug": "c\($0)"] as [String: Any]
        }
        let types = (1...3).map { ["id": $0, "name": "Type \($0) \(text())", "slug": "t\($0)"] as [String: Any] }
        let dataset: [String: Any] = [
            "categories": categories, "event_types": types,
            "users": [["id": 1, "email": "ada@town.example", "role": "super_admin"]],
            "businesses": (1...count).map { business($0) }, "events": (1...count).map { event($0, of: count) },
        ]
        return try JSONSerialization.data(withJSONObject: dataset)
    }

    private mutating func text() -> String {
        (0...Int.random(in: 0...3, using: &random)).map { _ in Self.words.randomElement(using: &random) ?? "" }
            .joined(separator: " ")
    }

    /// A value, null, or, for a member that may be left out, nothing.
    private mutating func set(_ name: String, _ value: Any, in record: inout [String: Any]) {
        switch Int.random(in: 0...2, using: &random) {
        case 0: record[name] = value
        case 1: record[name] = NSNull()
        default: break
        }
    }

    private mutating func coordinate(_ limit: Double) -> Double {
        let value = Double.random(in: -limit...limit, using: &random)
        return Bool.random(using: &random) ? value : value.rounded()
    }

    private mutating func business(_ id: Int) -> [String: Any] {
        var record: [String: Any] = [
            "id": id, "slug": "b\(id)", "name": "\(id) \(text())", "address": "1 \(text())", "latitude": coordinate(90),
            "longitude": coordinate(180),
        ]
        set("category", "c\(Int.random(in: 1...4, using: &random))", in: &record)
        set("description", text(), in: &record)
        set("phone", "250 \(id)", in: &record)
        set("email", Bool.random(using: &random) ? "" : "b\(id)@town.example", in: &record)
        set("website", Bool.random(using: &random) ? "" : "https://b\(id).example/?a=\"", in: &record)
        set("owner_id", 1, in: &record)
        record["hours"] = (0...6).filter { _ in Bool.random(using: &random) }.map { day -> [String: Any] in
            if Bool.random(using: &random) { return ["day_of_week": day, "is_closed": true] }
            let hour = Int.random(in: 0...23, using: &random)
            let times = [hour, (hour + 8) % 24].map { "\($0 < 10 ? "0" : "")\($0):30" }
            return ["day_of_week": day, "open_time": times[0], "close_time": times[1]]
        }
        record["menus"] = (0..<Int.random(in: 0...2, using: &random)).map { number -> [String: Any] in
            var menu: [String: Any] = ["name": "Menu \(number)"]
            set("description", text(), in: &menu)
            menu["items"] = (0..<Int.random(in: 0...2, using: &random)).map { _ -> [String: Any] in
                var item: [String: Any] = ["name": "Item \(text())", "price": "7.50"]
                set("description", text(), in: &item)
                return item
            }
            return menu
        }
        return record
    }

    private mutating func event(_ id: Int, of count: Int) -> [String: Any] {
        let status = ["approved", "approved", "cancelled", "draft", "pending_review", "rejected"]
            .randomElement(using: &random)
        var record: [String: Any] = [
            "id": id, "slug": "e\(id)", "name": "\(id) \(text())",
            "event_type": "t\(Int.random(in: 1...3, using: &random))",
            "starts_at": "20\(Int.random(in: 25...45, using: &random))-05-01T16:00:00.5Z", "status": status ?? "draft",
        ]
        set("description", text(), in: &record)
        set("ends_at", "2046-05-01T16:00:00+02:00", in: &record)
        set("submitted_by", 1, in: &record)
        if status == "rejected" { set("reason", text(), in: &record) }
        switch Int.random(in: 0...2, using: &random) {
        case 0: record["business"] = "b\(Int.random(in: 1...count, using: &random))"
        case 1: (record["latitude"], record["longitude"]) = (coordinate(90), coordinate(180))
        default: break
        }
        return record
    }
}
