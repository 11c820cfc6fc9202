import Bytes
import JSON
import SookeModel
import TestSupport
import Testing

@testable import Journal
@testable import Store

/// Input of replay, snapshots and restore, with valid checksums: it gives a town that can be served and written again,
/// or an error, and never a trap.
@Suite struct StoredInvariantsTests {
    /// A value in the lines of a town, its replacement, and the message.
    static let broken: [(good: String, bad: String, message: String)] = [
        (#""day_of_week":5"#, #""day_of_week":-1"#, "hours[0].day_of_week: must be 0 (Sunday) to 6 (Saturday)"),
        (#""day_of_week":5"#, #""day_of_week":7"#, "hours[0].day_of_week: must be 0 (Sunday) to 6 (Saturday)"),
        (#""open_time":"11:30:00""#, #""open_time":"24:00:01""#, "hours[0].open_time: must be a time"),
        (#"{"id":1,"day"#, #"{"id":0,"day"#, "hours[0].id: must lie between 1 and"),
        (#"{"id":1,"name":"Taps""#, #"{"id":-1,"name":"Taps""#, "menus[0].id: must lie between 1 and"),
        (#""price":"7.50""#, #""price":7.5"#, "menus[0].items[0].price: must be a price"),
        (#""latitude":48.5"#, #""latitude":91"#, "latitude: must lie between -90 and 90 degrees"),
        (#""latitude":48.5"#, #""latitude":1e400"#, "a number beyond"),
        (#""owner_id":1"#, #""owner_id":-1"#, "owner_id: must lie between 1 and"),
        (#""slug":"pub""#, #""slug":"""#, "slug: must not be empty"),
        (#""category":"bars""#, #""category":"rabs""#, #"there is no category "rabs""#),
        (#""business":"pub""#, #""business":"bup""#, #"there is no business "bup""#),
        (#""event_type":"music""#, #""event_type":"""#, #"there is no event_type """#),
        (#""starts_at":"2027-01-01T20:00:00Z""#, #""starts_at":null"#, "starts_at: is missing"),
        (#""status":"approved""#, #""status":"open""#, "status: must be one of"),
        (#""role":"general_user""#, #""role":"mayor""#, "role: must be one of"),
        (#""status":201"#, #""status":1"#, "status: must be a status code of HTTP"),
        (#""about":"event""#, #""about":"town""#, "about: must be one of event, business"),
        (#""state":"open""#, #""state":"new""#, "state: must be one of open"),
        (#""purpose":"session""#, #""purpose":"x""#, "purpose: must be one of session"),
        (
            #""id_sequences":{"category":2"#, #""id_sequences":{"category":9223372036854775807"#,
            "a number must lie between 0 and"
        ),
        (#""id_sequences":{"category":2"#, #""id_sequences":{"category":-2"#, "a number must lie between 0 and"),
        (#""name":"Pub""#, #""nome":"Pub""#, "an unknown field"),
    ]

    @Test(arguments: broken)
    func aBrokenRecordIsRefused(good: String, bad: String, message: String) throws {
        let lines = try Self.snapshot()
        #expect(lines.contains { $0.contains(good) })
        let error = Self.failure(lines.map { $0.replacing(good, with: bad, maxReplacements: 1) }, commits: [])
        #expect(error?.contains(message) == true, "\(error ?? "nothing was refused")")
        // The same record in the log.
        guard let place = lines.firstIndex(where: { $0.contains(good) }), !good.contains("id_sequences") else { return }
        let commit = try Self.commit(of: lines, at: place).replacing(good, with: bad, maxReplacements: 1)
        let replayed = Self.failure(lines, commits: [commit])
        #expect(replayed?.contains(message) == true, "\(replayed ?? "nothing was refused")")
    }

    /// A record that others refer to is deleted, or gets another slug, in one commit with them.
    @Test(
        arguments: [
            (#"{"deleted":"category","id":1}"#, "business 1 refers to a category that does not exist"),
            (#"{"deleted":"event_type","id":1}"#, "event 1 refers to an event type that does not exist"),
            (#"{"deleted":"business","id":1}"#, "event 1 refers to a business that does not exist"),
            (
                #"{"category":{"id":1,"name":"Bars","slug":"pubs"}}"#,
                "business 1 refers to a category that does not exist"
            ),
            (
                #"{"event_type":{"id":1,"name":"Music","slug":"tunes"}}"#,
                "event 1 refers to an event type that does not exist"
            ),
            (#"{"deleted":"category","id":2}"#, nil), (#"{"deleted":"event","id":9223372036854775807}"#, nil),
            (#"{"deleted":"business","id":-9223372036854775808}"#, nil),
        ] as [(String, String?)])
    func noReferenceLeadsNowhere(change: String, message: String?) throws {
        let commit = #""at":"2027-01-01T00:00:00Z","by":"local","changes":[\#(change)]"#
        let error = Self.failure(try Self.snapshot(), commits: [commit])
        #expect(error == message)
    }

    @Test func aSnapshotWithoutAnEndIsRefused() throws {
        let lines = try Self.snapshot()
        let end = try #require(lines.lastIndex(of: "],"))
        #expect(Self.failure(Array(lines[..<end]), commits: [])?.contains("have no end") == true)
    }

    /// Lines with random changes of values, members and lines, by seed.
    @Test(arguments: 0..<Cases.count(2, of: 8))
    func mutatedRecordsNeverTrap(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let lines = try Self.snapshot()
        let commits = try lines.indices.filter { lines[$0].hasPrefix(#"{"id""#) }.map {
            try Self.commit(of: lines, at: $0)
        }
        var accepted = 0
        for _ in 0..<150 {
            var (lines, commits) = (lines, [random.pick(commits), random.pick(commits)])
            for _ in 0...random.below(2) {
                if random.once(in: 3) {
                    let place = random.below(commits.count)
                    commits[place] = random.mutated(commits[place])
                } else {
                    let place = random.below(lines.count)
                    switch random.below(12) {
                    case 0: lines.remove(at: place)
                    case 1: lines.insert(lines[place], at: place)
                    case 2: lines.swapAt(place, random.below(lines.count))
                    default: lines[place] = random.mutated(lines[place])
                    }
                }
            }
            if Self.failure(lines, commits: commits) == nil { accepted += 1 }
        }
        // Otherwise only reading was tested.
        #expect(accepted > 5)
    }

    // MARK: - The town and its changes

    /// A town with a record of each kind, as the lines of a snapshot.
    private static func snapshot() throws -> [String] {
        var transaction = try TransactionTown.transaction()
        try transaction.update(
            1,
            TransactionTown.patch(
                Business.self, #"{"hours":[{"day_of_week":5,"open_time":"11:30","close_time":"01:30"}],"slug":"bar"}"#))
        try transaction.update(1, TransactionTown.patch(Business.self, #"{"slug":"pub"}"#))
        var credential = Credential()
        (credential.purpose, credential.digest, credential.person) = (.session, String(repeating: "a", count: 64), 2)
        transaction.put(credential)
        transaction.put(PasswordRecord(of: 2, hash: "$y$hash", setAt: Timestamp(clampingSeconds: 1)))
        var receipt = Receipt()
        (receipt.person, receipt.key, receipt.status) = (2, "k", 201)
        (receipt.recordKind, receipt.record) = ("business", 1)
        transaction.put(receipt)
        var proposal = Proposal()
        (proposal.business, proposal.changes, proposal.network) = (1, #"{"phone":"1"}"#, "ab")
        transaction.put(proposal, at: Timestamp(clampingSeconds: 1))
        return lines(of: transaction.town)
    }

    /// The payload of a commit that inserts the record of a line.
    private static func commit(of lines: [String], at place: Int) throws -> String {
        let section = try #require(lines[..<place].last { $0.hasSuffix("\":[") })
        let kind = try #require(Town.kinds.first { section == "\"\($0.collection)\":[" })
        let record = lines[place].hasSuffix(",") ? String(lines[place].dropLast()) : lines[place]
        return #""at":"2027-01-01T00:00:00Z","by":"local","changes":[{"\#(kind.name)":\#(record)}]"#
    }

    private static let position = CommitPosition(1, CommitChain(0))

    /// Replays a snapshot and commits, then serves, changes and writes the result. Returns the error.
    private static func failure(_ lines: [String], commits: [String]) -> String? {
        var replay = Replay(recentCommits: RecentCommits.Limits())
        do {
            replay.begin(CheckedDocument.Origin(store: "x", position: position, at: Timestamp.epoch))
            for line in lines { try replay.snapshotLine(Array(line.utf8)[...]) }
            try replay.endSnapshot()
            for (index, commit) in commits.enumerated() {
                let before = CommitPosition(1 + index, position.chain)
                let payload = Array(commit.utf8)[...]
                try replay.commit(LoggedCommit(payload, at: before.advanced(by: payload.span), after: before))
            }
        } catch {
            return "\(error)"
        }
        use(replay.version(at: position).town)
        return nil
    }

    /// A town that was read can be shown, changed, and written into a snapshot that can be read.
    private static func use(_ town: Town) {
        var again = TownReader()
        do {
            for line in lines(of: town) { try again.read(Array(line.utf8)[...]) }
            #expect(try lines(of: again.finish()).count == lines(of: town).count)
        } catch {
            Issue.record("a snapshot of what was read cannot be read: \(error)")
        }
        for day in 0..<7 {
            for business in town.page(PageRequest(), of: BusinessQuery(search: "p")).records {
                var time = ListTime.utc(on: day)
                var writer = JSONWriter()
                writer.beginObject()
                business.writeDetail(to: &writer, category: BusinessRecord.noCategory, at: &time)
                writer.endObject()
            }
        }
        _ = town.page(PageRequest(), of: EventQuery(clock: .utc(Timestamp.epoch)))
        var transaction = WriteTransaction(town)
        for id in 1...2 {
            _ = try? transaction.update(id, TransactionTown.patch(Business.self, #"{"name":"Zed's","slug":null}"#))
            _ = try? transaction.update(id, TransactionTown.patch(Event.self, #"{"name":"Zed's","slug":null}"#))
            _ = try? transaction.update(id, TransactionTown.patch(Person.self, #"{"display_name":"Zed"}"#))
            _ = try? transaction.update(id, TransactionTown.patch(SookeModel.Category.self, #"{"slug":"c"}"#))
        }
        transaction.put(Proposal(), at: Timestamp(clampingSeconds: 1))
        transaction.deleteClosedProposals(at: Timestamp(clampingSeconds: 1), tolerance: 0)
        _ = try? transaction.deletePerson(1)
        _ = try? transaction.deleteBusiness(1)
    }
}
