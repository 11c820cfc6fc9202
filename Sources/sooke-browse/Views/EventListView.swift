import Foundation
import Observation
import SookeClient
import ViewTree

/// The events of the town by day, and the selected one below or beside them.
struct EventListView: View {
    @Environment(Browser.self) private var browser
    let state: EventListState
    @State private var isSearching = false
    @State private var isChoosing = false
    @State private var opened: OpenedRecord?

    var body: some View {
        let items = state.items(browser)
        let selected = items.first { $0.id == state.selection } ?? items.first
        VStack {
            SearchLine(
                text: Bindable(wrappedValue: state.model).searchText, isSearching: $isSearching,
                found: count(items))
            if let error = state.model.error { Text(browser.describe(error)).foregroundStyle(.warning) }
            if items.isEmpty {
                EmptyText(isSearch: state.isNarrowed)
                Spacer()
            } else {
                ListWithDetail {
                    List(EventRow.rows(of: items), selection: selection(selected)) { EventLine(row: $0) }
                } preview: {
                    if let selected { EventPreview(event: selected) }
                } detail: {
                    if let id = opened?.id ?? selected?.id { EventDetail(event: id, isActive: opened != nil).id(id) }
                }
            }
            Divider()
            if browser.size.isWide, opened != nil { EventDetailKeys { opened = nil } } else { keys(selected) }
        }
        .navigationTitle(state.model.selectedEventType?.name ?? "Events")
        .task(id: ObjectIdentifier(browser.town)) { state.model.town = browser.town }
        .task(id: state.question(isLive: browser.isLive)) {
            let question = state.question(isLive: browser.isLive)
            if let answer = await ServerSearch.ask(question, browser.currentClient) { state.found = answer }
        }
        .sheet(item: $opened.unless(browser.size.isWide)) { EventDetailView(event: $0.id) }
        .sheet(isPresented: $isChoosing) {
            ChoiceView(
                title: "Types of events", all: "all types", choices: browser.town.replica.eventTypes,
                selected: state.model.selectedEventType?.id, name: \.name, choose: state.select)
        }
    }

    /// The first row, while the selected one is not in the list.
    private func selection(_ selected: EventDetails?) -> Binding<EventDetails.ID?> {
        Binding {
            selected?.id
        } set: {
            state.selection = $0
        }
    }

    private func count(_ items: [EventDetails]) -> String {
        if state.isNarrowed { return "\(items.count) found" }
        return items.count == 1 ? "1 event" : "\(items.count) events"
    }

    private func keys(_ selected: EventDetails?) -> some View {
        KeyLine(isSearching: isSearching) {
            Button("open", key: .enter) { opened = selected.map { OpenedRecord(id: $0.id) } }
            Button("search", key: .character("/")) { isSearching = true }
        } more: {
            Button("type", key: .character("c")) { isChoosing = true }
            Button("businesses", key: .character("b")) { browser.section = .businesses }
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

/// A row of the list: when and what, and where, if there is room and no detail that says it.
private struct EventLine: View {
    @Environment(Browser.self) private var browser
    let row: EventRow

    var body: some View {
        HStack {
            Text(row.day).foregroundStyle(.accent).frame(width: 10)
            Text(row.time).frame(width: 8)
            Text(row.event.name)
            Spacer()
            if !browser.size.isNarrow, !browser.size.isWide {
                Text(row.place).foregroundStyle(.secondary).frame(width: 22)
            }
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

/// What the list of events shows, kept while the other list is shown.
@MainActor @Observable final class EventListState {
    let model = EventListViewModel()
    var selection: EventDetails.ID?
    /// The newest answer of the server, which may be for another question.
    var found: ServerSearch?

    func question(isLive: Bool) -> ServerSearch.Question {
        ServerSearch.Question(
            path: APIPath.events, text: model.searchText,
            filter: model.selectedEventType.map { URLQueryItem(name: "type", value: $0.slug) }, isLive: isLive)
    }

    func items(_ browser: Browser) -> [EventDetails] {
        guard !model.searchText.isEmpty else { return model.items }
        let town = browser.town
        let local = town.replica.events(about: model.searchText, type: model.selectedEventType?.slug, at: town.moment)
        guard let found, found.question == question(isLive: browser.isLive) else { return local }
        return found.merged(with: local) { town.replica.event(id: $0, at: town.moment) }
    }

    /// Whether not all events are wanted.
    var isNarrowed: Bool { !model.searchText.isEmpty || model.selectedEventType != nil }

    func select(_ type: EventType?) {
        (model.searchText, selection) = ("", nil)
        model.selectEventType(type)
    }
}
