import Foundation
import Testing

@testable import ClientTestSupport
@testable import SookeClient

/// The details of a business and of an event, and the map.
@MainActor @Suite(.timeLimit(.minutes(20))) struct DetailViewModelTests {
    private let server = MockServer()

    @Test func aBusiness() async {
        let model = BusinessDetailViewModel()
        await model.fetchBusinessDetails(slug: "b1")
        #expect(server.requests.isEmpty)
        model.apiClient = server.client
        async let first: Void = model.fetchBusinessDetails(slug: "a/b é")
        let pending = await server.request(0)
        #expect(model.isLoading && pending.request.target == "/api/v1/businesses/a%2Fb%20%C3%A9")
        pending.respond(200, [:], Sample.business(1, "Pub"))
        await first
        #expect(model.businessDetails?.name == "Pub" && !model.isLoading)
        async let again: Void = model.fetchBusinessDetails(slug: "a/b é")
        let second = await server.request(1)
        #expect(model.businessDetails?.name == "Pub", "it stays while it is refreshed")
        second.respond(404, [:], Sample.notFound)
        await again
        #expect(model.error?.localizedDescription == "there is no such business")
        async let other: Void = model.fetchBusinessDetails(slug: "b2")
        let third = await server.request(2)
        #expect(model.businessDetails == nil && model.error == nil, "another one is not shown in its place")
        third.respond(200, [:], Sample.business(2, "Inn"))
        await other
        #expect(model.businessDetails?.id == 2)
    }

    @Test func anEvent() async {
        let model = EventDetailViewModel()
        model.apiClient = server.client
        async let first: Void = model.fetchEventDetails(slug: "e1")
        let old = await server.request(0)
        async let second: Void = model.fetchEventDetails(slug: "e2")
        await server.request(1).respond(200, [:], Sample.event(2, "Regatta"))
        await second
        old.respond(200, [:], Sample.event(1, "old"))
        await first
        #expect(model.eventDetails?.name == "Regatta" && model.error == nil && !model.isLoading)
        let task = Task { await model.fetchEventDetails(slug: "e3") }
        _ = await server.request(2)
        task.cancel()
        await task.value
        #expect(model.error == nil && !model.isLoading)
    }

    @Test func theMapHasAllPages() async {
        let model = MapViewModel()
        model.apiClient = server.client
        model.timeZone = TimeZone(identifier: "America/Vancouver") ?? .current
        async let fetched: Void = model.fetchBusinesses()
        let first = await server.request(0)
        #expect(first.request.target == "/api/v1/businesses?tz=America/Vancouver&page=1&per_page=100")
        #expect(model.isLoadingBusinesses)
        first.respond(
            200, [:], Sample.page([Sample.business(1, "Pub"), Sample.business(2, "Shop", category: "shops")], 1, of: 2))
        let second = await server.request(1)
        #expect(model.businesses.isEmpty, "the map is shown as a whole")
        second.respond(200, [:], Sample.page([Sample.business(3, "Inn")], 2, of: 2))
        await fetched
        #expect(model.businesses.map(\.id) == [1, 2, 3] && !model.isLoadingBusinesses)
        let bars = Category(id: 1, name: "Bars", slug: "bars")
        model.selectedBusiness = model.businesses[1]
        model.selectCategory(bars)
        #expect(model.filteredBusinesses.map(\.id) == [1, 3] && model.selectedBusiness == nil)
        model.selectedBusiness = model.businesses[0]
        model.selectCategory(bars)
        #expect(model.selectedBusiness?.id == 1)
        model.selectCategory(nil)
        #expect(model.filteredBusinesses.count == 3 && model.selectedBusiness?.id == 1)
        async let categories: Void = model.fetchCategories()
        await server.request(2).respond(500, [:], "")
        await categories
        #expect((model.error as? APIError)?.statusCode == 500 && model.businesses.count == 3)
    }
}
