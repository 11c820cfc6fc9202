import Bytes
import JSON
import SookeModel
import Testing

@testable import Store

@Suite struct BusinessRecordTests {
    private static var full: Business {
        var business = Business()
        (business.id, business.ownerID, business.category) = (7, 3, Slug("food"))
        (business.name, business.slug) = ("Say \"hi\" \\ \u{1F600}\u{7}", Slug("say-\"hi\""))
        (business.description, business.phone) = ("Two\nlines", nil)
        (business.email, business.website) = ("", "https://a.example/?b=c&d")
        (business.address, business.latitude, business.longitude) = ("1 Bay St", 48.123456789012, -0.1)
        business.hours = (0...6).map { day in
            var hours = DayHours(dayOfWeek: day, opens: .midnight, closes: .endOfDay, isClosed: day == 3)
            hours.id = 9_007_199_254_740_990 - day
            return hours
        }
        business.formerSlugs = [Slug("old"), Slug("older")]
        var (menu, item) = (Menu(), MenuItem())
        (item.id, item.name) = (5, "Soup")
        (menu.id, menu.name, menu.items) = (2, "Lunch", [item])
        business.menus = [menu]
        return business
    }

    /// The business as in a list.
    private func shown(_ record: BusinessRecord, on dayOfWeek: Int) -> String {
        var writer = JSONWriter()
        var time = ListTime.utc(on: dayOfWeek)
        writer.beginObject()
        record.writeListed(to: &writer, category: Array("CATEGORY".utf8), at: &time)
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// What depends on the clock, on a Thursday at midnight: it is open on all days but Wednesday.
    private static let state =
        #","open_state":{"status":"open","until":"1970-01-07T00:00:00Z","next_open":"1970-01-08T00:00:00Z","#
        + #""reason":"regular","comment":null},"confirmed_at":null}"#

    @Test func showsItsMembers() {
        let record = BusinessRecord(Self.full, categoryID: 2)
        let head = #"{"id":7,"name":"Say \"hi\" \\ 😀\u0007","slug":"say-\"hi\"","description":"Two\nlines","#
        let middle =
            #","address":"1 Bay St","latitude":48.123456789012,"longitude":-0.1,"phone":null,"email":"","#
            + #""website":"https://a.example/?b=c&d","today_hours":"#
        #expect(shown(record, on: 7) == head + "CATEGORY" + middle + "null" + Self.state)
        let reference = #""business_name":"Say \"hi\" \\ 😀\u0007","business_slug":"say-\"hi\"""#
        #expect(String(decoding: record.reference, as: UTF8.self) == reference)
    }
}
