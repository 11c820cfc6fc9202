import Foundation
import SookeClient
import ViewTree

struct EventDetailView: View {
    @Environment(\.dismiss) private var dismiss
    let event: Int64

    var body: some View {
        VStack {
            EventDetail(event: event, isActive: true)
            Spacer()
            Divider()
            EventDetailKeys { dismiss() }
        }
    }
}

/// An event with its times, its place and its description.
struct EventDetail: View {
    @Environment(Browser.self) private var browser
    let event: Int64
    /// Whether it takes the keys.
    let isActive: Bool

    var body: some View {
        let town = browser.town
        if let event = town.replica.event(id: event, at: town.moment) {
            HStack {
                Text(event.name).bold()
                Spacer()
                if event.status != "approved" {
                    Text(event.status.split(separator: "_").joined(separator: " ")).foregroundStyle(.warning)
                }
            }
            Divider()
            DetailLines(texts: event.texts, isActive: isActive)
        } else if town.replica.position == nil {
            EmptyText(isSearch: false)
        } else {
            Text("This event is no longer in the calendar.").foregroundStyle(.warning)
        }
    }
}

struct EventDetailKeys: View {
    let back: () -> Void

    var body: some View {
        HStack {
            Text("↑↓ move")
            Button("back", key: .escape, action: back)
        }
    }
}

extension EventDetails {
    /// What a detail shows, line by line.
    fileprivate var texts: [(text: String, role: TextStyle.Role)] {
        var texts: [(text: String, role: TextStyle.Role)] = [(Self.times(self.startTime, self.endTime), .accent)]
        texts += [self.eventTypeName, self.businessName, coordinates].compactMap(\.self).map { ($0, .secondary) }
        if let description = self.description, !description.isEmpty {
            texts += [("", .primary), (description, .primary)]
        }
        let next = (self.occurrences ?? []).filter { $0.startsAt != self.startTime }
        if !next.isEmpty { texts += [("", .primary), ("Next times", .accent)] }
        texts += next.map { occurrence in
            let times = Self.times(occurrence.startsAt, occurrence.endsAt)
            return (occurrence.status == "cancelled" ? "\(times), cancelled" : times, .primary)
        }
        return texts
    }

    private var coordinates: String? {
        guard let latitude, let longitude else { return nil }
        return "\(latitude), \(longitude)"
    }

    /// `Fri 1 Jun 7:00 pm – 9:00 pm`.
    private static func times(_ startTime: String, _ endTime: String?) -> String {
        guard let start = startTime.date else { return startTime }
        let text = "\(Moment.day(start)) \(Moment.time(start))"
        guard let end = endTime?.date, end != start else { return text }
        let day = Moment.day(end) == Moment.day(start) ? "" : "\(Moment.day(end)) "
        return "\(text) – \(day)\(Moment.time(end))"
    }
}

/// Dates as the screen shows them, in the time zone of the terminal.
enum Moment {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// A day: "Mon 23 Nov".
    static func day(_ date: Date) -> String {
        let parts = Calendar.current.dateComponents([.weekday, .day, .month], from: date)
        return "\(days[(parts.weekday ?? 1) - 1]) \(parts.day ?? 0) \(months[(parts.month ?? 1) - 1])"
    }

    /// A time of day: "4:12 pm", "noon".
    static func time(_ date: Date) -> String {
        let parts = Calendar.current.dateComponents([.hour, .minute], from: date)
        let (hour, minute) = (parts.hour ?? 0, parts.minute ?? 0)
        let text = { (number: Int) in (number < 10 ? "0" : "") + "\(number)" }
        return "\(text(hour)):\(text(minute)):00".spoken
    }
}

extension String {
    /// The date of an RFC 3339 text in UTC; nil for other text.
    var date: Date? { try? Date(self, strategy: .iso8601) }
}
