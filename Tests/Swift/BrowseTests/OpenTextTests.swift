import Foundation
import SookeClient
import Testing

@testable import sooke_browse

/// What the terminal says of an open state, in full and where there is little room.
@Suite struct OpenTextTests {
    @Test(arguments: [
        (#"{"status":"open","until":"2026-12-26T04:00:00Z","#, "● open until 8:00 pm", "● until 8:00 pm"),
        (
            #"{"status":"open","until":"2026-12-26T04:00:00Z","unconfirmed":{"holiday":"Christmas Day"},"#,
            "◌ usually until 8:00 pm, not confirmed for Christmas Day", "◌ usually to 8:00 pm"
        ),
        (
            #"{"status":"closing_soon","unconfirmed":{"holiday":"Christmas Day"},"#,
            "◌ usually open, not confirmed for Christmas Day", "◌ usually open"
        ),
        (
            #"{"status":"opens_soon","next_open":"2026-12-25T17:00:00Z","unconfirmed":{"holiday":"Christmas Day"},"#,
            "◌ usually opens Fri 25 Dec 9:00 am, not confirmed for Christmas Day", "○ closed"
        ),
    ])
    func texts(state: String, text: String, short: String) throws {
        let state = try JSONDecoder().decode(BusinessOpenState.self, from: Data((state + #""reason":"regular"}"#).utf8))
        let shown = OpenText(state, TownClock(try #require(TimeZone(identifier: "America/Vancouver"))))
        #expect(shown.text == text && shown.short == short)
        #expect(shown.isUnconfirmed == (state.unconfirmed != nil))
    }
}
