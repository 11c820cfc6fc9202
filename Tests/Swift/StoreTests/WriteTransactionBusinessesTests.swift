import Bytes
import SookeModel
import Testing

@testable import Store

/// Joining two records of a business.
@Suite struct WriteTransactionBusinessesTests {
    private func town() throws -> WriteTransaction {
        var transaction = WriteTransaction(Town())
        try fill(&transaction)
        return transaction
    }

    private func fill(_ transaction: inout WriteTransaction) throws {
        try transaction.create(Patch<EventType> { $0.name = "Sports" })
        try transaction.create(Patch<SookeModel.Category> { $0.name = "Bars" })
        for name in ["Zeds", "Anchor"] {
            try transaction.create(
                Patch<Business> { ($0.name, $0.address, $0.latitude, $0.longitude) = (name, "1 A", 48, -123) })
        }
        for (name, place) in [("Quiz", "zeds"), ("Walk", "anchor")] {
            try transaction.create(
                Patch<Event> { event in
                    (event.name, event.eventType, event.business) = (name, Slug("sports"), Slug(place))
                    (event.startsAt, event.rrule) = (Timestamp(clampingSeconds: 2_000_000_000), "FREQ=WEEKLY")
                })
        }
    }

    @Test func onlyWhatIsMissingIsFilledIn() throws {
        var transaction = try town()
        try transaction.update(
            1, Patch<Business> { ($0.phone, $0.email, $0.category) = ("1", "a@b.example", Slug("bars")) })
        try transaction.update(2, Patch<Business> { ($0.phone, $0.address) = ("2", "2 B") })
        let joined = try transaction.mergeBusiness(1, into: 2, keepsOwner: true)
        #expect(joined.phone == "2" && joined.address == "2 B" && joined.name == "Anchor")
        #expect(joined.email == "a@b.example" && joined.category == Slug("bars"))
        #expect(joined.formerSlugs == [Slug("zeds")])
        #expect(transaction.town.businesses[1] == nil)
        #expect(transaction.town.events.inOrderOfID.map(\.value.business) == [Slug("anchor"), Slug("anchor")])
    }

    /// A series that followed the clocks of its place keeps them where the place has others now. The clocks come with the
    /// hours.
    @Test func seriesKeepTheirClocks() throws {
        for hours in [nil, "Mo 09:00-17:00"] {
            var transaction = try town()
            try transaction.upsert(Patch<Settings> { $0.timeZone = "America/Vancouver" })
            try transaction.update(1, Patch<Business> { ($0.timeZone, $0.openingHours) = ("America/Toronto", hours) })
            let joined = try transaction.mergeBusiness(1, into: 2, keepsOwner: true)
            #expect(joined.timeZone == (hours == nil ? nil : "America/Toronto"))
            let zones = hours == nil ? ["America/Toronto", nil] : [nil, "America/Vancouver"]
            #expect(transaction.town.events.inOrderOfID.map(\.value.timeZone) == zones)
        }
    }

    @Test func anOwnerIsTakenOverOnlyIfTheyMayBe() throws {
        for keeps in [true, false] {
            var transaction = try town()
            let person = try transaction.create(Patch<Person> { $0.email = "a@b.example" })
            try transaction.update(1, Patch<Business> { $0.ownerID = person.id })
            #expect(try transaction.mergeBusiness(1, into: 2, keepsOwner: keeps).ownerID == (keeps ? person.id : nil))
        }
    }

    @Test func nothingIsJoinedWithItself() throws {
        var transaction = try town()
        #expect(throws: WriteError.self) { try transaction.mergeBusiness(1, into: 1, keepsOwner: true) }
        #expect(throws: WriteError.notFound) { try transaction.mergeBusiness(1, into: 9, keepsOwner: true) }
        #expect(throws: WriteError.notFound) { try transaction.mergeBusiness(9, into: 1, keepsOwner: true) }
        #expect(transaction.town.count(of: .business) == 2)
    }
}

extension Patch {
    /// The fields of a record that differ from those of an empty one.
    fileprivate init(_ set: (inout Value) -> Void) {
        self.init()
        set(&values)
        fields = values.difference(from: Value())
    }
}
