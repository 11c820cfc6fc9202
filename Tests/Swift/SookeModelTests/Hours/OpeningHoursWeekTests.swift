import Testing

@testable import SookeModel

@Suite struct OpeningHoursWeekTests {
    /// Rows such as `1 09:00-17:00`, the day being 0 for Sunday, or `0 closed`.
    private func rows(_ text: String) throws -> [DayHours] {
        try text.split(separator: ", ").map { row in
            let parts = row.split(separator: " ").map(String.init)
            let day = try #require(Int(parts[0]))
            if parts[1] == "closed" { return .closed(on: day) }
            let times = parts[1].split(separator: "-").map(String.init)
            return DayHours(
                dayOfWeek: day, opens: try #require(ClockTime(times[0])), closes: try #require(ClockTime(times[1])))
        }
    }

    private func text(_ rows: [DayHours]) -> String {
        rows.map { row in
            row.isClosed
                ? "\(row.dayOfWeek) closed"
                : "\(row.dayOfWeek) \(row.opens.text.prefix(5))-\(row.closes.text.prefix(5))"
        }.joined(separator: ", ")
    }

    /// Grids, as they are written and read again.
    @Test(
        arguments: [
            (
                "0 closed, 1 09:00-12:00, 1 13:00-17:00, 2 09:00-12:00, 2 13:00-17:00, 3 09:00-12:00, 3 13:00-17:00, "
                    + "4 09:00-12:00, 4 13:00-17:00, 5 09:00-12:00, 5 13:00-17:00, 6 10:00-14:00",
                "Mo-Fr 09:00-12:00,13:00-17:00; Sa 10:00-14:00"
            ),
            ("0 closed, 1 closed, 2 closed, 3 closed, 4 closed, 5 closed, 6 closed", "off"),
            (
                "0 00:00-24:00, 1 00:00-24:00, 2 00:00-24:00, 3 00:00-24:00, 4 00:00-24:00, 5 00:00-24:00, 6 00:00-24:00",
                "24/7"
            ),
            (
                "0 10:00-16:00, 1 closed, 2 09:00-17:00, 3 closed, 4 09:00-17:00, 5 18:00-02:00, 6 18:00-02:00",
                "Tu,Th 09:00-17:00; Fr-Sa 18:00-02:00; Su 10:00-16:00"
            ),
            ("1 09:00-17:00, 2 09:00-17:00", "Mo-Tu 09:00-17:00; We-Su unknown"),
            ("", "unknown"),
            (
                "0 08:00-08:00, 1 08:00-08:00, 2 08:00-08:00, 3 08:00-08:00, 4 08:00-08:00, 5 08:00-08:00, 6 08:00-08:00",
                "Mo-Su 08:00-08:00"
            ),
        ])
    func grids(rows: String, written: String) throws {
        let hours = OpeningHours(week: try self.rows(rows))
        #expect(hours.text == written)
        #expect(try OpeningHours(written).rules == hours.rules)
        #expect(text(hours.week ?? []) == rows)
    }

    /// Rows that are written in another way.
    @Test(
        arguments: [
            ("1 13:00-17:00, 1 09:00-12:00, 1 13:00-17:00", "Mo 09:00-12:00,13:00-17:00; Tu-Su unknown"),
            ("6 24:00-02:00, 0 closed", "Sa unknown; Su 00:00-02:00"),
            ("1 09:00-23:59:59", "Mo 09:00-24:00; Tu-Su unknown"), ("1 00:00-00:00", "Mo 00:00-24:00; Tu-Su unknown"),
        ])
    func otherRows(rows: String, written: String) throws {
        let days = try self.rows(rows)
        let others = (0..<7).filter { day in
            rows.contains("closed") && !days.contains { $0.dayOfWeek == day } && day != 6
        }
        #expect(OpeningHours(week: days + others.map { DayHours.closed(on: $0) }).text == written)
    }

    /// What a normal week looks like.
    @Test(
        arguments: [
            (
                "Mo-Fr 09:00-17:00; PH off; Dec 24 09:00-12:00; Mo[1] off",
                "0 closed, 1 09:00-17:00, 2 09:00-17:00, 3 09:00-17:00, 4 09:00-17:00, 5 09:00-17:00, 6 closed"
            ),
            (
                "Mo-Su 10:00-20:00; We off; 12:00-13:00 off",
                "0 10:00-12:00, 0 13:00-20:00, 1 10:00-12:00, 1 13:00-20:00, 2 10:00-12:00, 2 13:00-20:00, 3 closed, "
                    + "4 10:00-12:00, 4 13:00-20:00, 5 10:00-12:00, 5 13:00-20:00, 6 10:00-12:00, 6 13:00-20:00"
            ),
            ("Fr 18:00+; Sa unknown", "0 closed, 1 closed, 2 closed, 3 closed, 4 closed, 5 18:00-24:00"),
            ("Apr-Oct Mo-Su 10:00-18:00", nil), ("PH 10:00-12:00", nil), ("sunrise-sunset", nil),
            ("week 1-53/2 Fr 09:00-12:00", nil),
        ])
    func normalWeek(hours: String, rows: String?) throws {
        #expect(try OpeningHours(hours).week.map(text) == rows)
    }
}
