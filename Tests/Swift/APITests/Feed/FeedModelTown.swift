import Bytes
import Foundation
import HTTP
import JSON
import Journal
import Platform
import SookeModel
import TestSupport
import Testing

@testable import API
@testable import Dispatcher
@testable import Service
@testable import Store

/// A town that lives through random changes, restarts, restores and repairs.
final class FeedModelTown {
    private(set) var store: Store
    private(set) var service: TownService
    private(set) var api: Dispatcher
    let clock = TestClock()
    /// How often each path was taken.
    private(set) var counts: [String: Int] = [:]

    private let base: URL
    private var folders = 0
    private var folder: String
    private static let zones = TimeZones(file: TimeZoneDatabase().file(named:))

    init() throws {
        base = FileManager.default.temporaryDirectory.appending(path: "sooke-feed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: base, withIntermediateDirectories: true)
        folder = base.appending(path: "0").path
        store = try Store.open(folder, options: Self.options(clock)).store
        (service, api) = try Self.serve(store, clock)
    }

    deinit {
        service.feed.stop()
        try? FileManager.default.removeItem(at: base)
    }

    private static func options(_ clock: TestClock) -> StoreOptions {
        var options = StoreOptions(now: { clock.now }, onFailure: { Issue.record("the disk failed: \($0)") })
        options.recentCommits = RecentCommits.Limits(bytes: 16 << 10, commits: 40, mostBytes: 64 << 10)
        options.journal.segmentBytes = 32 << 10
        options.journal.reservedBytes = 0
        options.journal.pruning = .olderThan(300)
        options.sleep = { _ in try await Task.sleep(for: .seconds(1_000_000)) }
        return options
    }

    private static func serve(_ store: Store, _ clock: TestClock) throws -> (TownService, Dispatcher) {
        let service = TownService(
            store: store, clock: clock.source, zones: zones, zone: try zones.zone(named: "America/Vancouver"))
        return (service, Dispatcher(API(), service: service, crossOrigin: CrossOrigin(allowing: [])))
    }

    func count(_ path: String, _ times: Int = 1) { counts[path, default: 0] += times }

    /// Runs random steps in one commit; those that are refused have no effect.
    func write(_ steps: [@Sendable (inout WriteTransaction) throws -> Void]) async throws {
        _ = try await store.write(by: .local) { transaction in
            for step in steps { try? step(&transaction) }
        }
    }

    /// Runs many commits, which become visible at once.
    func burst(_ commits: Int, _ step: @escaping @Sendable (Int, inout WriteTransaction) throws -> Void) async throws {
        let (store, queued) = (store, Semaphore())
        // The commit thread must not take some of them with the step that holds it.
        await withCheckedContinuation { isRunning in
            let hold: @Sendable (inout WriteTransaction) -> Void = { _ in
                isRunning.resume()
                _ = queued.wait(milliseconds: 60_000)
            }
            store.write(by: .local, hold, then: { _ in })
        }
        await withCheckedContinuation { continuation in
            for number in 1...commits {
                store.write(
                    by: .local, { try? step(number, &$0) },
                    then: { _ in
                        if number == commits { continuation.resume() }
                    })
            }
            queued.signal()
        }
    }

    /// Waits for all commits of the server itself, so that a run is the same each time.
    func settle() async throws {
        _ = try await store.write(by: .local) { _ in }
    }

    /// The response to a request, whose body is not read when it is a stream.
    func response(to request: Request) async -> Response {
        let api = api
        return await withCheckedContinuation { continuation in
            api.respond(to: request) { continuation.resume(returning: $0) }
        }
    }

    /// Waits for what another thread does at once.
    func wait(for what: String, until isDone: () -> Bool) async throws {
        for attempt in 0..<60_000 {
            if isDone() { return }
            if attempt < 1_000 { await Task.yield() } else { try await Task.sleep(for: .milliseconds(1)) }
        }
        throw FeedModelClient.Failure(description: "\(what) does not come")
    }

    /// Whether a position is continued, or why not.
    enum Origin: String, CaseIterable, CustomStringConvertible {
        case unknown
        case ahead = "ahead of the town"
        case foreign
        case old = "too old"
        case memory

        var description: String { rawValue }
        var isContinued: Bool { self == .memory }
    }

    /// The origin of a position, by its sequence number and its code.
    func origin(of text: String) -> Origin {
        guard text != "0", let position = FeedPosition(text) else { return .unknown }
        let version = store.current
        if position.sequence > version.sequence { return .ahead }
        guard let commit = version.position(at: position.sequence) else { return .old }
        let (sealed, plain) = (
            FeedPosition(commit, position.scope, service.key), FeedPosition(commit, .anyone, nil)
        )
        return position == sealed || position == plain ? .memory : .foreign
    }

    // MARK: - The end of a server

    private func stop() async throws {
        service.feed.stop()
        let statistics = service.feed.statistics(at: store.current.sequence)
        count("resets", statistics.resets)
        count("revocations", statistics.revocations)
        count("slow clients", statistics.slow)
        try await store.close()
    }

    func finish() async throws { try await stop() }

    /// What was in memory before a restart is there after it: nobody is reset.
    func restart() async throws {
        let oldest = (0...store.current.sequence).first { store.current.position(at: $0) != nil }
        try await stop()
        let position = oldest.flatMap { store.current.position(at: $0) }
        try await reopen()
        let isThere = position.map { store.current.position(at: $0.sequence) == $0 } ?? false
        #expect(isThere, "a restart forgot commits from \(oldest ?? -1) to \(store.current.sequence)")
        count("restarts")
    }

    /// The town goes back by some commits.
    func restore(_ commits: Int) async throws {
        try await stop()
        let survey = try FolderSurvey(of: folder)
        let last = survey.report.lastSequence
        guard let target = (max(0, last - commits)...last).first(where: survey.canBuild) else {
            return try await reopen()
        }
        try await move(folder, survey, to: target)
        count("restores")
    }

    /// The log is damaged while the server runs, and the town is what `repair` can read.
    func repair(_ random: inout SplitMix64) async throws {
        folders += 1
        let damaged = base.appending(path: "damaged-\(folders)").path
        try FileManager.default.copyItem(atPath: folder, toPath: damaged)
        let last = store.current.sequence
        let logs = try FileManager.default.contentsOfDirectory(atPath: damaged).filter { $0.hasSuffix(".log") }.sorted()
        let name = "\(damaged)/\(try #require(logs.last))"
        var bytes = try [UInt8](Data(contentsOf: URL(filePath: name)))
        bytes[bytes.count * (50 + random.below(50)) / 100] ^= 0x55
        try Data(bytes).write(to: URL(filePath: name))
        try await stop()
        let survey = try FolderSurvey(of: damaged)
        guard let sequence = survey.newestState else { return try await reopen() }
        try FileManager.default.removeItem(atPath: folder)
        try await move(damaged, survey, to: sequence)
        count(sequence < last ? "repairs with losses" : "repairs")
    }

    private func reopen() async throws {
        store = try Store.open(folder, options: Self.options(clock)).store
        (service, api) = try Self.serve(store, clock)
    }

    private func move(_ source: String, _ survey: FolderSurvey, to sequence: Int) async throws {
        folders += 1
        let new = base.appending(path: "\(folders)").path
        try await copy(survey, sequence, to: new)
        try FileManager.default.removeItem(atPath: source)
        folder = new
        try await reopen()
    }

    /// The new folder is locked until the copy is released.
    private func copy(_ survey: FolderSurvey, _ sequence: Int, to new: String) async throws {
        let copy = try FolderCopy(of: sequence, from: survey, to: new, keepingRest: false, now: clock.now)
        try await Store.open(copy.lockedFolder, options: Self.options(clock)).close()
        try copy.complete()
    }
}
