import Bytes
import SookeModel
import TestSupport
import Testing

@testable import Store

/// What is open, and until when.
@Suite struct OpenNowTests {
    private static let texts = ["Mo-Fr 09:00-17:00", "24/7", "Su 10:00-12:00; PH off", "sunset-24:00", nil]

    private static func clock(_ seconds: Int) -> OpenHoursClock {
        let zone = SookeModel.TimeZone(name: "UTC", fixedOffset: 0)
        let moment = HoursMoment(at: Timestamp(clampingSeconds: seconds), in: zone, .britishColumbia)
        return OpenHoursClock(moment) { $0 == "East" ? SookeModel.TimeZone(name: $0, fixedOffset: 36_000) : nil }
    }

    private static func change(_ transaction: inout WriteTransaction, _ random: inout SplitMix64) throws {
        let id = random.below(40)
        var patch = Patch<Business>()
        (patch.values.name, patch.values.slug) = ("\(random.below(9)) b\(id)", Slug("b\(id)"))
        patch.values.category = random.below(4) == 0 ? nil : Slug("bars")
        (patch.values.address, patch.values.latitude, patch.values.longitude) = ("1 A", 48, -123)
        patch.values.openingHours = texts[random.below(texts.count)]
        patch.values.timeZone = [nil, "East", "Nowhere"][random.below(3)]
        if random.below(3) == 0 {
            var row = SpecialHours()
            (row.from, row.isClosed) = (CivilDate(daysSinceEpoch: 20_000 + random.below(20)), true)
            patch.values.specialHours = [row]
        }
        patch.fields = .all.subtracting(["id", "owner_id", "hours", "menus", "former_slugs"])
        if random.below(6) == 0, let record = transaction.town.businesses[Slug("b\(id)")] {
            try transaction.deleteBusiness(record.id)
        } else {
            try transaction.upsert(patch)
        }
    }

    /// Until when what is open stays the same: the first opening or closing of all, at the latest the end of the day.
    @Test(arguments: [
        // Without a business no day ends.
        ([], "12:00:30", 0, "36:00"), (["off"], "12:00:30", 0, "24:00"), (["24/7"], "12:00:30", 1, "24:00"),
        (["Mo-Fr 09:00-17:00"], "08:59:59", 0, "09:00"), (["Mo-Fr 09:00-17:00"], "09:00:00", 1, "17:00"),
        (["Mo-Fr 09:00-17:00"], "16:59:59", 1, "17:00"), (["Mo-Fr 09:00-17:00"], "17:00:00", 0, "24:00"),
        (["Mo-Fr 09:00-17:00", "Mo-Fr 08:00-12:30", "24/7"], "10:00:00", 3, "12:30"),
        (["Mo-Fr 09:00-17:00", "Mo-Fr 13:00-16:00"], "10:00:00", 1, "13:00"),
        // The night belongs to the day before it, and is evaluated again at midnight.
        (["Mo-Su 20:00-02:00"], "23:30:00", 1, "24:00"), (["Mo-Su 20:00-02:00"], "00:10:00", 1, "02:00"),
    ])
    func untilWhen(hours: [String], time: String, count: Int, until: String) throws {
        var transaction = WriteTransaction(Town())
        _ = try transaction.create(TransactionTown.patch(SookeModel.Category.self, #"{"name":"Bars"}"#))
        for (index, text) in hours.enumerated() {
            try transaction.create(
                TransactionTown.patch(
                    Business.self,
                    #"{"name":"B\#(index)","category":"bars","address":"1 A","latitude":48,"longitude":-123,"#
                        + #""opening_hours":"\#(text)"}"#))
        }
        // A Monday.
        let midnight = try #require(Timestamp(rfc3339: "2026-11-23T00:00:00Z")).seconds
        let parts = time.split(separator: ":").compactMap { Int($0) }
        let now = OpenNow(
            in: transaction.town, at: Self.clock(midnight + parts[0] * 3600 + parts[1] * 60 + parts[2]))
        let end = until.split(separator: ":").compactMap { Int($0) }
        #expect(now.businesses.count == count)
        #expect(now.time.upperBound.seconds - midnight == end[0] * 3600 + end[1] * 60)
    }

    /// In any town: as each business by itself, and as long as it says.
    @Test(arguments: 1...UInt64(Cases.count(1, of: 3)))
    func anyTown(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var transaction = WriteTransaction(Town())
        _ = try transaction.create(TransactionTown.patch(SookeModel.Category.self, #"{"name":"Bars"}"#))
        for _ in 0..<120 {
            for _ in 0...random.below(3) { try Self.change(&transaction, &random) }
            let town = transaction.town
            for seconds in [1_728_000_000 + random.below(20 * 86_400), 1_730_000_000] {
                let clock = Self.clock(seconds)
                let now = OpenNow(in: town, at: clock)
                #expect(now.businesses.map(\.id) == town.listedBusinesses.filter { $0.isOpen(at: clock) }.map { $0.id })
                let last = now.time.upperBound.seconds - 1
                let later = OpenNow(in: town, at: Self.clock(last))
                #expect(later.businesses.map(\.id) == now.businesses.map(\.id), "\(seconds) to \(last)")
            }
        }
    }
}
