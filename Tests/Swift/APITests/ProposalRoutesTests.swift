import Bytes
import Foundation
import HTTP
import Platform
import SookeModel
import Store
import Testing

@testable import API
@testable import Service

/// `/proposals`, and that nobody but those who decide sees what a stranger sent.
@Suite struct ProposalRoutesTests {
    private static let words = ["canary-name", "canary-description", "canary-words", "canary@far.example"]

    /// Sends proposals of a stranger: of an event at `zeds`, and of a change of `anchor`. Returns their IDs.
    private func send(to town: TestTown) async throws -> [Int] {
        let context = RequestContext(
            caller: .anonymous, isSuperAdmin: false, network: ClientNetwork(addressBytes: [192, 0, 2, 77]),
            version: town.store.current)
        let message = ProposalMessage(text: "canary-words", email: "canary@far.example")
        var event = Patch<Event>()
        (event.values.name, event.values.description) = ("canary-name", "canary-description")
        (event.values.eventType, event.values.business) = (Slug("sports"), Slug("zeds"))
        event.values.startsAt = Timestamp(clampingSeconds: 1_900_000_000)
        event.fields = ["name", "description", "event_type", "business", "starts_at"]
        var change = Patch<Business>()
        change.values.description = "canary-description"
        change.fields = ["description"]
        let proposals = [
            town.service.propose(event: PatchInput(event), message, for: context),
            town.service.propose(changeTo: Slug("anchor"), PatchInput(change), message, for: context),
        ]
        var ids: [Int] = []
        for proposal in proposals {
            let outcome = try await town.service.run(proposal, for: context)
            guard case .created(let record) = outcome else { throw ServiceError.internalError }
            ids.append(record.record.id)
        }
        return ids
    }

    private func items(_ town: TestTown, as caller: TestCaller) async throws -> [[String: Any]] {
        let response = try await town.send(.get, "/api/v1/proposals", as: caller)
        #expect(response.headers.first("Cache-Control") == "no-store")
        let body = try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
        return body?["items"] as? [[String: Any]] ?? []
    }

    @Test func thoseWhoDecideSeeAllOfIt() async throws {
        let town = try await TestTown.peopled()
        let ids = try await send(to: town)
        let seen = try await items(town, as: .ada)
        #expect(seen.compactMap { $0["id"] as? Int } == [1] + ids)
        let event = try #require(seen.first { $0["id"] as? Int == ids[0] })
        #expect(event["about"] as? String == "event" && event["business_slug"] as? String == "zeds")
        #expect((event["changes"] as? [String: Any])?["name"] as? String == "canary-name")
        #expect(event["text"] as? String == "canary-words" && event["email"] as? String == "canary@far.example")
        #expect(event["is_of_member"] as? Bool == false && event["network"] == nil && event["site"] == nil)
        #expect(try await items(town, as: .olga).compactMap { $0["id"] as? Int } == [1, ids[0]])
        #expect(try await items(town, as: .otto).compactMap { $0["id"] as? Int } == [ids[1]])
        #expect(try await items(town, as: .mia).isEmpty)
    }

    @Test func aDecisionNamesTheVersion() async throws {
        let town = try await TestTown.peopled()
        let ids = try await send(to: town)
        let path = "/api/v1/proposals/\(ids[1])"
        let seen = try #require(try await items(town, as: .otto).first)
        let version = try #require(seen["version"] as? String)
        #expect(try await town.send(.post, path + "/accept", as: .otto).status.code == 428)
        let wrong = #"{"version":7,"changes":[],"reason":"x"}"#
        let invalid = try await town.send(.post, path + "/accept", as: .otto, body: wrong)
        #expect(try invalid.fieldProblems.keys.sorted() == ["changes", "reason", "version"])
        let edited = #"{"version":"\#(version)","changes":{"description":"On the pier","phone":7}}"#
        let refused = try await town.send(.post, path + "/accept", as: .otto, body: edited)
        #expect(refused.status.code == 422)
        #expect(try refused.fieldProblems.keys.sorted() == ["phone"])
        let accepted = try await town.send(
            .post, path + "/accept", as: .otto, body: edited.replacing(",\"phone\":7", with: ""))
        #expect(accepted.status == .ok && accepted.text.contains(#""state":"accepted""#))
        #expect(!Self.words.contains { accepted.text.contains($0) })
        #expect(town.store.current.town.businesses[Slug("anchor")]?.value.description == "On the pier")
        let again = try await town.send(.post, path + "/accept", as: .otto, body: #"{"version":"\#(version)"}"#)
        #expect(again.status == .conflict && again.errorCode == "already_decided")
        let rejected = try await town.send(.post, path + "/reject", as: .otto, body: #"{"reason":"no"}"#)
        #expect(rejected.status == .conflict)
    }

    /// Every route that reads, the feed and the histories too, as everybody but those who decide; and all that is kept
    /// about a decision. Of the decided ones, an event shows what was accepted.
    @Test func nobodyElseSeesAnythingOfIt() async throws {
        let town = try await TestTown.peopled()
        let position = town.position
        let ids = try await send(to: town)
        let routes = town.routes.filter { $0.method == .get && $0.pattern != "/api/v1/proposals" }
        let targets =
            AccessTests.reads.filter { read in routes.contains { $0.pattern == read.route } }.map(\.target) + [
                "/api/v1/changes?since=\(position)", "/api/v1/history?of=businesses/anchor",
                "/api/v1/events?status=pending_review", "/api/v1/admin/audit?strangers=true",
            ]
        func expectNothing(of words: [String]) async throws {
            for target in targets where !target.hasPrefix("/api/v1/admin/backup") {
                for caller in TestCaller.allCases {
                    let response = try await town.send(.get, target, as: caller)
                    #expect(!words.contains { response.text.contains($0) }, "\(target), asked by \(caller)")
                }
            }
        }
        try await expectNothing(of: Self.words)
        for caller in [TestCaller.nobody, .mia, .otto] {
            let response = try await town.send(
                .post, "/api/v1/proposals/\(ids[0])/accept", as: caller, body: #"{"version":"x"}"#)
            #expect(!Self.words.contains { response.text.contains($0) })
            #expect(response.status.code == (caller == .nobody ? 401 : 404))
        }
        for id in ids {
            let rejected = try await town.send(
                .post, "/api/v1/proposals/\(id)/reject", as: .ada, body: #"{"reason":"no"}"#)
            #expect(rejected.status == .ok && !Self.words.contains { rejected.text.contains($0) })
        }
        try await expectNothing(of: Self.words)
        #expect(!String(decoding: dataset(of: town), as: UTF8.self).contains("canary"))
    }

    private func dataset(of town: TestTown) -> [UInt8] {
        var bytes: [UInt8] = []
        town.store.current.town.writeDocument { bytes += $0 }
        return bytes
    }
}
