import Testing

@testable import SookeModel

/// The hours of a week in a cell, where people mean something else than OpenStreetMap.
@Suite struct HoursNotationCellTests {
    @Test(arguments: [
        // In that syntax already.
        ("Mo-Fr 09:00-17:00; PH off", "Mo-Fr 09:00-17:00; PH off"),
        ("Mo-Fr 9:00-12:00,13:00-17:00", "Mo-Fr 9:00-12:00,13:00-17:00"), ("Mo-Fr 22:00-02:00", "Mo-Fr 22:00-02:00"),
        ("Mar-Oct Mo 9:00-12:00; Dec 5-9 off", "Mar-Oct Mo 9:00-12:00; Dec 5-9 off"), ("24/7", "24/7"),
        ("Mo-Su off", "Mo-Su off"), ("Mo-Fr \"by appointment\"", "Mo-Fr \"by appointment\""),
        ("sunrise-sunset", "sunrise-sunset"),
        // Valid there, but a night.
        ("Mon-Fri 9:00-5:00", "Mo-Fr 09:00-17:00"), ("Tues-Sat 10:00-5:30", "Tu-Sa 10:00-17:30"),
        ("Sa 1:00-5:00", "Sa 13:00-17:00"), ("9:00-12:00,1:00-5:00", "Mo-Su 09:00-12:00,13:00-17:00"),
        ("10:00 - 2:00, 4:00 - 8:00", "Mo-Su 10:00-14:00,16:00-20:00"),
        (
            "Monday - Friday: 8:30 - 4:30, Saturday: 9:00 - 1:00", "Mo-Fr 08:30-16:30; Sa 09:00-13:00"
        ),
        ("Mo,We-Su 11:00-23:00; PH open", "Mo,We-Su 11:00-23:00"),
        ("Mo-Fr 09:00-17:00; We 09:00-12:00", "Mo-Fr 09:00-17:00; We 09:00-12:00"),
        // Valid there too, but not as it writes days and times.
        ("Mon-Fri 09:00-12:00; Mon-Fri 13:00-17:00", "Mo-Fr 09:00-12:00,13:00-17:00"),
        ("Mo–Fr 09:00–12:00; Mo–Fr 13:00–17:00", "Mo-Fr 09:00-12:00,13:00-17:00"),
        ("Mo-Fr: 09:00-12:00; Mo-Fr: 13:00-17:00", "Mo-Fr 09:00-12:00,13:00-17:00"),
        ("Mo-Fr 09.00-12.00; Mo-Fr 13.00-17.00", "Mo-Fr 09:00-12:00,13:00-17:00"),
        ("MO-FR 09:00-12:00; mo-fr 13:00-17:00", "Mo-Fr 09:00-12:00,13:00-17:00"),
        ("Mo-Fr 09:00-17:00; We 09:00-12:00 \"9 – noon.\"", "Mo-Fr 09:00-17:00; We 09:00-12:00 \"9 – noon.\""),
        // Not valid there.
        ("by appointment", "unknown \"by appointment\""),
        ("PH closed, Su open", "Su unknown \"open\"; PH off"), ("24/7 open", "24/7 open"),
        ("Mon-Fri 9-5, Sat 10-4", "Mo-Fr 09:00-17:00; Sa 10:00-16:00"),
    ])
    func isRead(cell: String, text: String) throws {
        let read = try HoursNotation.text(ofCell: cell)
        #expect(read == text)
        #expect(try HoursNotation.text(ofCell: read) == text, "the export of it")
    }

    @Test(arguments: [
        ("We-Su", "We-Su unknown \"open\""), ("Tue, Thu", "Tu,Th unknown \"open\""), ("daily", "unknown \"open\""),
        ("Mo off; Tu off", "unknown \"open\"; Mo-Tu off"), ("closed Mondays", "unknown \"open\"; Mo off"),
        ("holidays closed", "unknown \"open\"; PH off"),
        ("Wed-Sun, closed Mon", nil), ("Mon 9-5, Wed", nil), ("hello", nil), ("May", nil), ("PH open", nil),
    ])
    func daysWithoutTimes(cell: String, text: String?) {
        #expect(HoursNotation.daysAlone(inCell: cell) == text)
        #expect(throws: OpeningHoursError.self) { try HoursNotation.text(ofCell: cell) }
    }
}
