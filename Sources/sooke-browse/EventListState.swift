import Foundation
import Observation
import SookeClient

/// What the list of events shows, kept while the other list is shown.
@MainActor @Observable final class EventListState {
    let model = EventListViewModel()
    var selection: EventDetails.ID?
    /// The newest answer of the server, which may be for another question.
    var found: ServerSearch?

    /// What the server is asked.
    func question(isLive: Bool) -> ServerSearch.Question {
        ServerSearch.Question(
            path: APIPath.events, text: model.searchText,
            filter: model.selectedEventType.map { URLQueryItem(name: "type", value: $0.slug) }, isLive: isLive)
    }

    /// The events that are shown.
    func items(_ browser: Browser) -> [EventDetails] {
        guard !model.searchText.isEmpty else { return model.items }
        let town = browser.town
        let local = town.replica.events(about: model.searchText, type: model.selectedEventType?.slug, at: town.moment)
        guard let found, found.question == question(isLive: browser.isLive) else { return local }
        return found.merged(with: local) { town.replica.event(id: $0, at: town.moment) }
    }

    /// Whether not all events are wanted.
    var isNarrowed: Bool { !model.searchText.isEmpty || model.selectedEventType != nil }

    /// Shows a type of events, or all.
    func select(_ type: EventType?) {
        (model.searchText, selection) = ("", nil)
        model.selectEventType(type)
    }
}
