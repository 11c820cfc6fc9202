import Foundation
import Testing

@testable import ClientTestSupport
@testable import SookeClient

/// Editing against a whole server.
@MainActor @Suite(.timeLimit(.minutes(20))) struct EditModelTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "sooke-drafts-\(UUID().uuidString)")

    private func model(
        _ server: MockServer, slug: String = "pub", clock: ManualClock = ManualClock()
    ) async -> BusinessEditModel {
        let model = BusinessEditModel(slug: slug, drafts: folder, clock: clock)
        model.apiClient = server.client
        await model.open()
        return model
    }

    private var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] }

    private func patch(_ town: ClientTown, _ body: String, slug: String = "pub") async throws {
        let response = try await town.send(
            .patch, "/api/v1/businesses/\(slug)", [("Content-Type", "application/json")], body: body)
        try #require(response.status.code == 200)
    }

    private func record(_ town: ClientTown, _ slug: String = "pub") async throws -> String {
        String(decoding: try await town.send(.get, "/api/v1/businesses/\(slug)").body, as: UTF8.self)
    }

    @Test func savesOnlyWhatChanged() async throws {
        let town = try await ClientTown.small()
        let server = town.server
        let model = await model(server)
        #expect(model.isOpen && !model.canSave && model.error == nil)
        #expect(model.draft.name == "Pub" && model.draft.latitude == "48.37" && model.draft.category == "bars")
        #expect(model.draft[hoursOn: 5]?.closeTime == "01:30:00" && model.draft[hoursOn: 1] == nil)
        model.draft.phone = ""
        model.draft.latitude = "48.5"
        model.draft[hoursOn: 1] = BusinessHour(dayOfWeek: 1, openTime: "9:00", closeTime: "17:00", isClosed: false)
        #expect(model.problem(of: .hours) == "[1].open_time must be a time like 09:30 or 24:00:00, not \"9:00\"")
        #expect(model.problem(ofHoursOn: 1)?.hasPrefix("the opening time must be") == true)
        #expect(model.problem(ofHoursOn: 0) == nil && model.problem(ofHoursOn: 2) == nil && !model.canSave)
        model.draft[hoursOn: 1]?.openTime = "09:00"
        #expect(model.canSave && model.problems.isEmpty && model.changes == [.phone, .latitude, .hours])
        #expect(await model.save())
        #expect(model.changes.isEmpty && !model.canSave && model.draft[hoursOn: 1]?.openTime == "09:00:00")
        let request = try #require(server.requests.last)
        #expect(request.httpMethod == "PATCH" && request.value(forHTTPHeaderField: "If-Match") != nil)
        let sent = try JSONDecoder().decode(JSONValue.self, from: request.body)
        #expect(sent["phone"] == .null && sent["latitude"] == .number(48.5) && sent["name"] == nil)
        let stored = try await record(town)
        #expect(stored.contains(#""phone":null"#) && stored.contains(#""latitude":48.5"#) && stored.contains("Taps"))
        #expect(files.isEmpty)
        // The tag of the response is good for the next save.
        model.draft.name = "Inn"
        #expect(await model.save())
        #expect(server.requests.count == 3)
    }

    @Test func canSaveOnlyOnce() async throws {
        let server = MockServer()
        let model = BusinessEditModel(slug: "b1")
        model.draft.name = "ignored until it is open"
        #expect(!model.canSave && model.draft.name.isEmpty)
        model.apiClient = server.client
        async let opened: Void = model.open()
        await server.request(0).respond(200, ["ETag": "\"1.a\""], Sample.business(1, "Pub"))
        await opened
        model.draft.name = "Inn"
        #expect(model.canSave)
        async let saved = model.save()
        let pending = await server.request(1)
        #expect(!model.canSave && model.isSaving)
        #expect(await !model.save(), "one is in flight")
        // What is typed meanwhile is not lost.
        model.draft.phone = "1"
        pending.respond(200, ["ETag": "\"2.a\""], Sample.business(1, "Inn"))
        #expect(await saved)
        #expect(model.changes == [.phone] && model.canSave && !model.isSaving)
    }

    @Test func changesOfOneSideMerge() async throws {
        let town = try await ClientTown.small()
        let server = town.server
        let model = await model(server)
        model.draft.name = "Inn"
        try await patch(town, #"{"phone":"2","website":"https://pub.example"}"#)
        #expect(await model.save())
        #expect(model.draft.phone == "2" && model.draft.website == "https://pub.example" && model.draft.name == "Inn")
        let stored = try await record(town)
        #expect(stored.contains(#""name":"Inn""#) && stored.contains(#""phone":"2""#))
        #expect(server.requests.map(\.httpMethod) == ["GET", "PATCH", "PATCH"])
    }

    @Test(arguments: ConflictSide.allCases)
    func aConflictIsDecided(side: ConflictSide) async throws {
        let town = try await ClientTown.small()
        let model = await model(town.server)
        model.draft.name = "Inn"
        model.draft.phone = "1"
        try await patch(town, #"{"name":"Bar","email":"a@b.c"}"#)
        #expect(await !model.save())
        #expect(model.conflicts == [FieldConflict(field: .name, before: "Pub", theirs: "Bar", mine: "Inn")])
        #expect(!model.canSave && model.draft.email == "a@b.c" && model.error == nil)
        #expect(try await record(town).contains(#""name":"Bar""#))
        model.resolve(.name, keep: side)
        #expect(model.conflicts.isEmpty && model.canSave)
        #expect(await model.save())
        let stored = try await record(town)
        #expect(stored.contains(side == .mine ? #""name":"Inn""# : #""name":"Bar""#))
        #expect(stored.contains(#""phone":"1""#))
    }

    /// A save whose response was lost is not a conflict with itself.
    @Test func aLostResponse() async throws {
        let town = try await ClientTown.small()
        let server = town.server
        let model = await model(server)
        model.draft.name = "Inn"
        try await patch(town, #"{"name":"Inn"}"#)
        #expect(await model.save())
        #expect(model.changes.isEmpty && server.requests.map(\.httpMethod) == ["GET", "PATCH"])
    }

    @Test func refusalsAreShownAtTheirFields() async throws {
        let town = try await ClientTown.small()
        let model = await model(town.server)
        model.draft.category = "nowhere"
        model.draft.phone = "1"
        #expect(model.canSave)
        #expect(await !model.save())
        #expect(model.problems == ["category": "there is no category \"nowhere\""] && !model.canSave)
        #expect(model.error == nil)
        model.draft.phone = "2"
        #expect(!model.canSave, "the category is still the same")
        model.draft.category = "shops"
        #expect(model.canSave && model.problems.isEmpty)
        #expect(await model.save())
        #expect(try await record(town).contains(#""category_slug":"shops""#))
    }

    @Test func aDeletedRecord() async throws {
        let town = try await ClientTown.small()
        let model = await model(town.server)
        model.draft.name = "Inn"
        let deleted = try await town.send(.delete, "/api/v1/businesses/pub")
        #expect(deleted.status.code == 204)
        #expect(await !model.save())
        #expect(model.isDeleted && !model.canSave && model.draft.name == "Inn")
    }

    @Test func errorsLeaveTheDraft() async throws {
        let server = MockServer()
        let model = BusinessEditModel(slug: "b1")
        model.apiClient = server.client
        async let opened: Void = model.open()
        await server.request(0).respond(200, [:], Sample.business(1, "Pub"))
        await opened
        model.draft.name = "Inn"
        for number in 1...2 {
            async let saved = model.save()
            let pending = await server.request(number)
            if number == 1 { pending.fail(URLError(.notConnectedToInternet)) } else { pending.respond(503, [:], "") }
            #expect(await !saved)
            #expect(model.error != nil && model.canSave && model.draft.name == "Inn")
        }
    }

    @Test func aDraftSurvivesARestart() async throws {
        let town = try await ClientTown.small()
        let server = town.server
        let clock = ManualClock()
        var model: BusinessEditModel? = await model(server, clock: clock)
        model?.draft.name = "Inn"
        model?.draft.email = "not an address"
        await clock.sleeps(1)
        #expect(files.isEmpty, "it is stored a second later")
        model?.leave()
        #expect(files.count == 1)
        model = nil
        try await patch(town, #"{"phone":"9"}"#)
        let next = BusinessEditModel(slug: "pub", drafts: folder, clock: ManualClock())
        next.apiClient = server.client
        await next.open()
        #expect(next.isRestored && next.draft.name == "Inn" && next.changes == [.name, .email])
        #expect(next.draft.phone == "9", "merged with what is stored now")
        #expect(next.problems.keys.sorted() == ["email"])
        next.draft.email = ""
        #expect(await next.save())
        #expect(files.isEmpty)
        let last = await self.model(server)
        #expect(!last.isRestored && last.draft.name == "Inn")
    }

    @Test(arguments: ["", "{", #"{"key":["a"]}"#])
    func aDamagedDraftIsSetAside(text: String) async throws {
        let server = MockServer { _ in (200, Sample.business(1, "Pub")) }
        let first = await model(server, slug: "b1")
        for number in 1...2 {
            first.draft.name = "Inn \(number)"
            first.leave()
            let name = try #require(files.first { $0.hasSuffix(".json") })
            try text.write(to: folder.appending(path: name), atomically: false, encoding: .utf8)
            let next = await model(server, slug: "b1")
            let aside = name + (number == 1 ? ".damaged" : ".damaged-2")
            #expect(next.damagedDraft == aside && !next.isRestored && next.draft.name == "Pub")
            #expect(try String(contentsOf: folder.appending(path: aside), encoding: .utf8) == text)
            #expect(!files.contains(name))
        }
    }
}
