import JSON
import SookeModel
import Testing

/// A row is read alike in the form it is written in, which is read by its bytes, and in every other.
@Suite struct DayHoursTests {
    private static func read(_ row: String) -> (hours: [DayHours], problems: String) {
        var business = Business()
        var problems = FieldProblems()
        do {
            var reader = JSONReader(Array("[\(row),\(row)]".utf8))
            try business.read(.hours, from: &reader, &problems)
            try reader.finish()
        } catch {
            return ([], "\(error)")
        }
        return (business.hours, "\(problems)")
    }

    @Test(arguments: [
        #"{"id":1,"day_of_week":0,"open_time":"09:00:00","close_time":"17:30:00","is_closed":false}"#,
        #"{"id":9007199254740991,"day_of_week":6,"open_time":"00:00:00","close_time":"24:00:00","is_closed":true}"#,
        #"{"id":0,"day_of_week":6,"open_time":"00:00:00","close_time":"24:00:00","is_closed":true}"#,
        #"{"id":9007199254740992,"day_of_week":1,"open_time":"09:00:00","close_time":"17:30:00","is_closed":false}"#,
        #"{"id":1,"day_of_week":7,"open_time":"09:00:00","close_time":"17:30:00","is_closed":false}"#,
        #"{"id":1,"day_of_week":-1,"open_time":"09:00:00","close_time":"17:30:00","is_closed":false}"#,
        #"{"id":1,"day_of_week":1.0,"open_time":"09:00:00","close_time":"17:30:00","is_closed":false}"#,
        #"{"id":1,"day_of_week":1,"open_time":"24:00:01","close_time":"17:30:00","is_closed":false}"#,
        #"{"id":1,"day_of_week":1,"open_time":"09:00","close_time":"17:30","is_closed":false}"#,
        #"{"id":1,"day_of_week":1,"open_time":"09:00:00","close_time":"17:60:00","is_closed":false}"#,
        #"{"id":1,"day_of_week":1,"open_time":"09:00:00","close_time":"17:30:00","is_closed":null}"#,
        #"{"id":1,"day_of_week":1,"open_time":"09:00:00","close_time":"17:30:00","is_closed":false,"id":2}"#,
        #"{"id":1,"day_of_week":1,"open_time":"09:00:00","close_time":"17:30:00"}"#,
        #"{"id":1,"day_of_week":1,"open_time":"09:00:00","close_time":"17:3"#,
    ])
    func readsItsOwnFormAsAnyOther(_ row: String) {
        let own = Self.read(row)
        let other = Self.read(row.replacing(":", with: ": ", maxReplacements: 1))
        #expect(own.hours == other.hours)
        #expect(own.hours.count == 2 || own.hours.isEmpty)
        if !own.hours.isEmpty { #expect(own.problems == other.problems) }
        #expect(own.hours.isEmpty == other.hours.isEmpty)
    }
}
