import Foundation
import SookeClient
import ViewTree

/// The events of the town by day.
struct EventListView: View {
    @Environment(Browser.self) private var browser
    @State private var model = EventListViewModel()
    @State private var selection: EventDetails.ID?
    @State private var isSearching = false
    @State private var isChoosing = false
    @State private var opened: OpenedRecord?

    var body: some View {
        let rows = EventRow.rows(of: model.items)
        let selected = model.items.first { $0.id == selection } ?? model.items.first
        VStack {
            SearchLine(
                text: Bindable(wrappedValue: model).searchText, isSearching: $isSearching, found: "\(rows.count) found")
            if let error = model.error { Text(browser.describe(error)).foregroundStyle(.warning) }
            if rows.isEmpty { EmptyText(isSearch: !model.searchText.isEmpty || model.selectedEventType != nil) }
            List(rows, selection: $selection.or(model.items.first?.id)) { row in
                HStack {
                    Text(row.day).foregroundStyle(.accent).frame(width: 10)
                    Text(row.time).frame(width: 8)
                    Text(row.event.name)
                    Spacer()
                    Text(row.place).foregroundStyle(.secondary).frame(width: 22)
                }
            }
            Spacer()
            if let selected { EventPreview(event: selected) }
            Divider()
            KeyLine(isSearching: isSearching) {
                Button("open", key: .enter) { opened = selected.map { OpenedRecord(slug: $0.slug) } }
                Button("search", key: .character("/")) { isSearching = true }
                Button(model.selectedEventType?.name ?? "type", key: .character("c")) { isChoosing = true }
                Button("businesses", key: .character("b")) { browser.section = .businesses }
            }
        }
        .navigationTitle(model.selectedEventType?.name ?? "Events")
        .task(id: ObjectIdentifier(browser.town)) { model.town = browser.town }
        .sheet(isPresented: $isChoosing) {
            ChoiceView(
                title: "Types of events", all: "all types", choices: browser.town.replica.eventTypes,
                selected: model.selectedEventType?.id, name: \.name
            ) { type in
                (model.searchText, selection) = ("", nil)
                model.selectEventType(type)
            }
        }
        .sheet(item: $opened) { opened in
            EventDetailView(event: model.items.first { $0.slug == opened.slug })
        }
    }
}

/// An event in a list; the first one of a day names the day.
private struct EventRow: Identifiable {
    let event: EventDetails
    let day: String
    let time: String
    var id: EventDetails.ID { event.id }

    var place: String { event.status == "cancelled" ? "cancelled" : event.businessName ?? event.eventTypeName }

    static func rows(of events: [EventDetails]) -> [EventRow] {
        var last = ""
        return events.map { event in
            let date = event.startTime.date
            let day = date.map { Moment.day($0) } ?? "?"
            defer { last = day }
            return EventRow(event: event, day: day == last ? "" : day, time: date.map { Moment.time($0) } ?? "")
        }
    }
}

/// The selected event, in a few lines.
private struct EventPreview: View {
    let event: EventDetails

    var body: some View {
        let place = [event.eventTypeName, event.businessName].compactMap(\.self).joined(separator: " · ")
        Divider()
        Text(event.name).bold()
        HStack { Text(place).foregroundStyle(.secondary) }
        if let description = event.description, !description.isEmpty { HStack { Text(description) } }
    }
}
