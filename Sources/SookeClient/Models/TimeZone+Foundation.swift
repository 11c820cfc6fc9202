import Bytes
import Foundation
import SookeModel

extension SookeModel.TimeZone {
    /// A zone of Foundation, with its changes from a moment to some years after another.
    init(_ zone: Foundation.TimeZone, from start: Timestamp, years: Int, after now: Timestamp) {
        func date(_ moment: Timestamp) -> Date { Date(timeIntervalSince1970: TimeInterval(moment.seconds)) }
        let end = date(now).addingTimeInterval(TimeInterval(years) * 366 * 86_400)
        var changes: [(moment: Timestamp, offset: Int)] = []
        // A day earlier, because a start is looked up by the time on the clocks.
        var last = date(start).addingTimeInterval(-2 * 86_400)
        let first = zone.secondsFromGMT(for: last)
        while last < end, let change = zone.nextDaylightSavingTimeTransition(after: last), change > last {
            let moment = Timestamp(seconds: Int(change.timeIntervalSince1970))
            changes.append((moment, zone.secondsFromGMT(for: change)))
            last = change
        }
        self.init(name: zone.identifier, firstOffset: first, changes: changes)
    }
}
