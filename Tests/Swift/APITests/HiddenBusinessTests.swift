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

    private func town() async throws -> AdminTown {
        let town = try await AdminTown()
        return town
    }

    private func fields(_ person: Int?, _ town: AdminTown) async throws -> [(String, String)] {
        if let person { [try await town.authorization(of: person)] } else { [] }
    }

    /// What contains a text only for those who may see the business.
    @Test(arguments: [
        ("events.ics?business=shed", "Shed"), ("events.ics?business=shed", "BEGIN:VEVENT"),
        ("events?business=shed", "Fiddle Night"), ("events.csv?business=shed", "Fiddle Night"),
        ("events.ics", "4 A"), ("events/fiddle-night.ics", "4 A"), ("events?q=shed", "Fiddle Night"),
        ("events?q=she", "Fiddle Night"), ("events?q=fiddle%20shed", "Fiddle Night"),
        ("businesses/shed", "4 A"), ("businesses/shed.geojson", "4 A"),
    ])
    func whatIsHidden(_ target: String, _ text: String) async throws {
        let town = try await town()
        for (person, isAllowed) in Self.callers {
            let response = try await town.send(.get, "/api/v1/" + target, try await fields(person, town))
            #expect(response.text.contains(text) == isAllowed, "\(target) for \(person ?? 0): \(response.text)")
        }
    }

    /// What the contract shows to everybody.
    @Test(arguments: [
        ("events", #""business_name":"Shed","business_slug":"shed""#), ("events", #""latitude":1,"longitude":2"#),
        ("events/fiddle-night", #""business_name":"Shed","business_slug":"shed""#), ("events.ics", "LOCATION:Shed"),
        ("events/fiddle-night.ics", "GEO:1.0;2.0"), ("events?near=1,2&radius_m=10", "Fiddle Night"),
        ("events?q=fiddle", "Fiddle Night"),
    ])
    func whatIsShown(_ target: String, _ text: String) async throws {
        let town = try await town()
        for (person, _) in Self.callers {
            let response = try await town.send(.get, "/api/v1/" + target, try await fields(person, town))
            #expect(response.text.contains(text), "\(target) for \(person ?? 0): \(response.text)")
        }
    }

    /// A category makes it public at once, also in what was cached.
    @Test func aCategoryShowsIt() async throws {
        let town = try await town()
        for target in ["events.ics?business=shed", "events?business=shed", "events?q=shed", "events.ics"] {
            _ = try await town.send(.get, "/api/v1/" + target)
        }
        _ = try await town.store.write(by: .local) { try $0.upsert(.business, #"{"slug":"shed","category":"bars"}"#) }
        for (target, text) in [
            ("events.ics?business=shed", ": Shed"), ("events?business=shed", "Fiddle Night"), ("events.ics", "4 A"),
            ("events?q=shed", "Fiddle Night"),
        ] {
            #expect(try await town.send(.get, "/api/v1/" + target).text.contains(text), "\(target)")
        }
    }
}
