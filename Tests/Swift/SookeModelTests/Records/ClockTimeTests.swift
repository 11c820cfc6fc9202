import Testing

@testable import SookeModel

@Suite struct ClockTimeTests {
    @Test(arguments: [
        ("00:00", "00:00:00"), ("09:30", "09:30:00"), ("09:30:15", "09:30:15"), ("23:59:59", "23:59:59"),
        ("24:00", "24:00:00"), ("24:00:00", "24:00:00"),
    ])
    func reads(text: String, written: String) {
        #expect(ClockTime(text)?.text == written)
    }

    @Test(arguments: [
        "", "9:30", "09", "09:3", "09:60", "09:30:60", "24:00:01", "24:01", "25:00", "-1:00", "09:30:00:00", "٠٩:٣٠",
        "09-30",
    ])
    func refuses(text: String) {
        #expect(ClockTime(text) == nil)
    }
}
