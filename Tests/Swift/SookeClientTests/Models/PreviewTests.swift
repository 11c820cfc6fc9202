import Foundation
import SookeClient
import Testing

/// Values that an app makes by itself are those of responses.
@Suite struct PreviewTests {
    private static let hours = BusinessHour(dayOfWeek: 1, openTime: "09:00:00", closeTime: "17:00:00", isClosed: false)
    private static let menu = AppNames.Menu(
        id: 3, name: "Lunch", items: [MenuItem(id: 4, name: "Soup", description: "Hot", price: "8.50")])

    private static let common = """
        "id":1,"name":"Café","slug":"cafe","description":"Old","category_name":"Food","category_slug":"food",\
        "address":"1 Main St","latitude":48.3,"longitude":-123.7,"phone":"250","email":"a@b.example",\
        "website":"https://b.example"
        """
    private static let hour = #"{"day_of_week":1,"open_time":"09:00:00","close_time":"17:00:00","is_closed":false}"#

    @Test func aBusiness() throws {
        let made = Business(
            id: 1, name: "Café", slug: "cafe", description: "Old", categoryName: "Food", categorySlug: "food",
            address: "1 Main St", latitude: 48.3, longitude: -123.7, phone: "250", email: "a@b.example",
            website: "https://b.example", todayHours: Self.hours)
        let read = try Self.read(Business.self, "{\(Self.common),\"today_hours\":\(Self.hour)}")
        #expect(made == read && made.hasLocation && made.todayHours == Self.hours)
    }

    @Test func detailsWithAMenu() throws {
        let made = BusinessDetails(
            id: 1, name: "Café", slug: "cafe", description: "Old", categoryName: "Food", categorySlug: "food",
            address: "1 Main St", latitude: 48.3, longitude: -123.7, phone: "250", email: "a@b.example",
            website: "https://b.example", hours: [Self.hours], menus: [Self.menu])
        let menu = #"{"id":3,"name":"Lunch","items":[{"id":4,"name":"Soup","description":"Hot","price":"8.50"}]}"#
        let read = try Self.read(BusinessDetails.self, "{\(Self.common),\"hours\":[\(Self.hour)],\"menus\":[\(menu)]}")
        #expect(made == read && made.hours == [Self.hours] && made.menus == [Self.menu])
        #expect(made.menus[0].items[0].price == "8.50")
    }

    /// A later server may have others; they are written as they came, too.
    @Test(arguments: ["approved", "cancelled", "postponed"])
    func anEventKeepsItsStatus(_ status: String) throws {
        let json = """
            {"id":1,"name":"Fair","slug":"fair","status":"\(status)","event_type_slug":"market",\
            "event_type_name":"Market","start_time":"2027-06-01T19:00:00Z","end_time":"2027-06-01T20:00:00Z"}
            """
        let event = try Self.read(EventDetails.self, json)
        #expect(event.status == status)
        #expect(try JSONDecoder().decode(EventDetails.self, from: JSONEncoder().encode(event)).status == status)
    }

    private static func read<Value: Decodable>(_ type: Value.Type, _ json: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(json.utf8))
    }
}
