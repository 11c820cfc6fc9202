import Foundation
import Testing

@testable import ClientTestSupport
@testable import SookeClient

@MainActor @Suite(.timeLimit(.minutes(20))) struct EventListViewModelTests {
    private let server = MockServer()
    private let clock = ManualClock()

    private func model() -> EventListViewModel {
        let model = EventListViewModel(clock: clock)
        model.apiClient = server.client
        return model
    }

    @Test func queriesWithTypeAndSearch() async {
        let model = model()
        model.selectEventType(EventType(id: 1, name: "Sports", slug: "sports"))
        let first = await server.request(0)
        #expect(first.request.target == "/api/v1/events?type=sports")
        model.searchText = "reg"
        await clock.sleeps(1)
        clock.advance(by: .milliseconds(300))
        let second = await server.request(1)
        #expect(second.request.target == "/api/v1/events?search=reg&type=sports")
        second.respond(200, [:], Sample.page([Sample.event(1, "Regatta")]))
        await wait { !model.items.isEmpty && !model.isLoading }
        first.respond(200, [:], Sample.page([Sample.event(2, "old")]))
        #expect(model.items.map(\.name) == ["Regatta"] && model.error == nil)
        #expect(model.items[0].startTime == "2035-05-01T16:00:00Z" && model.items[0].latitude == nil)
    }

    @Test func errorsAndLeaving() async {
        let model = model()
        async let failed: Void = model.fetchEvents()
        await server.request(0).fail(URLError(.notConnectedToInternet))
        await failed
        #expect((model.error as? URLError)?.code == .notConnectedToInternet && !model.isLoading)
        model.selectEventType(nil)
        _ = await server.request(1)
        model.leave()
        await wait { !model.isLoading }
        #expect(model.error == nil)
    }
}
