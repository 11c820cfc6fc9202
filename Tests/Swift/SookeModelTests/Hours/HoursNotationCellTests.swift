import Testing

@testable import SookeModel

/// The hours of a week in a cell, where people mean something else than OpenStreetMap.
@Suite struct HoursNotationCellTests {
    @Test(arguments: [
        // In that syntax already.
        ("Mo-Fr 09:00-17:00; PH off", "Mo-Fr 09:00-17:00; PH off"),
        ("Mo-Fr 9:00-17:00", "Mo-Fr 9:00-17:00"), ("Mo-Fr 9:00-12:00,13:00-17:00", "Mo-Fr 9:00-12:00,13:00-17:00"),
        ("Mo 10:00-11:00; Tu 14:00-18:00", "Mo 10:00-11:00; Tu 14:00-18:00"),
        ("Mo-Fr 22:00-02:00", "Mo-Fr 22:00-02:00"), ("Fr 11:30-01:30", "Fr 11:30-01:30"),
        ("Mar-Oct Mo 9:00-12:00; Dec 5-9 off", "Mar-Oct Mo 9:00-12:00; Dec 5-9 off"), ("24/7", "24/7"), ("off", "off"),
        ("Mo-Su off", "Mo-Su off"), ("Mo-Fr \"by appointment\"", "Mo-Fr \"by appointment\""),
        ("sunrise-sunset", "sunrise-sunset"), ("Sa[1] 10:00-14:00", "Sa[1] 10:00-14:00"),
        // Valid there, but a night.
        ("Mon-Fri 9:00-5:00", "Mo-Fr 09:00-17:00"), ("Tues-Sat 10:00-5:30", "Tu-Sa 10:00-17:30"),
        ("Sun 12:00-4:00", "Su 12:00-16:00"), ("Sa 1:00-5:00", "Sa 13:00-17:00"),
        ("9:00-12:00,1:00-5:00", "Mo-Su 09:00-12:00,13:00-17:00"),
        ("10:00 - 2:00, 4:00 - 8:00", "Mo-Su 10:00-14:00,16:00-20:00"),
        (
            "Monday - Friday: 8:30 - 4:30, Saturday: 9:00 - 1:00", "Mo-Fr 08:30-16:30; Sa 09:00-13:00"
        ),
        ("Mon-Fri 9:00-5:00; Sat 10:00-16:00", "Mo-Fr 09:00-17:00; Sa 10:00-16:00"),
        ("Mo,We-Su 11:00-23:00; PH open", "Mo,We-Su 11:00-23:00; PH open"),
        ("Mo-Fr 09:00-17:00; We 09:00-12:00", "Mo-Fr 09:00-17:00; We 09:00-12:00"),
        // Valid there too, but not as it writes days and times.
        ("Mon-Fri 09:00-12:00; Mon-Fri 13:00-17:00", "Mo-Fr 09:00-12:00,13:00-17:00"),
        ("Mo-Fr 8-12; Mo-Fr 14-18", "Mo-Fr 08:00-12:00,14:00-18:00"),
        ("Mo–Fr 09:00–12:00; Mo–Fr 13:00–17:00", "Mo-Fr 09:00-12:00,13:00-17:00"),
        ("Mo-Fr: 09:00-12:00; Mo-Fr: 13:00-17:00", "Mo-Fr 09:00-12:00,13:00-17:00"),
        ("Mo-Fr 09.00-12.00; Mo-Fr 13.00-17.00", "Mo-Fr 09:00-12:00,13:00-17:00"),
        ("MO-FR 09:00-12:00; mo-fr 13:00-17:00", "Mo-Fr 09:00-12:00,13:00-17:00"),
        ("Mo-Fr 09:00-17:00; We 09:00-12:00 \"9 – noon.\"", "Mo-Fr 09:00-17:00; We 09:00-12:00 \"9 – noon.\""),
        // Not valid there.
        ("by appointment", "unknown \"by appointment\""), ("Open", "unknown \"open\""),
        ("PH closed, Su open", "Su unknown \"open\"; PH off"), ("24/7 open", "24/7 open"),
        ("Mon-Fri 9-5, Sat 10-4", "Mo-Fr 09:00-17:00; Sa 10:00-16:00"),
    ])
    func isRead(cell: String, text: String) throws {
        let read = try HoursNotation.text(ofCell: cell)
        #expect(read == text)
        #expect(try HoursNotation.text(ofCell: read) == text, "the export of it")
    }

    @Test(arguments: [
        ("Mo-Fr", "character 6: a time, such as 9am, noon or 17:30, is expected"),
        ("Tue-Sat", "character 8: a time, such as 9am, noon or 17:30, is expected"),
        ("Mo 09:00-17:00; Tu-Fr", "character 22: a time, such as 9am, noon or 17:30, is expected"),
        ("Mo-Fr; PH open", "character 15: a time, such as 9am, noon or 17:30, is expected"),
        (
            "Mon-Fri 09:00-17:00; Wed 09:00-12:00",
            "Wednesday has two times that overlap, 09:00-17:00 and 09:00-12:00; write each day once"
        ),
        (
            "Mo-Fr 09:00–17:00; We 09:00–12:00",
            "Wednesday has two times that overlap, 09:00-17:00 and 09:00-12:00; write each day once"
        ),
        ("Mo off", "character 7: the times of the other days is expected"),
        ("PH off", "character 7: the times of the other days is expected"),
        ("Closed Sundays", "character 15: the times of the other days is expected"),
        (
            "Mon-Thu 11:30-21:00, Fri 11:30-late",
            "character 26: \"am\" or \"pm\" at times that can be both, is expected"
        ),
        ("Mon 7-11", "character 5: \"am\" or \"pm\" at times that can be both, is expected"),
        ("Mo 9:00-9:00", "character 4: \"am\" or \"pm\" at times that can be both, is expected"),
        ("Mo[1] 09:00-17:00; PH of", "character 23: a time, \"off\", \";\" or the end is expected"),
        ("hello", "character 1: a day, a time or \"closed\" is expected"),
        ("Seasonal", "it has no times; leave the cell empty, and put this into the description"),
    ])
    func isRefused(cell: String, message: String) {
        let error = #expect(throws: OpeningHoursError.self) { try HoursNotation.text(ofCell: cell) }
        #expect(error?.description == message)
    }
}
