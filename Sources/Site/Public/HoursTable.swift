import Bytes
import SookeModel
import Store

/// The hours of a business: today first, then the next six days, then special days with their reasons.
enum HoursTable {
    /// How far ahead special days are shown, in days, and how many.
    private static let (ahead, mostSpecial) = (90, 8)

    static func of(_ business: BusinessRecord, _ view: View) -> HTML {
        let today = view.words.today
        let days = (0..<7).map { today.advanced(by: $0) }
        let hours = days.map { (date: $0, day: business.openDay(on: $0, at: view.hours)) }
        guard hours.contains(where: { $0.day.isKnown }) else {
            let hasPhone = business.value.phone.flatMap(Link.init(phone:)) != nil
            return #"<p class="soft">No hours listed yet.\#(hasPhone ? " Call before you go." : "")</p>"#
        }
        let rows = hours.map { Row(from: $0.date, to: $0.date, day: $0.day) }
        return """
            <table class="week"><tbody>\(each: rows + special(business, after: days[6], view), { row($0, view.words) })\
            </tbody></table>
            """
    }

    /// Some days in a row with the same hours.
    private struct Row {
        let from: CivilDate
        /// The last one; nil when they go on after the days that are looked at.
        var to: CivilDate?
        let day: OpenDay
    }

    private static func row(_ row: Row, _ words: Words) -> HTML {
        let ahead = row.from.daysSinceEpoch - words.today.daysSinceEpoch
        let doubt = row.day.unconfirmed.map { Words.unconfirmed(for: [$0]) }
        let remark = [row.day.comment, doubt ?? ""].compactMap(\.shown).joined(separator: " · ")
        let isSpecial = doubt != nil || ahead > 0 && row.day.isSpecial
        let style = ahead == 0 ? isSpecial ? "today special" : "today" : isSpecial ? "special" : "usual"
        return """
            <tr class="\(style)"><th scope="row"><b\(attribute: "class=\"screen\"", if: ahead == 0)>\
            \(name(of: row, ahead: ahead, words))</b>\
            \(if: ahead == 0, "<span class=\"paper\">\(Words.weekdays[row.from.dayOfWeek])</span>")</th>\
            <td class="n">\(if: doubt, { _ in "usually " })\(times(of: row.day))\(if: remark.shown, { reason in
                #"<br><span class="small reason" dir="auto">\#(reason)</span>"#
            })</td></tr>
            """
    }

    private static func name(of row: Row, ahead: Int, _ words: Words) -> String {
        switch ahead {
        case 0: "Today"
        case 1..<7: Words.weekdays[row.from.dayOfWeek]
        case _ where row.from == row.to: words.shortDate(row.from)
        default:
            row.to.map { "\(unbroken(words.shortDate(row.from))) – \(unbroken(words.shortDate($0)))" }
                ?? "From \(words.shortDate(row.from))"
        }
    }

    /// A text that stays on one line.
    private static func unbroken(_ text: String) -> String { String(text.map { $0 == " " ? "\u{A0}" : $0 }) }

    /// The spans of a day, one a line.
    private static func times(of day: OpenDay) -> HTML {
        if !day.isKnown { return "unknown" }
        if day.spans.isEmpty { return "closed" }
        let spans = day.spans.map { $0.isOpenEnded ? "from \(Words.time($0.start))" : Words.span($0.start, $0.end) }
        return "\(each: spans.dropLast(), { "\($0)<br>" })\(spans[spans.count - 1])"
    }

    /// The days after the week whose hours are special.
    private static func special(_ business: BusinessRecord, after week: CivilDate, _ view: View) -> [Row] {
        if business.value.specialHours.isEmpty { return [] }
        var rows: [Row] = []
        for days in 1...(ahead + 1) {
            let date = week.advanced(by: days)
            let day = business.openDay(on: date, at: view.hours)
            guard day.isSpecial else { continue }
            if let last = rows.last, last.day == day, last.to?.advanced(by: 1) == date {
                // The day after the last one says whether it is the end.
                rows[rows.count - 1].to = days > ahead ? nil : date
            } else if rows.count < mostSpecial, days <= ahead {
                rows.append(Row(from: date, to: date, day: day))
            } else {
                break
            }
        }
        return rows
    }
}
