import Foundation
import Observation
import Testing

@testable import SookeClient

/// When those who observe a model hear of its changes.
@MainActor @Suite(.timeLimit(.minutes(20))) struct ObservationTests {
    private let model = BusinessListViewModel()

    private func show(_ names: String...) {
        model.items = names.enumerated().map { id, name in
            Business(
                id: Int64(id), name: name, slug: "b\(id)", categoryName: "Bars", categorySlug: "bars", address: "1 A",
                latitude: 48, longitude: -123)
        }
    }

    private var names: [String] { model.items.map(\.name) }

    /// Tracking reports one change, before it is made: who wants the next one must ask again.
    @Test func trackingTellsOnceAndBeforeTheChange() {
        let heard = Heard()
        func track() {
            withObservationTracking {
                _ = names
            } onChange: {
                MainActor.assumeIsolated { heard.names.append(names) }
            }
        }
        track()
        show("Pub")
        #expect(heard.names == [[]], "the names before the change")
        show("Pub", "Inn")
        #expect(heard.names == [[]], "the second change is not reported")
        track()
        show("Café")
        #expect(heard.names == [[], ["Pub", "Inn"]])
        track()
        model.searchText = "c"
        #expect(heard.names.count == 2, "only what was read is observed")
    }

    /// The sequence yields the value after the changes of a turn of the main actor, again and again.
    @Test func observationsYieldAfterTheChange() async {
        let lists = Observations { [model] in model.items.map(\.name) }
        var iterator = lists.makeAsyncIterator()
        #expect(await iterator.next() == [], "the first value is that of now")
        for list in [["Pub", "Inn"], ["Café", "Bar"]] {
            Task {
                show(list[0])
                show(list[0], list[1])
            }
            #expect(await iterator.next() == list)
        }
    }
}

@MainActor private final class Heard {
    var names: [[String]] = []
}
