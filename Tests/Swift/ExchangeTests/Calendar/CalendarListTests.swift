import Testing

@testable import Exchange

/// Lists of calendars as files.
@Suite struct CalendarListTests {
    private static let rows: [CalendarList.Row] = [
        ["name": "Café & \"Bar\"", "address": "https://a.example/x.ics?k=1&l=<2>", "event_type": "music"],
        ["name": "=Library", "address": "https://b.example/", "host": "library", "place": "library", "trust": "queue"],
    ]

    @Test(arguments: CalendarList.Format.allCases)
    func comesBack(format: CalendarList.Format) {
        #expect(CalendarList.read(CalendarList.write(Self.rows, as: format)) == Self.rows)
    }

    /// As other programs write them.
    @Test(arguments: [
        "Title;URL;Colour\nLibrary;https://a.example/;red\nempty;;\n",
        "\u{FEFF}name,xmlUrl\nLibrary,https://a.example/",
        "<?xml version='1.0'?><opml><body><outline text='All'><outline title='Library' xmlUrl='https://a.example/'/>"
            + "</outline></body></opml>",
    ])
    func readsForeignLists(text: String) {
        #expect(CalendarList.read(Array(text.utf8)) == [["name": "Library", "address": "https://a.example/"]])
    }

    @Test(arguments: ["", "name,colour\nLibrary,red", "<html>", "BEGIN:VCALENDAR\nEND:VCALENDAR", "<opml/>"])
    func refusesOthers(text: String) {
        #expect(CalendarList.read(Array(text.utf8)) == nil)
    }
}
