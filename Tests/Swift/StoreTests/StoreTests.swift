import Bytes
import Foundation
import JSON
import SookeModel
import Synchronization
import Testing

@testable import Store

/// The store in a real folder.
@Suite struct StoreTests {
    @Test func whatWasWrittenIsThereWithoutAStop() async throws {
        let folder = TemporaryFolder()
        // Nothing is closed: the folder is copied as after a kill.
        let store = try Store.open(folder.path, options: folder.options).store
        _ = try await store.write(by: .local) { transaction in try transaction.upsert(Self.business("Zed's")) }
        let copy = TemporaryFolder()
        try FileManager.default.copyItem(atPath: folder.path, toPath: copy.path)
        try await copy.open { copied in
            #expect(lines(of: copied.current.town) == lines(of: store.current.town))
        }
        try await store.close()
    }

    /// IDs that were given where records are from stay known, also before a snapshot has them.
    @Test func highestIDsOfElsewhereAreThereWithoutAStop() async throws {
        let folder = TemporaryFolder()
        let store = try Store.open(folder.path, options: folder.options).store
        _ = try await store.write(by: .local) { transaction in
            transaction.record(highest: 40, in: .menu)
            try transaction.upsert(Self.business("Zed's"))
        }
        let copy = TemporaryFolder()
        try FileManager.default.copyItem(atPath: folder.path, toPath: copy.path)
        try await copy.open { copied in
            #expect(copied.current.town.sequences[.menu] == 40)
            #expect(copied.current.town.sequences == store.current.town.sequences)
        }
        try await store.close()
    }

    @Test func aCallBackComesWhenTheChangeIsDurable() async throws {
        try await TemporaryFolder().open { store in
            let sequence = await withCheckedContinuation { continuation in
                store.write(by: .local, { transaction in try transaction.upsert(Self.business("Zed's")) }) { result in
                    #expect((try? result.get()) == .created)
                    continuation.resume(returning: store.current.sequence)
                }
            }
            #expect(sequence == 1)
            let refused = await withCheckedContinuation { continuation in
                store.write(by: .local, { transaction in try transaction.upsert(Self.business("!!!")) }) { result in
                    continuation.resume(
                        returning: result.mapError { $0 is FieldProblems ? StoreError.closed : .failed("") })
                }
            }
            #expect(refused == .failure(.closed))
            #expect(store.current.sequence == 1)
        }
    }

    @Test func aTransactionThatChangesNothingWritesNothing() async throws {
        try await TemporaryFolder().open { store in
            for expected in [WriteTransaction.Effect.created, .unchanged] {
                let effect = try await store.write(by: .local) { transaction in
                    try transaction.upsert(Self.business("Zed's"))
                }
                .result
                #expect(effect == expected)
                #expect(store.current.sequence == 1)
            }
        }
    }

    /// A published version has the commits that led to it.
    @Test func aVersionHasTheCommitsThatLedToIt() async throws {
        let folder = TemporaryFolder()
        try await folder.open { store in
            let start = store.current.position
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<8 {
                    group.addTask {
                        for count in 0..<10 {
                            _ = try await store.write(by: .person(writer)) { transaction in
                                try transaction.upsert(Self.business("W \(writer) \(count)"))
                            }
                            let version = store.current
                            let commits = try #require(version.commits(after: start))
                            #expect(commits.map(\.position.sequence) == Array(1...version.sequence))
                            #expect(commits.last?.position == version.position)
                            #expect(commits.allSatisfy { $0.changeCount == 1 })
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        try await folder.open { store in
            #expect(store.current.commits(after: store.current.position)?.isEmpty == true)
            #expect(store.current.town.businesses.count == 80)
        }
    }

    @Test func aClosedStoreTakesNothing() async throws {
        let folder = TemporaryFolder()
        let store = try Store.open(folder.path, options: folder.options).store
        let late = Task {
            var refused = false
            while !refused {
                do {
                    _ = try await store.write(by: .local) { transaction in
                        try transaction.upsert(Self.business("B \(Int.random(in: 0...9))"))
                    }
                } catch StoreError.closed {
                    refused = true
                }
            }
        }
        _ = try await store.write(by: .local) { transaction in try transaction.upsert(Self.business("Zed's")) }
        try await store.finish()
        try await late.value
        try await folder.open { copy in #expect(copy.current.town.businesses[Slug("zeds")] != nil) }
    }

    /// What no rule refused, but the next start could not read, is refused before it is in the log; the others of its
    /// batch are not.
    @Test(arguments: [0, 100])
    func aChangeThatAStartCouldNotReadIsRefusedAlone(others: Int) async throws {
        let folder = TemporaryFolder()
        let messages = Mutex<[String]>([])
        var options = folder.options
        options.onMessage = { message in messages.withLock { $0.append(message) } }
        let store = try Store.open(folder.path, options: options).store
        try await withThrowingTaskGroup { group in
            for number in 0..<20 {
                group.addTask {
                    _ = try await store.write(by: .local) { transaction in
                        try transaction.upsert(Self.business("B \(number)"))
                        if number == 7 { Self.putUnreadable(&transaction, after: others) }
                    }
                }
            }
            var refused = 0
            while let result = await group.nextResult() {
                guard case .failure(let error) = result else { continue }
                refused += 1
                guard case StoreError.unreadable(let detail) = error else { throw error }
                #expect(detail.contains("event 900") && detail.contains("rdates[1]"))
            }
            #expect(refused == 1)
        }
        #expect(messages.withLock(\.self).count == 1)
        let before = lines(of: store.current.town)
        try await store.close()
        try await folder.open { copy in
            #expect(copy.current.town.businesses.count == 19)
            #expect(lines(of: copy.current.town) == before)
        }
    }

    /// An event with a date beyond the calendar, as if no rule had refused it; with many others, in a large line.
    private static func putUnreadable(_ transaction: inout WriteTransaction, after others: Int) {
        for number in 0..<others {
            var business = Business()
            (business.id, business.name, business.slug) = (1000 + number, "\(number)", Slug("many-\(number)"))
            business.description = String(repeating: "x", count: 1000)
            transaction.append(.put(AnyRecord(business)))
        }
        var (type, event) = (EventType(), Event())
        (type.id, type.name, type.slug) = (900, "Fairs", Slug("fairs"))
        transaction.append(.put(AnyRecord(type)))
        event.eventType = type.slug
        (event.id, event.name, event.slug) = (900, "Fair", Slug("fair"))
        (event.startsAt, event.status) = (.epoch, .draft)
        event.rdates = [.placeholder, LocalTime(clock: Timestamp(clampingSeconds: 253_402_300_800))]
        transaction.append(.put(AnyRecord(event)))
    }

    static func business(_ name: String) throws -> Patch<Business> {
        try WriteTransactionTests.business(#"{"name":"\#(name)","address":"1 A","latitude":48,"longitude":-123}"#)
    }
}

/// A folder for one test, removed at its end.
final class TemporaryFolder {
    let path = FileManager.default.temporaryDirectory.appending(path: "sooke-store-\(UUID().uuidString)").path

    var options: StoreOptions {
        StoreOptions(
            now: { Timestamp(clampingSeconds: 1_795_253_400) }, onFailure: { Issue.record("the disk failed: \($0)") })
    }

    /// Runs a body on the store in the folder and closes it.
    func open<Result>(_ body: (Store) async throws -> Result) async throws -> Result {
        let store = try Store.open(path, options: options).store
        let result = try await body(store)
        try await store.close()
        return result
    }

    func contents(of name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: "\(path)/\(name)")))
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
