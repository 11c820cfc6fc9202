/// Opening hours as people write them in spreadsheets and on signs: `Mon-Fri 9-5, Sat 10-4, closed Sun`.
///
/// ```swift
/// try HoursNotation.hours("Weekdays 9am to noon").text  // Mo-Fr 09:00-12:00
/// try HoursNotation.times("9-12 & 1-5")                 // of one day, 09:00-12:00 and 13:00-17:00
/// ```
///
/// Days come before or after their times, in any order; a day that is not named is closed, but some day must be open. The
/// times of a day that is named twice add up, unless they overlap. `PH open` is what a holiday is without it, and `by
/// appointment` and `Sun open` are not known, with that remark. What can mean two things is refused. A time without `am`
/// or `pm` is understood when
/// - it is written as on a clock with 24 hours, with a leading zero, an hour from 13 or an `h`: `09:00-17:00`, `10-18`;
/// - the end is not after the start, and in the afternoon: `9-5` and `9:00-5:00` are 09:00-17:00;
/// - the start is from 1 to 5: `1-5` is 13:00-17:00, `5-12` ends at midnight;
/// - it ends at noon, or an afternoon follows: `9-12`, `8-11, 1-5`. `7-11` and `6-10pm` are refused.
public enum HoursNotation {
    /// The hours of a week.
    public static func hours(_ text: String) throws(OpeningHoursError) -> OpeningHours {
        do throws(OpeningHoursError) {
            var parser = try HoursNotationParser(text)
            return OpeningHours(rules: try parser.week())
        } catch {
            throw error.advised(about: text)
        }
    }

    /// The times of one day; none when it is closed.
    public static func times(_ text: String) throws(OpeningHoursError) -> [TimeSpan] {
        do throws(OpeningHoursError) {
            var parser = try HoursNotationParser(text)
            return try parser.day()
        } catch {
            throw error.advised(about: text)
        }
    }
}
