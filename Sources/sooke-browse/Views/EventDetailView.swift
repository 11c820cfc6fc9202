import Foundation
import SookeClient
import ViewTree

/// An event with its times, its place and its description.
struct EventDetailView: View {
    @Environment(\.dismiss) private var dismiss
    @State private var line: Int?
    /// nil when it is no longer in the calendar.
    let event: EventDetails?

    private struct Line: Identifiable {
        let id: Int
        let text: String
        let role: TextStyle.Role
    }

    var body: some View {
        VStack {
            if let event {
                HStack {
                    Text(event.name).bold()
                    Spacer()
                    if event.status != "approved" {
                        Text(event.status.split(separator: "_").joined(separator: " ")).foregroundStyle(.warning)
                    }
                }
                Divider()
                List(Self.lines(of: event), selection: $line.or(0)) { Text($0.text).foregroundStyle($0.role) }
            } else {
                Text("This event is no longer in the calendar.").foregroundStyle(.warning)
            }
            Spacer()
            Divider()
            HStack {
                Text("↑↓ move")
                Button("back", key: .escape) { dismiss() }
            }
        }
    }

    private static func lines(of event: EventDetails) -> [Line] {
        var texts: [(String, TextStyle.Role)] = [(times(of: event), .accent)]
        if event.series != nil { texts.append(("It takes place more than once; this is the next time.", .secondary)) }
        let about = [event.eventTypeName, event.businessName, coordinates(of: event)]
        texts += about.compactMap(\.self).map { ($0, .secondary) }
        let paragraphs = (event.description ?? "").split(separator: "\n", omittingEmptySubsequences: false)
        if !paragraphs.isEmpty { texts.append(("", .primary)) }
        texts += paragraphs.map { (String($0), .primary) }
        return texts.enumerated().map { Line(id: $0.offset, text: $0.element.0, role: $0.element.1) }
    }

    private static func coordinates(of event: EventDetails) -> String? {
        guard let latitude = event.latitude, let longitude = event.longitude else { return nil }
        return "\(latitude), \(longitude)"
    }

    /// `Fri 1 Jun 7:00 pm – 9:00 pm`.
    private static func times(of event: EventDetails) -> String {
        guard let start = event.startTime.date else { return event.startTime }
        let text = "\(Moment.day(start)) \(Moment.time(start))"
        guard let end = event.endTime.date, end != start else { return text }
        let day = Moment.day(end) == Moment.day(start) ? "" : "\(Moment.day(end)) "
        return "\(text) – \(day)\(Moment.time(end))"
    }
}
