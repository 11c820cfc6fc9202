import Bytes
import Foundation
import SookeModel
import Synchronization
import Testing

@testable import Store

/// The history of records in the log.
@Suite struct HistoryTests {
    private static let pub = #"{"name":"Pub","address":"1 A","latitude":48,"longitude":-123}"#

    private typealias Step = (author: Author, change: @Sendable (inout WriteTransaction) throws -> Void)

    /// Writes commits, each a second after the one before.
    private func write(
        _ folder: TemporaryFolder, from second: Int = 0, snapshotAfter: Set<Int> = [], segmentBytes: Int = 64 << 20,
        _ steps: [Step]
    ) async throws {
        let clock = Mutex(second)
        var options = folder.options
        options.now = { Timestamp(clampingSeconds: clock.withLock { $0 }) }
        options.journal.pruning = .olderThan(0)
        options.journal.segmentBytes = segmentBytes
        // Otherwise the log is needed for them.
        options.recentCommits = RecentCommits.Limits(bytes: 0, commits: 0, mostBytes: 0)
        let store = try Store.open(folder.path, options: options).store
        for (index, step) in steps.enumerated() {
            clock.withLock { $0 += 1 }
            _ = try await store.write(by: step.author) { transaction in try step.change(&transaction) }
            if snapshotAfter.contains(index + 1) { try await store.snapshot() }
        }
        try await store.close()
    }

    private static func create(_ json: String) -> @Sendable (inout WriteTransaction) throws -> Void {
        { transaction in _ = try transaction.create(TransactionTown.patch(Business.self, json)) }
    }

    private static func update(_ id: Int, _ json: String) -> @Sendable (inout WriteTransaction) throws -> Void {
        { transaction in _ = try transaction.update(id, TransactionTown.patch(Business.self, json)) }
    }

    /// The entries of a business as lines, such as `2 person:7 updated phone: null -> "1"`.
    private func history(
        _ folder: TemporaryFolder, _ kind: RecordKind = .business, _ id: Int = 1, through: Int = .max, limit: Int = 20,
        before: Int? = nil
    ) throws -> [String] {
        let history = try History(
            of: kind, id: id, in: folder.path, through: through, limit: limit, before: before)
        return history.entries.map(Self.line) + (history.next.map { ["older than \($0)"] } ?? [])
    }

    private static func line(_ entry: History.Entry) -> String {
        func text(_ value: [UInt8]?) -> String { value.map { String(decoding: $0, as: UTF8.self) } ?? "null" }
        let fields = entry.fields.map { "\($0.name): \(text($0.before)) -> \(text($0.after))" }
        return "\(entry.position.sequence) \(entry.by.text) \(entry.action.rawValue) \(fields.joined(separator: ", "))"
    }

    @Test func aRecordIsFollowedFieldByField() async throws {
        let folder = TemporaryFolder()
        try await write(
            folder,
            [
                (.local, Self.create(Self.pub)),
                (.local, Self.create(#"{"name":"Shed","address":"2 B","latitude":1,"longitude":2}"#)),
                (.person(7), Self.update(1, #"{"phone":"1","menus":[{"name":"Taps"}]}"#)),
                (.person(8), Self.update(2, #"{"phone":"2"}"#)),
                (.person(8), Self.update(1, #"{"phone":null,"name":"Inn"}"#)),
                (.person(1), { transaction in try transaction.deleteBusiness(1) }),
            ])
        let taps = #"[{"id":1,"name":"Taps","description":null,"items":[]}]"#
        let last =
            #"6 person:1 deleted name: "Inn" -> null, slug: "pub" -> null, address: "1 A" -> null, "#
            + #"latitude: 48 -> null, longitude: -123 -> null, hours: [] -> null, menus: \#(taps) -> null"#
        let first =
            #"1 local created name: null -> "Pub", slug: null -> "pub", address: null -> "1 A", "#
            + #"latitude: null -> 48, longitude: null -> -123, hours: null -> [], menus: null -> []"#
        let all = [
            last, #"5 person:8 updated name: "Pub" -> "Inn", phone: "1" -> null"#,
            #"3 person:7 updated phone: null -> "1", menus: [] -> \#(taps)"#, first,
        ]
        #expect(try history(folder) == all)
        #expect(try history(folder, through: 4) == Array(all[2...]))
        #expect(try history(folder, limit: 2) == Array(all[..<2]) + ["older than 5"])
        #expect(try history(folder, limit: 2, before: 5) == Array(all[2...]))
        #expect(try history(folder, limit: 1, before: 5) == [all[2], "older than 3"])
        #expect(try history(folder, before: 1) == [])
        #expect(try history(folder, limit: 0) == [])
        #expect(try history(folder, .business, 2).count == 2)
        // 1 and 11 begin with the same digit.
        #expect(try history(folder, .business, 11) == [])
        #expect(try history(folder, .event, 1) == [])
    }

    /// Parts of any size add up to the whole history.
    @Test(arguments: [(1, 2_000), (2, 1), (20, 6_000)])
    func aLongLogIsReadInParts(limit: Int, bytes: Int) async throws {
        let folder = TemporaryFolder()
        let text = String(repeating: "x", count: 300)
        var random = SplitMix64(seed: 7)
        var steps: [Step] = [
            (.local, Self.create(Self.pub)), (.local, Self.create(Self.pub)), (.local, Self.create(Self.pub)),
        ]
        for number in 1...36 {
            // 1 is changed rarely, 2 often, 3 never again.
            let id = random.next() % 10 == 0 ? 1 : 2
            steps.append((.person(number), Self.update(id, #"{"phone":"\#(number)","description":"\#(text)"}"#)))
        }
        steps.append((.local, { transaction in try transaction.deleteBusiness(1) }))
        try await write(folder, segmentBytes: 1_000, steps)
        for id in 1...4 {
            let whole = try History(of: .business, id: id, in: folder.path, through: .max, limit: 100)
            #expect(whole.next == nil)
            var (found, requests) = ([History.Entry](), 0)
            var before: Int?
            repeat {
                let part = try History(
                    of: .business, id: id, in: folder.path, through: steps.count, limit: limit, before: before,
                    reading: bytes)
                #expect(part.entries.count <= limit)
                found += part.entries
                before = part.next
                requests += 1
            } while before != nil && requests < 200
            #expect(found == whole.entries)
            #expect(requests > 4 || id == 1 && bytes > 1, "not all is read at once")
        }
        // Values that the server did not return do no harm.
        for before in [Int.min, 0, 1, 9, 900, .max] {
            _ = try History(
                of: .business, id: 2, in: folder.path, through: steps.count, limit: limit, before: before,
                reading: bytes)
        }
    }

    /// The search ends when its client has left.
    @Test func aSearchNoLongerWantedIsCancelled() async throws {
        let folder = TemporaryFolder()
        let text = String(repeating: "x", count: 9_000)
        let steps = (1...60).map { number -> Step in
            (
                .local,
                { transaction in
                    for part in 0..<10 {
                        let name = #""\#(number) \#(part)","description":"\#(text)""#
                        try Self.create(Self.pub.replacing(#""Pub""#, with: name))(&transaction)
                    }
                }
            )
        }
        try await write(folder, steps)
        var questions = 0
        #expect(throws: CancellationError.self) {
            _ = try History(of: .business, id: 1, in: folder.path, through: .max, limit: 9) {
                questions += 1
                return questions < 3
            }
        }
        // First before reading, then after each of two of the five megabytes.
        #expect(questions == 3)
        #expect(throws: CancellationError.self) {
            _ = try History(of: .business, id: 1, in: folder.path, through: .max, limit: 9) { false }
        }
    }

    /// A commit is one entry, of the changes of the record only; a text that equals a change in the log, but for its
    /// quotes, is none.
    @Test func aCommitIsOneEntry() async throws {
        let folder = TemporaryFolder()
        let text = #"{\"deleted\":\"business\",\"id\":1} {\"business\":{\"id\":1,\"name\":\"X\"}}"#
        func phones(_ phones: String...) -> Step {
            (.local, { for phone in phones { try Self.update(1, #"{"phone":"\#(phone)"}"#)(&$0) } })
        }
        let several: Step = (
            .local,
            { transaction in
                for name in ["A", "B", "C"] { try Self.create(Self.pub.replacing("Pub", with: name))(&transaction) }
                try transaction.deleteBusiness(4)
            }
        )
        let quoted = Self.create(Self.pub.replacing(#""Pub""#, with: #""Y","description":"\#(text)""#))
        let steps = [(.local, Self.create(Self.pub)), phones("1", "2"), phones("3", "2"), several, (.local, quoted)]
        try await write(folder, steps)
        #expect(try history(folder).first == #"2 local updated phone: null -> "2""#)
        #expect(try history(folder).count == 2)
        #expect(try history(folder, .business, 2)[0].contains(#"name: null -> "A""#))
        #expect(try history(folder, .business, 3)[0].contains(#"name: null -> "B""#))
        // It was created and deleted in one commit.
        #expect(try history(folder, .business, 4) == [])
    }

    /// A change has its before-image.
    @Test func stateBeforeTheStoredLogIsKnown() async throws {
        let folder = TemporaryFolder()
        try await write(
            folder, snapshotAfter: [2, 3],
            [
                (.local, Self.create(Self.pub)), (.local, Self.create(Self.pub)),
                (.local, Self.update(2, #"{"phone":"1"}"#)),
            ])
        // With an empty history, a start deletes the log before the older snapshot.
        try await write(
            folder, from: 100, snapshotAfter: [1],
            [
                (.local, Self.update(1, #"{"phone":"2"}"#)), (.local, Self.update(1, #"{"phone":"3"}"#)),
                (.local, { transaction in try transaction.deleteBusiness(2) }),
            ])
        let entries = try History(of: .business, id: 1, in: folder.path, through: .max, limit: 9).entries
        #expect(entries.map(\.position.sequence) == [5, 4])
        #expect(entries.map(\.action) == [.updated, .updated])
        #expect(entries[1].fields.first == History.Field(name: "phone", before: nil, after: Array(#""2""#.utf8)))
        #expect(
            try history(folder, .business, 2).first?.contains(#"name: "Pub" -> null, slug: "pub-2" -> null"#) == true)
    }

    @Test func privateKindsHaveNoHistory() async throws {
        let folder = TemporaryFolder()
        try await write(
            folder,
            [
                (
                    .local,
                    { transaction in
                        try transaction.create(TransactionTown.patch(Person.self, #"{"email":"ann@sooke.example"}"#))
                        transaction.put(PasswordRecord(of: 1, hash: "planted", setAt: Timestamp.epoch))
                        var credential = Credential()
                        credential.person = 1
                        transaction.put(credential)
                        var receipt = Receipt()
                        (receipt.status, receipt.recordKind, receipt.record) = (201, "business", 1)
                        transaction.put(receipt)
                        var proposal = Proposal()
                        (proposal.text, proposal.submittedBy) = ("planted", 1)
                        transaction.put(proposal, at: Timestamp.epoch)
                    }
                )
            ])
        for kind in Town.kinds where !kind.isShared {
            #expect(try history(folder, kind) == [])
        }
        let log = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("wal-") }
        #expect(try log.contains { try String(decoding: folder.contents(of: $0), as: UTF8.self).contains("planted") })
        #expect(try history(folder, .person).count == 1)
        #expect(try !history(folder, .person)[0].contains("planted"))
    }

    @Test func aRunningStoreShowsWhatIsPublished() async throws {
        let folder = TemporaryFolder()
        try await folder.open { store in
            #expect(store.folder == folder.path)
            #expect(try await store.history(of: .business, id: 1).entries.isEmpty)
            _ = try await store.write(by: .person(3)) { transaction in try Self.create(Self.pub)(&transaction) }
            let entries = try await store.history(of: .business, id: 1).entries
            #expect(entries.map(\.by) == [.person(3)])
            #expect(entries.map(\.at) == [store.current.time.clock])
        }
    }
}
