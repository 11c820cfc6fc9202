import Bytes
import Foundation
import Journal
import SookeModel
import Testing

@testable import Store

/// A start has the commits in memory that were there before it.
@Suite struct RecentCommitsFillTests {
    private let folder = TemporaryFolder()

    private func open(
        _ limits: RecentCommits.Limits = .init(), keeping seconds: Int? = nil, at path: String? = nil
    ) throws -> Store {
        var options = folder.options
        options.journal.segmentBytes = 2048
        options.journal.reservedBytes = 0
        options.recentCommits = limits
        if let seconds { options.journal.pruning = .olderThan(seconds) }
        return try Store.open(path ?? folder.path, options: options).store
    }

    private func write(_ store: Store, times: Int, from first: Int = 0) async throws {
        for number in first..<first + times {
            _ = try await store.write(by: .local) { transaction in
                if transaction.town.businesses.count == 0 { try transaction.upsert(StoreTests.business("A")) }
                try transaction.update(1, TransactionTown.patch(Business.self, #"{"phone":"\#(number)"}"#))
            }
        }
    }

    private func texts(_ store: Store, after position: CommitPosition) -> [[String]]? {
        store.current.commits(after: position)?.map { $0.changeSet.map(ChangeSetTests.text) ?? ["nothing"] }
    }

    private func oldest(_ store: Store) -> CommitPosition { store.current.recentCommits.start }

    /// Also after several starts without commits, when the history is dropped, and whether it was closed or not.
    @Test(arguments: [(nil, false), (0, true)] as [(Int?, Bool)])
    func aStartHasTheSame(keeping seconds: Int?, isClosed: Bool) async throws {
        let limits = RecentCommits.Limits(bytes: 30_000, commits: 5, mostBytes: 60_000)
        var (path, copies) = (folder.path, [String]())
        defer { for copy in copies { try? FileManager.default.removeItem(atPath: copy) } }
        var store = try open(limits, keeping: seconds)
        for round in 0..<4 {
            try await write(store, times: round == 2 ? 0 : 40, from: 40 * round)
            if round == 1 { try await store.snapshot() }
            let start = oldest(store)
            let expected = try #require(texts(store, after: start))
            if round > 0 { #expect(expected.count > 10 && start.sequence > 0) }
            // A folder is what a crash leaves, before the server is stopped.
            let copy = "\(folder.path)-\(round)"
            copies.append(copy)
            if isClosed { try await store.close() }
            try FileManager.default.copyItem(atPath: path, toPath: copy)
            if !isClosed { try await store.close() }
            path = copy
            store = try open(limits, keeping: seconds, at: path)
            #expect(texts(store, after: start) == expected)
            #expect(oldest(store).sequence <= start.sequence)
        }
        try await store.close()
    }

    private func person(_ json: String) -> @Sendable (inout WriteTransaction) throws -> Void {
        { transaction in try transaction.upsert(TransactionTown.patch(Person.self, json)) }
    }

    private func business(_ json: String) -> @Sendable (inout WriteTransaction) throws -> Void {
        { transaction in try transaction.upsert(TransactionTown.patch(Business.self, json)) }
    }

    /// What decides about rights is known of commits in the log as of those in memory.
    @Test func rightsFromTheLog() async throws {
        var store = try open()
        let steps: [@Sendable (inout WriteTransaction) throws -> Void] = [
            person(#"{"email":"a@town.example","role":"business_owner"}"#), person(#"{"email":"b@town.example"}"#),
            business(#"{"name":"B","address":"1","latitude":48,"longitude":-123,"owner_id":1}"#),
            business(#"{"slug":"b","phone":"owner_id"}"#), business(#"{"slug":"b","owner_id":2}"#),
            person(#"{"email":"a@town.example","display_name":"\"role\":"}"#),
            person(#"{"email":"a@town.example","role":"general_user"}"#), { try $0.deleteBusiness(1) },
            { try $0.deletePerson(1) },
        ]
        for step in steps { _ = try await store.write(by: .local, step) }
        func subjects(_ store: Store) -> [[RightsSubject]] {
            let commits = store.current.recentCommits
            return (commits.after(commits.start) ?? []).map { $0.subjects.sorted { "\($0)" < "\($1)" } }
        }
        let expected: [[RightsSubject]] = [
            [.person(1)], [.person(2)], [.person(1)], [], [.person(1), .person(2)], [], [.person(1)], [.person(2)],
            [.person(1)],
        ]
        #expect(subjects(store) == expected)
        try await store.close()
        store = try open()
        #expect(subjects(store) == expected)
        let version = store.current
        let positions = try (0...9).map { try #require(version.position(at: $0)) }
        for (sequence, position) in positions.enumerated() {
            #expect(version.hasSteadyRights(person: 1, credential: nil, after: position) == (sequence == 9))
            #expect(version.hasSteadyRights(person: 2, credential: nil, after: position) == (sequence >= 8))
            #expect(version.hasSteadyRights(person: 3, credential: 1, after: position))
        }
        try await store.close()
    }

    /// A commit that is too long is the end of what a start fills in.
    @Test func aLongCommitIsNotHeld() async throws {
        var store = try open()
        try await write(store, times: 3)
        _ = try await store.write(by: .local) { transaction in
            for each in 0..<RecentCommit.longestLine / 1000 {
                var business = try StoreTests.business("Shop \(each)")
                business.values.description = String(repeating: "x", count: 1000)
                business.fields.insert("description")
                try transaction.upsert(business)
            }
        }
        let long = store.current.position
        try await write(store, times: 3)
        #expect(oldest(store).sequence == 0)
        let expected = texts(store, after: long)
        try await store.close()
        store = try open()
        #expect(oldest(store) == long)
        #expect(texts(store, after: long) == expected)
        try await store.close()
    }
}
