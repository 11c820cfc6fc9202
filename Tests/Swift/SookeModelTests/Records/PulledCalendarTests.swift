import SookeModel
import Testing

@Suite struct PulledCalendarTests {
    @Test(arguments: [
        ("webcal://a.example/x.ics", "https://a.example/x.ics"),
        (
            "https://calendar.google.com/calendar/embed?src=abc%40group.calendar.google.com&ctz=America%2FVancouver",
            "https://calendar.google.com/calendar/ical/abc%40group.calendar.google.com/public/basic.ics"
        ),
        ("https://outlook.live.com/owa/1/page.html", "https://outlook.live.com/owa/1/page.html"),
        ("https://outlook.live.com/owa/1/calendar.html", "https://outlook.live.com/owa/1/calendar.ics"),
        (" https://a.example/events ", "https://a.example/events"),
        ("webcal://a.example/x\u{301}\u{316}.ics", "https://a.example/x\u{301}\u{316}.ics"),
    ])
    func addressOfAPage(text: String, address: String) {
        #expect(PulledCalendar.address(from: text) == address)
    }
}
