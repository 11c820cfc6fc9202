import HTTP
import Limits
import Synchronization
import Testing

@testable import API
@testable import Service

@Suite struct WriteLimiterRoutesTests {
    private final class SlowDisk: Sendable {
        let isBusy = Atomic<Bool>(false)
        let isDone = Atomic<Bool>(false)
    }

    private static let rename = #"{"name":"Pubs"}"#
    private static let category = "/api/v1/categories/bars"

    @Test func aFullLimiterRefusesWritesOfStrangersAtOnce() async throws {
        let town = try await TestTown.withAccounts()
        let field = try await town.authorization(of: 1)
        let request = try Request(
            .patch, Self.category, headers: [field, JSONBody.field], body: Array(Self.rename.utf8))
        _ = try town.api.admitBody(of: request)
        var permits: [Gate<Bool>.Permit] = []
        while let permit = try? town.service.limits.admitWrite(of: 1 << 12) { permits.append(permit) }
        #expect(permits.count == 4096)
        #expect(throws: HTTPError.self) { _ = try town.api.admitBody(of: request) }
        let refused = try await town.send(.patch, Self.category, [field], body: Self.rename)
        #expect(refused.status == .serviceUnavailable && refused.headers.first("Retry-After") == "1")
        // Reads continue, and so does administration over the socket.
        #expect(try await town.send(.get, "/api/v1/categories").status == .ok)
        _ = try town.api.admitBody(of: try Request(.patch, Self.category, peer: TestTown.owner))
        #expect(try await town.ask(.patch, Self.category, body: Self.rename).status == .ok)
        permits = []
        #expect(try await town.send(.patch, Self.category, [field], body: Self.rename).status == .ok)
        #expect(town.service.limits.writes == 0)
    }

    @Test func aWriteWhoseTurnComesTooLateIsDropped() async throws {
        let town = try await TestTown.withAccounts()
        let field = try await town.authorization(of: 1)
        let disk = SlowDisk()
        // Blocks the thread of the store, like a slow disk.
        let (store, api, limits) = (town.store, town.api, town.service.limits)
        async let slow = store.write(by: .local) { _ in
            disk.isBusy.store(true, ordering: .relaxed)
            while !disk.isDone.load(ordering: .relaxed) {}
        }
        while !disk.isBusy.load(ordering: .relaxed) { await Task.yield() }
        let request = try Request(
            .patch, Self.category, headers: [field, JSONBody.field], body: Array(Self.rename.utf8))
        async let late = api.response(to: request)
        while limits.writes == 0 { await Task.yield() }
        // Its body is counted.
        let rest = (16 << 20) - Self.rename.utf8.count
        #expect(limits.hasRoom(for: rest) && !limits.hasRoom(for: rest + 1))
        town.clock.advance(bySeconds: 5)
        disk.isDone.store(true, ordering: .relaxed)
        _ = try await slow
        let dropped = await late
        #expect(dropped.status == .serviceUnavailable && dropped.headers.first("Retry-After") == "1")
        #expect(try await town.send(.get, "/api/v1/categories").text.contains(#""name":"Bars""#))
    }
}
