import HTTP
import Testing

@testable import API
@testable import Service

/// A business without a category is visible to its owner and to administrators. An event there shows its name, slug and
/// coordinates to everybody, because the contract says so, and nothing else.
@Suite struct HiddenBusinessTests {
    /// 1 is a super admin, 2 owns another business, 5 owns the shed, where the event is.
    private static let callers: [(person: Int?, isAllowed: Bool)] = [
        (nil, false), (2, false), (3, false), (5, true), (1, true),
    ]

    /// What contains a text only for those who may see the business.
    private static let hidden = [
        ("events.ics?business=shed", "BEGIN:VEVENT"), ("events?business=shed", "Fiddle Night"),
        ("events.csv?business=shed", "Fiddle Night"), ("events.ics", "4 A"), ("events/fiddle-night.ics", "4 A"),
        ("events?q=shed", "Fiddle Night"), ("events?q=fiddle%20shed", "Fiddle Night"), ("businesses/shed", "4 A"),
        ("businesses/shed.geojson", "4 A"),
    ]

    /// What the contract shows to everybody.
    private static let shown = [
        ("events", #""business_name":"Shed","business_slug":"shed""#), ("events", #""latitude":1,"longitude":2"#),
        ("events/fiddle-night", #""business_name":"Shed","business_slug":"shed""#), ("events.ics", "LOCATION:Shed"),
        ("events/fiddle-night.ics", "GEO:1.0;2.0"), ("events?near=1,2&radius_m=10", "Fiddle Night"),
        ("events?q=fiddle", "Fiddle Night"),
    ]

    @Test func whoSeesWhat() async throws {
        let town = try await TestTown.withAccounts()
        for (person, isAllowed) in Self.callers {
            let fields = if let person { [try await town.authorization(of: person)] } else { [(String, String)]() }
            for (rows, isSeen) in [(Self.hidden, isAllowed), (Self.shown, true)] {
                for (target, text) in rows {
                    let response = try await town.send(.get, "/api/v1/" + target, fields)
                    #expect(response.text.contains(text) == isSeen, "\(target) for \(person ?? 0): \(response.text)")
                }
            }
        }
    }
}
