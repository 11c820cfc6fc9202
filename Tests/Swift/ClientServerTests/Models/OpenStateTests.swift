import Bytes
import Foundation
import HTTP
import TestSupport
import Testing

@testable import SookeClient

/// The client computes open states as the server does.
@Suite struct OpenStateTests {
    private static let sample = ProjectFolder.file("data/sooke.json")
    @Test(arguments: [0, 5, 9, 14, 20, 34 * 24])
    func equalsThatOfTheServer(hours: Int) async throws {
        let town = try await ClientTown(Data(contentsOf: Self.sample))
        let answer = try await town.send(.get, "/api/v1/businesses?per_page=100")
        for (slug, patch) in [
            ("the-slack-tide-pub", #"{"opening_hours":"Mo-Su 16:00-01:00; PH off"}"#),
            ("mile-23-diner", #"{"special_hours":[{"from":"2026-11-20","to":"2026-11-22","is_closed":true}]}"#),
            ("nans-tea-room", #"{"time_zone":"Europe/Berlin"}"#),
        ] {
            let headers = [("Content-Type", "application/json")]
            let changed = try await town.send(.patch, "/api/v1/businesses/\(slug)", headers, body: patch)
            #expect(changed.status == .ok)
        }
        town.clock.advance(bySeconds: hours * 3600)
        let zone = try #require(TimeZone(identifier: "America/Vancouver"))
        let now = Date(timeIntervalSince1970: TimeInterval(town.clock.now.seconds))
        let list = try JSONDecoder().decode(PaginatedResponse<Business>.self, from: Data(answer.body)).items
        #expect(list.count == 40)
        for business in list {
            let path = APIPath.business(business.slug)
            let body = try await town.send(.get, path).body
            let details = try JSONDecoder().decode(BusinessDetails.self, from: Data(body))
            #expect(details.openState == details.openState(at: now, in: zone), "\(business.slug)")
        }
    }
}
