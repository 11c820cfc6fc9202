import Bytes
import SookeModel
import Testing

@Suite struct ElapsedTimeTests {
    @Test(
        arguments: [
            (0, "today"), (1, "yesterday"), (2, "2 days ago"), (13, "13 days ago"), (14, "2 weeks ago"),
            (27, "3 weeks ago"), (60, "8 weeks ago"), (61, "2 months ago"), (364, "11 months ago"),
            (366, "12 months ago"), (729, "23 months ago"), (730, "2 years ago"), (3650, "10 years ago"),
            (-1, "today"),
        ])
    func days(count: Int, text: String) {
        let zone = TimeZone(name: "UTC", fixedOffset: 0)
        let now = Timestamp(clampingSeconds: 1_800_000_000)
        #expect(ElapsedTime.text(from: now.advanced(bySeconds: -86_400 * count), to: now, in: zone) == text)
    }

    @Test func midnightIsThatOfTheZone() throws {
        // 09:00 and 11:00 in UTC, 23:00 and 01:00 fourteen hours east of it.
        let (before, after) = (Timestamp(clampingSeconds: 1_800_003_600), Timestamp(clampingSeconds: 1_800_010_800))
        let utc = TimeZone(name: "UTC", fixedOffset: 0)
        let east = TimeZone(name: "East", fixedOffset: 14 * 3600)
        #expect(ElapsedTime.text(from: before, to: after, in: utc) == "today")
        #expect(ElapsedTime.text(from: before, to: after, in: east) == "yesterday")
    }
}
