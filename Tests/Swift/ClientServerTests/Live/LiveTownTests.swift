import Foundation
import Observation
import Testing

@testable import ClientTestSupport
@testable import SookeClient

@Suite(.timeLimit(.minutes(20))) @MainActor struct LiveTownTests {
    private let server: StreamServer
    private let clock = ManualClock()
    private let folder: LiveFolder
    private var file: URL { folder.url.appending(path: "town.json") }

    init() throws {
        server = try StreamServer()
        folder = try LiveFolder()
    }

    private func town(savedIn file: URL? = nil) -> LiveTown {
        LiveTown(client: server.client, file: file, clock: clock, random: { 0 }) {
            Date(timeIntervalSince1970: 1_800_000_000)
        }
    }

    /// Follows while the body runs.
    private func following(_ town: LiveTown, _ body: () async throws -> Void) async throws {
        let task = Task { await town.follow() }
        do {
            try await body()
        } catch {
            task.cancel()
            throw error
        }
        task.cancel()
        await task.value
    }

    @Test func savesOnceASecondAndAtTheEnd() async throws {
        let town = town(savedIn: file)
        let saved = ReplicaFile(file, for: server.client)
        try await following(town) {
            let exchange = await server.next()
            exchange.open()
            exchange.send(FeedText.reset + FeedText.category(1, "a") + FeedText.bookmark("5"))
            await wait { town.replica.position == "5" }
            #expect(try saved.load() == nil)
            await clock.sleepsUntilAdvanced(by: .seconds(1))
            while try saved.load() == nil { await Task.yield() }
            exchange.send(FeedText.category(2, "b", at: "6"))
            await wait { town.replica.position == "6" }
            #expect(try saved.load()?.position == "5", "a second has not passed")
            await town.follow()  // It follows already.
        }
        #expect(try saved.load()?.position == "6")
    }

    @Test func continuesFromTheFile() async throws {
        var replica = TownReplica()
        let text = #"[{"kind":"category","action":"created","id":1,"record":{"id":1,"name":"a","slug":"a"}}]"#
        let changes = try JSONDecoder().decode([Change].self, from: Data(text.utf8))
        _ = replica.apply(.whole(changes, position: "5"), at: Date(timeIntervalSince1970: 1_799_999_800))
        try ReplicaFile(file, for: server.client).save(replica)
        let town = town(savedIn: file)
        try await following(town) {
            let exchange = await server.next()
            #expect(exchange.position == "5")
            #expect(town.replica == replica && !town.isLoading)
            #expect(town.updatedText(at: town.moment) == "updated 3 minutes ago")
            exchange.open()
            exchange.send(FeedText.bookmark("6"))
            await wait { town.updatedText(at: town.moment) == "updated just now" }
            if case .live = town.state {} else { Issue.record("\(town.state)") }
        }
        #expect(try ReplicaFile(file, for: server.client).load()?.position == "6")
    }

    // MARK: - View models

    @Test func selectionsFollowTheID() async throws {
        let town = town()
        let (list, events, map) = (BusinessListViewModel(), EventListViewModel(), MapViewModel())
        (list.town, events.town, map.town) = (town, town, town)
        try await following(town) {
            let exchange = await server.next()
            exchange.open()
            exchange.send(FeedText.reset + FeedText.category(1, "a") + FeedText.category(2, "b"))
            exchange.send(FeedText.bookmark("5"))
            await wait { list.categories.count == 2 }
            list.selectCategory(list.categories[0])
            map.selectCategory(map.categories[1])
            exchange.send(FeedText.category(1, "z", "updated", slug: "zz", at: "6"))
            await wait { list.selectedCategory?.slug == "zz" }
            #expect(list.selectedCategory?.name == "z" && map.selectedCategory?.name == "b")
            exchange.send(FeedText.category(1, nil, "deleted", at: "7"))
            await wait { list.selectedCategory == nil }
            #expect(map.categories.map(\.name) == ["b"] && map.selectedCategory?.id == 2)
        }
    }

    @Test func fetchesOnlyWhatTheTownDoesNotContain() async throws {
        let town = town()
        let mock = MockServer { _ in (200, Sample.business(7, "New Name")) }
        let (list, detail) = (BusinessListViewModel(), BusinessDetailViewModel())
        (list.town, detail.town, list.apiClient, detail.apiClient) = (town, town, mock.client, mock.client)
        try await following(town) {
            let exchange = await server.next()
            exchange.open()
            let record = Sample.business(7, "New Name").replacing("\n", with: "")
            let text = #"{"kind":"business","action":"created","id":7,"slug":"b7","record":\#(record)}"#
            exchange.send(FeedText.reset + FeedText.event("business", text) + FeedText.bookmark("5"))
            await wait { town.replica.position == "5" }
            await list.fetchBusinesses()
            await list.fetchCategories()
            await detail.fetchBusinessDetails(slug: "b7")
            #expect(mock.targets == [] && detail.businessDetails?.name == "New Name")
            await detail.fetchBusinessDetails(slug: "former-slug")
            #expect(mock.targets == ["/api/v1/businesses/former-slug"])
            #expect(detail.businessDetails?.name == "New Name")
            exchange.send(
                FeedText.event(
                    "business", text.replacing("New Name", with: "Newer").replacing("created", with: "updated"), "6"))
            await wait { detail.businessDetails?.name == "Newer" }
            exchange.send(FeedText.event("business", #"{"kind":"business","action":"deleted","id":7}"#, "7"))
            await wait { detail.businessDetails == nil }
            #expect(list.items == [] && detail.error == nil)
        }
    }
}
