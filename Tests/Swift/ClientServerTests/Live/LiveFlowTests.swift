import Foundation
import Testing

@testable import ClientTestSupport
@testable import SookeClient

/// The whole flow: a real server, a replica with a list and a detail, and edits by another client.
@Suite(.timeLimit(.minutes(20))) struct LiveFlowTests {
    private let pub = "the-slack-tide-pub"

    private func patch(_ server: RealServer, _ path: String, _ fields: [String: String]) async throws {
        try await server.editor.data(for: APIRequest(.patch, path, body: fields))
    }

    private func create(_ server: RealServer, _ name: String) async throws {
        struct Input: Encodable {
            let name: String
            let category = "restaurants", address = "1 Way"
            let latitude = 48.3, longitude = -123.7
        }
        try await server.editor.data(for: APIRequest(.post, APIPath.businesses, body: Input(name: name)))
    }

    @Test @MainActor func everyScreenFollows() async throws {
        let server = try RealServer()
        let town = LiveTown(client: server.client, file: server.file)
        // Neither has a client, so they cannot fetch.
        let (list, detail) = (BusinessListViewModel(), BusinessDetailViewModel())
        (list.town, detail.town) = (town, town)
        await detail.fetchBusinessDetails(slug: pub)
        #expect(list.isLoading && list.items.isEmpty && detail.businessDetails == nil)
        let following = Task { await town.follow() }
        defer { following.cancel() }
        await wait { detail.businessDetails?.name == "The Slack Tide Pub" }
        #expect(list.items.count == 40)

        try await patch(server, APIPath.business(pub), ["name": "0 Aardvark"])
        await wait { detail.businessDetails?.name == "0 Aardvark" }
        #expect(list.items.first?.name == "0 Aardvark", "sorted again at the same time")

        // The process ends without warning; what it acknowledged before is there afterwards.
        try await create(server, "Before the End")
        server.kill()
        await wait { if case .offline = town.state { true } else { false } }
        #expect(detail.businessDetails?.name == "0 Aardvark", "offline it shows what it has")
        try server.start()
        try await patch(server, APIPath.category("restaurants"), ["name": "Places to Eat"])
        try await patch(server, APIPath.business(pub), ["slug": "aardvark", "phone": "250-555-0199"])
        await wait { detail.businessDetails?.phone == "250-555-0199" }
        #expect(detail.businessDetails?.slug == "aardvark", "it follows the ID")
        #expect(detail.businessDetails?.categoryName == "Places to Eat")
        #expect(list.items.count == 41 && list.items.contains { $0.name == "Before the End" })
        #expect(list.items.first?.categoryName == "Places to Eat")
        #expect(await town.replica.hasSameRecords(as: LiveChanges.wholeVersion(server.client)))

        // Restored, the town has other commits with the sequence numbers that the client has seen.
        let moment = try server.lastCommit()
        try await patch(server, APIPath.business("aardvark"), ["name": "Lost"])
        try await create(server, "Lost Too")
        await wait { list.items.contains { $0.name == "Lost Too" } }
        try server.restore(moment)
        try await create(server, "After the Restore")
        try await create(server, "Later")
        await wait { list.items.contains { $0.name == "Later" } }
        #expect(detail.businessDetails?.name == "0 Aardvark")
        #expect(!list.items.contains { $0.name.hasPrefix("Lost") })

        list.searchText = "RESTORE"
        #expect(list.items.map(\.name) == ["After the Restore"])
        try await server.editor.data(for: APIRequest(.delete, APIPath.business("aardvark")))
        await wait { detail.businessDetails == nil }

        let whole = await LiveChanges.wholeVersion(server.client)
        #expect(town.replica.hasSameRecords(as: whole))

        following.cancel()
        await following.value
        #expect(town.fileProblem == nil, "\(town.fileProblem as Any)")
        server.kill()
        try await showsTheFile(of: server, whole)
    }

    /// The next start shows what was saved, and then tries to reach the server.
    @MainActor private func showsTheFile(of server: RealServer, _ whole: TownReplica) async throws {
        let town = LiveTown(client: server.client, file: server.file)
        let list = BusinessListViewModel()
        list.town = town
        let following = Task { await town.follow() }
        await wait { if case .offline = town.state { true } else { false } }
        #expect(town.fileProblem == nil, "\(town.fileProblem as Any)")
        #expect(town.replica.hasSameRecords(as: whole) && town.replica.position == whole.position)
        #expect(list.items.count == whole.businesses().count && list.error == nil)
        #expect(town.updatedText(at: town.moment)?.hasPrefix("updated ") == true)
        try server.start()
        await wait { if case .live = town.state { true } else { false } }
        #expect(town.replica.hasSameRecords(as: whole))
        following.cancel()
        await following.value
    }

    /// The lists of a replica and its searches are those of the server, in the same order.
    @Test func listsAreThoseOfTheServer() async throws {
        let server = try RealServer("--now", "2026-12-20T12:00:00-08:00")
        let names = ["ÉCLAIR the Second", "éclair the first", "E-clair", "100% Wool", "Éclair Co-op"]
        for name in names { try await create(server, name) }
        let now = try Date("2026-12-20T20:00:00Z", strategy: .iso8601)
        let zone = try #require(TimeZone(identifier: "America/Vancouver"))
        let (client, replica) = (server.client, await LiveChanges.wholeVersion(server.client))
        for search in ["", "the", "É", "%", "MARKET", "zzz"] {
            let query = [URLQueryItem("search", unlessEmpty: search)].compactMap(\.self)
            for category in [nil, "restaurants", "none"] {
                let parameters = query + [URLQueryItem("category", unlessEmpty: category)].compactMap(\.self)
                let businesses: [Business] = try await client.getAll(APIPath.businesses, queryItems: parameters)
                #expect(replica.businesses(matching: search, category: category, in: zone, at: now) == businesses)
                #expect(!businesses.isEmpty || !search.isEmpty || category == "none")
            }
            for type in [nil, "farmers-market", "none"] {
                let parameters = query + [URLQueryItem("type", unlessEmpty: type)].compactMap(\.self)
                let events: [EventDetails] = try await client.getAll(APIPath.events, queryItems: parameters)
                #expect(replica.events(matching: search, type: type, in: zone, at: now) == events)
                #expect(!events.isEmpty || !search.isEmpty || type == "none")
            }
        }
        let categories: ListResponse<SookeClient.Category> = try await client.get(APIPath.categories)
        let types: EventTypeListResponse = try await client.get(APIPath.eventTypes)
        #expect(replica.categories == categories.items && replica.eventTypes == types.items)
        for business in replica.businesses() {
            let details: BusinessDetails = try await client.get(APIPath.business(business.slug))
            #expect(replica.business(slug: business.slug, in: zone, at: now) == details)
        }
        for event in replica.events(in: zone, at: now) {
            let details: EventDetails = try await client.get(APIPath.event(event.slug))
            #expect(replica.event(slug: event.slug, in: zone, at: now) == details)
        }
        // So are the results of a search.
        // After its start, a server makes the index of the words.
        let probe = APIRequest(.get, APIPath.businesses, queryItems: [URLQueryItem("q", "a")])
        while (try? await client.data(for: probe)) == nil { try await Task.sleep(for: .milliseconds(20)) }
        var count = 0
        for text in [
            "slack", "SLÁCK tide", "cafe baker", "halibut chips", "harbuor", "coop", "wood ruff e", "rec arts", "the",
            "2", "main st", "\"slack tide\"", "market farmers", "zzz", "kitchen party", "eclair co-op",
        ] {
            for category in [nil, "restaurants"] {
                let query = [URLQueryItem("q", text), URLQueryItem("category", unlessEmpty: category)]
                let found: [Business] = try await client.getAll(
                    APIPath.businesses, queryItems: query.compactMap(\.self))
                #expect(replica.businesses(about: text, category: category, in: zone, at: now) == found, "\(text)")
                count += found.count
            }
            for type in [nil, "farmers-market"] {
                let query = [URLQueryItem("q", text), URLQueryItem("type", unlessEmpty: type)].compactMap(\.self)
                let found: [EventDetails] = try await client.getAll(APIPath.events, queryItems: query)
                #expect(replica.events(about: text, type: type, in: zone, at: now) == found, "\(text)")
                count += found.count
            }
        }
        #expect(count > 100)
        // What is no search is looked for in names.
        #expect(replica.businesses(about: "%").map(\.name) == ["100% Wool"])
        #expect(replica.businesses(about: "").count == replica.businesses().count)
        #expect(replica.events(about: "…").isEmpty)
    }
}
