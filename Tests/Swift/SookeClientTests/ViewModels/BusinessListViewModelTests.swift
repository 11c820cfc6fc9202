import Foundation
import Testing

@testable import ClientTestSupport
@testable import SookeClient

@MainActor @Suite(.timeLimit(.minutes(20))) struct BusinessListViewModelTests {
    private let server = MockServer()
    private let clock = ManualClock()

    private func model() -> BusinessListViewModel {
        let model = BusinessListViewModel(clock: clock)
        model.apiClient = server.client
        model.timeZone = TimeZone(identifier: "America/Vancouver") ?? .current
        return model
    }

    private func page(_ names: String..., page: Int = 1, of pages: Int = 1, from id: Int = 1) -> String {
        Sample.page(names.enumerated().map { Sample.business(id + $0.offset, $0.element) }, page, of: pages)
    }

    @Test func loadingAndTheListComeInOrder() async {
        let model = model()
        async let fetched: Void = model.fetchBusinesses()
        let pending = await server.request(0)
        #expect(model.isLoading && model.isLoadingBusinesses && model.items.isEmpty)
        #expect(pending.request.target == "/api/v1/businesses?tz=America/Vancouver")
        pending.respond(200, [:], page("Pub", "Inn"))
        await fetched
        #expect(!model.isLoading && model.items.map(\.name) == ["Pub", "Inn"] && model.error == nil)
        async let categories: Void = model.fetchCategories()
        let second = await server.request(1)
        #expect(model.isLoading && model.isLoadingCategories && !model.isLoadingBusinesses)
        second.respond(200, [:], Sample.terms)
        await categories
        #expect(model.categories.map(\.slug) == ["bars", "shops"] && !model.isLoading)
    }

    @Test func anErrorLeavesTheOldContent() async {
        let model = model()
        async let first: Void = model.fetchBusinesses()
        await server.request(0).respond(200, [:], page("Pub"))
        await first
        async let second: Void = model.fetchBusinesses()
        await server.request(1).respond(500, [:], "")
        await second
        #expect((model.error as? APIError)?.statusCode == 500 && model.items.map(\.name) == ["Pub"] && !model.isLoading)
        async let third: Void = model.fetchBusinesses()
        let pending = await server.request(2)
        #expect(model.error == nil && model.items.map(\.name) == ["Pub"], "until the new content arrives")
        pending.respond(200, [:], page("Inn"))
        await third
        #expect(model.items.map(\.name) == ["Inn"])
    }

    /// Three letters are one request, 300 ms after the last one.
    @Test func aSearchWaitsForFurtherLetters() async {
        let model = model()
        for (number, text) in ["c", "ca", "caf"].enumerated() {
            model.searchText = text
            await clock.sleeps(number + 1)
            clock.advance(by: .milliseconds(299))
        }
        #expect(clock.durations == Array(repeating: .milliseconds(300), count: 3))
        #expect(server.requests.isEmpty && !model.isLoading)
        clock.advance(by: .milliseconds(1))
        let pending = await server.request(0)
        #expect(pending.request.target == "/api/v1/businesses?search=caf&tz=America/Vancouver")
        #expect(server.requests.count == 1)
        pending.respond(200, [:], page("Café"))
        await wait { model.items.map(\.name) == ["Café"] }
        model.searchText = "caf"
        #expect(server.requests.count == 1, "it is the same text")
    }

    @Test func clearingFetchesAtOnce() async {
        let model = model()
        model.searchText = "caf"
        await clock.sleeps(1)
        model.searchText = ""
        let pending = await server.request(0)
        #expect(pending.request.target == "/api/v1/businesses?tz=America/Vancouver", "no time has passed")
        clock.advance(by: .seconds(10))
        pending.respond(200, [:], page("Pub"))
        await wait { !model.items.isEmpty }
        #expect(server.requests.count == 1, "the search was cancelled")
    }

    /// A search that is overtaken is cancelled: it is neither an error nor a result, whichever response comes first.
    @Test(arguments: [true, false])
    func aCancelledSearchIsNothing(respondsLate: Bool) async {
        let model = model()
        model.searchText = "a"
        await clock.sleeps(1)
        clock.advance(by: .milliseconds(300))
        let first = await server.request(0)
        model.searchText = "ab"
        await clock.sleeps(2)
        if respondsLate { first.respond(200, [:], page("old")) }
        clock.advance(by: .milliseconds(300))
        let second = await server.request(1)
        second.respond(200, [:], page("new"))
        await wait { !model.items.isEmpty && !model.isLoading }
        #expect(model.items.map(\.name) == ["new"] && model.error == nil)
        if !respondsLate { first.fail(URLError(.timedOut)) }
        #expect(model.items.map(\.name) == ["new"] && model.error == nil)
    }

    /// Two requests are in flight, of which only the newer one counts.
    @Test(arguments: [true, false])
    func whoFetchesSeesTheNewest(newestEndsFirst: Bool) async {
        let model = model()
        model.selectCategory(Category(id: 1, name: "Bars", slug: "bars"))
        let older = await server.request(0)
        let task = Task {
            await model.fetchBusinesses()
            return (model.items.map(\.name), model.isLoading)
        }
        let requests = [older, await server.request(1)]
        for index in newestEndsFirst ? [1, 0] : [0, 1] { requests[index].respond(200, [:], page("\(index)")) }
        let (names, isLoading) = await task.value
        #expect(names == ["1"] && !isLoading)
    }

    @Test func pagesAreAppended() async {
        let model = model()
        await model.fetchNextPage()
        #expect(server.requests.isEmpty, "there is no first page")
        async let first: Void = model.fetchBusinesses()
        await server.request(0).respond(200, [:], page("a", "b", of: 2))
        await first
        #expect(model.hasMore && model.pagination?.totalPages == 2)
        async let second: Void = model.fetchNextPage()
        let pending = await server.request(1)
        #expect(!model.isLoading && model.items.count == 2, "the list stays")
        #expect(pending.request.target.hasSuffix("&page=2"))
        // A business that moved to the next page is not shown twice.
        pending.respond(200, [:], page("b", "c", page: 2, of: 2, from: 2))
        await second
        #expect(model.items.map(\.name) == ["a", "b", "c"] && !model.hasMore)
        await model.fetchNextPage()
        #expect(server.requests.count == 2)
    }
}
