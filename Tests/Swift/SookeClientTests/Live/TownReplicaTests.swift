import Bytes
import Foundation
import Testing

@testable import SookeClient

@Suite struct TownReplicaTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func replica(_ commits: String...) throws -> TownReplica {
        var replica = TownReplica()
        for (number, commit) in commits.enumerated() {
            let changes = try JSONDecoder().decode([Change].self, from: Data("[\(commit)]".utf8))
            _ = replica.apply(
                number == 0 ? .whole(changes, position: "0.a") : .changes(changes, position: "\(number).a"), at: now)
        }
        return replica
    }

    private static func term(_ kind: String, _ id: Int, _ name: String, _ slug: String, _ action: String = "created")
        -> String
    {
        #"{"kind":"\#(kind)","action":"\#(action)","id":\#(id),"slug":"\#(slug)","record":{"id":\#(id),"#
            + #""name":"\#(name)","slug":"\#(slug)","color":"red"}}"#
    }

    private static func business(
        _ id: Int, _ name: String, _ slug: String? = nil, category: String? = "bars", action: String = "created",
        hours: String = ""
    ) -> String {
        let slug = slug ?? "b\(id)"
        let category = category.map { "\"\($0)\"" } ?? "null"
        return #"{"kind":"business","action":"\#(action)","id":\#(id),"slug":"\#(slug)","why":1,"record":{"id":\#(id),"#
            + #""name":"\#(name)","slug":"\#(slug)","description":null,"category_slug":\#(category),"address":"1 A","#
            + #""latitude":48.5,"longitude":-123.5,"phone":null,"email":"","website":null,"hours":[\#(hours)],"#
            + #""menus":[{"id":1,"name":"M","description":null,"items":[]}],"stars":5}}"#
    }

    private static func event(
        _ id: Int, _ name: String, end: String = "2035-05-01T18:00:00Z", status: String = "approved",
        at business: String? = nil, action: String = "created"
    ) -> String {
        let business = business.map { "\"\($0)\"" } ?? "null"
        let times = #""start_time":"2027-01-0\#(id)T00:00:00Z","end_time":"\#(end)""#
        return #"{"kind":"event","action":"\#(action)","id":\#(id),"slug":"e\#(id)","record":{"id":\#(id),"#
            + #""name":"\#(name)","slug":"e\#(id)","description":null,"latitude":null,"longitude":null,\#(times),"#
            + #""status":"\#(status)","event_type_slug":"sports","business_slug":\#(business)}}"#
    }

    private static func deleted(_ kind: String, _ id: Int) -> String {
        #"{"kind":"\#(kind)","action":"deleted","id":\#(id),"slug":"x"}"#
    }

    private static let town = [
        term("category", 1, "Bars", "bars"), term("category", 2, "Arts", "arts"),
        term("event_type", 1, "Sports", "sports"), business(1, "Zed's"), business(2, "café"), business(3, "Cafe B"),
    ].joined(separator: ",")

    @Test func joinsNames() throws {
        let replica = try replica(
            Self.town, Self.event(1, "Race", at: "b1"), Self.term("category", 1, "Pubs", "bars", "updated"))
        #expect(replica.businesses().map(\.categoryName) == ["Pubs", "Pubs", "Pubs"])
        #expect(replica.business(slug: "b1")?.categoryName == "Pubs")
        let event = try #require(replica.event(slug: "e1"))
        #expect(event.eventTypeName == "Sports" && event.businessName == "Zed's" && event.latitude == 48.5)
        #expect(replica.position == "2.a" && replica.updatedAt == now)
    }

    /// A later server has kinds that this client does not know: it follows the others.
    @Test func aKindThatIsNotKnownIsLeftOut() throws {
        var (assembler, replica) = (CommitAssembler(position: nil), TownReplica())
        let trail = #"{"kind":"trail","action":"created","id":1,"slug":"sea-walk","record":{"kilometres":4}}"#
        let stream = [
            ("reset", "{}", nil), ("trail", trail, nil), ("category", Self.term("category", 1, "Bars", "bars"), "1.a"),
            ("trail", trail, "2.a"),
        ]
        var positions: [String?] = []
        for (type, data, id) in stream {
            let event = ServerSentEvents.Event(type: type, data: Array(data.utf8), id: id)
            guard let element = try assembler.receive(.event(event)) else { continue }
            _ = replica.apply(element, at: now)
            positions.append(replica.position)
        }
        #expect(positions == ["1.a", "2.a"])
        #expect(replica.categories.map(\.name) == ["Bars"])
    }

    @Test func recordsExchangeTheirSlugs() throws {
        let replica = try replica(
            Self.town,
            Self.business(1, "One", "b2", action: "updated") + "," + Self.business(2, "Two", "b1", action: "updated"))
        #expect(replica.business(slug: "b2")?.name == "One" && replica.business(slug: "b1")?.name == "Two")
        #expect(replica.business(slug: "b3")?.id == 3)
    }

    @Test func deletesByID() throws {
        let replica = try replica(
            Self.town + "," + Self.event(1, "Race"), Self.deleted("business", 2) + "," + Self.deleted("event", 1),
            Self.deleted("category", 2) + "," + Self.deleted("event_type", 1) + "," + Self.deleted("business", 99))
        #expect(replica.businesses().map(\.id) == [3, 1] && replica.business(slug: "b2") == nil)
        #expect(replica.events(at: now) == [] && replica.categories.map(\.id) == [1] && replica.eventTypes == [])
    }

    @Test func listsEventsThatHaveNotEnded() throws {
        let replica = try replica(
            [
                Self.event(3, "C"), Self.event(1, "A"), Self.event(2, "B", end: "2027-01-15T08:00:00Z"),
                Self.event(4, "D", end: "2027-01-15T07:59:59Z"), Self.event(5, "E", status: "cancelled"),
                Self.event(6, "F", status: "pending_review"),
            ].joined(separator: ","))
        // The time is 2027-01-15T08:00:00Z.
        #expect(replica.events(at: now).map(\.name) == ["A", "B", "C"])
        #expect(replica.events(matching: "b", at: now).map(\.name) == ["B"])
        #expect(replica.events(type: "music", at: now) == [])
        #expect(replica.event(slug: "e5")?.status == "cancelled")
    }

    @Test(arguments: [("UTC", "06:00:00"), ("America/Vancouver", "05:00:00"), ("Pacific/Kiritimati", "06:00:00")])
    func todayIsThatOfTheZone(zone: String, opens: String) throws {
        let hours = [4, 5, 6].map {
            #"{"day_of_week":\#($0),"open_time":"0\#($0 + 1):00:00","close_time":"20:00:00","is_closed":false}"#
        }
        let replica = try replica(Self.business(1, "A", hours: hours.joined(separator: ",")))
        // A Friday in UTC, and still Thursday in Vancouver an hour earlier.
        let friday = try Date("2027-01-15T07:30:00Z", strategy: .iso8601)
        let zone = try #require(TimeZone(identifier: zone))
        #expect(replica.businesses(in: zone, at: friday).first?.todayHours?.openTime == opens)
    }

    @Test func isSavedWhole() throws {
        let replica = try replica(Self.town + "," + Self.event(1, "Race", at: "b1"), Self.business(9, "New"))
        let decoded = try TownReplica(json: replica.json)
        #expect(decoded == replica && decoded.businesses() == replica.businesses())
        #expect(decoded.business(slug: "b9") == replica.business(slug: "b9") && decoded.position == "1.a")
    }

    /// Commits one by one lead to the same replica as a snapshot.
    @Test(arguments: 0..<5)
    func anyCommits(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        var known: [Int: String] = [:]
        var commits = [Self.town]
        for id in 1...3 { known[id] = "" }
        for _ in 0..<60 {
            let id = 1 + random.below(12)
            if known[id] != nil, random.once(in: 2) {
                commits.append(Self.deleted("business", id))
                known[id] = nil
            } else {
                let text = Self.business(id, random.pick(["a", "B", "é", "Z z"]))
                commits.append(text)
                known[id] = text
            }
        }
        var replica = TownReplica()
        for (number, commit) in commits.enumerated() {
            let changes = try JSONDecoder().decode([Change].self, from: Data("[\(commit)]".utf8))
            _ = replica.apply(number == 0 ? .whole(changes, position: "1") : .changes(changes, position: "2"), at: now)
        }
        let gone = (1...3).filter { known[$0] != "" }.map { Self.deleted("business", $0) }
        let whole = try self.replica(
            Self.town, (gone + known.values.filter { !$0.isEmpty }.shuffled()).joined(separator: ","))
        #expect(replica.hasSameRecords(as: whole), "\(commits)")
        #expect(replica.businesses() == whole.businesses())
        for id in 1...12 { #expect((replica.business(slug: "b\(id)") != nil) == (known[id] != nil)) }
    }
}
