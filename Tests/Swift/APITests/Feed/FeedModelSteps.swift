import Bytes
import JSON
import SookeModel

@testable import Store

/// Random steps of transactions; many are refused, and have no effect.
struct FeedModelSteps {
    typealias Step = @Sendable (inout WriteTransaction) throws -> Void

    static let slugs = (0..<8).map { "slug-\($0)" }
    private static let statuses = ["draft", "pending_review", "approved", "approved", "cancelled", "rejected"]
    private static let roles = ["general_user", "business_owner", "business_owner", "super_admin"]

    var random: SplitMix64
    let town: Town

    /// Some steps of one transaction.
    mutating func transaction() -> [Step] {
        (0...random.below(3)).flatMap { _ in steps() }
    }

    private mutating func steps() -> [Step] {
        switch random.below(20) {
        case 0...2: [upsert(.business, business(isNew: true))]
        case 3...6: [update(.business, business(isNew: false))]
        case 7: swapSlugs()
        case 8: [delete(.business)]
        case 9...10: [upsert(.event, event(isNew: true))]
        case 11...14: [update(.event, event(isNew: false))]
        case 15: [delete(.event)]
        case 16...17: [term(random.once(in: 2) ? .category : .eventType)]
        case 18: [update(.person, #""role":"\#(random.pick(Self.roles))""#)]
        default: [person()]
        }
    }

    // MARK: - Members

    private func ids(_ kind: RecordKind) -> [Int] {
        town.records(of: kind, above: 0, limit: 1000).map(\.id)
    }

    private mutating func id(_ kind: RecordKind) -> Int {
        let ids = ids(kind)
        return ids.isEmpty ? 0 : random.pick(ids)
    }

    private mutating func slug(_ kind: RecordKind) -> String {
        let records = town.records(of: kind, above: 0, limit: 1000)
        guard !records.isEmpty, let record = random.pick(records) as? any SluggedRecord else { return "null" }
        return "\"\(record.slug.text)\""
    }

    private mutating func name() -> String {
        let length = random.once(in: 30) ? 400 : 4
        return String(repeating: "n", count: length) + "\(random.below(40))"
    }

    private mutating func members(_ all: [(String, String)], isNew: Bool) -> String {
        let chosen = isNew ? all : (0...random.below(2)).map { _ in random.pick(all) }
        return chosen.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",")
    }

    private mutating func description() -> String {
        "\"\(String(repeating: "word ", count: random.once(in: 25) ? 1500 : 5))\(random.below(1000))\""
    }

    private mutating func business(isNew: Bool) -> String {
        let category = random.once(in: 3) ? "null" : slug(.category)
        let owner = random.once(in: 2) ? "null" : "\(id(.person))"
        var all = [
            ("name", "\"\(name())\""), ("category", category), ("owner_id", owner), ("description", description()),
            ("phone", random.once(in: 2) ? "null" : "\"\(random.below(100_000))\""),
        ]
        if isNew {
            all += [("address", "\"1 A\""), ("latitude", "48"), ("longitude", "-123.5")]
        } else {
            all += [
                ("slug", "\"\(random.pick(Self.slugs))\""),
                ("hours", #"[{"day_of_week":\#(random.below(7)),"open_time":"09:00","close_time":"17:00"}]"#),
                ("menus", #"[{"name":"m","items":[{"name":"i","price":"\#(random.below(9)).50"}]}]"#),
            ]
        }
        return members(all, isNew: isNew)
    }

    private mutating func event(isNew: Bool) -> String {
        let place = random.once(in: 3) ? "null" : slug(.business)
        let all = [
            ("name", "\"\(name())\""), ("event_type", slug(.eventType)), ("business", place),
            ("status", "\"\(random.pick(Self.statuses))\""), ("description", description()),
            ("starts_at", "\"2035-01-0\(1 + random.below(9))T00:00:00Z\""),
            ("submitted_by", random.once(in: 3) ? "null" : "\(id(.person))"),
            (random.once(in: 2) ? "reason" : "slug", "\"\(random.pick(Self.slugs))\""),
        ]
        return members(all, isNew: isNew)
    }

    // MARK: - Steps

    private func upsert(_ kind: RecordKind, _ members: String) -> Step {
        { try $0.upsert(kind, "{\(members)}") }
    }

    private mutating func update(_ kind: RecordKind, _ members: String) -> Step {
        let id = id(kind)
        return { transaction in
            switch kind {
            case .business: try transaction.update(id, try Self.patch(Business.self, members))
            case .event: try transaction.update(id, try Self.patch(Event.self, members))
            case .category: try transaction.update(id, try Self.patch(SookeModel.Category.self, members))
            case .eventType: try transaction.update(id, try Self.patch(EventType.self, members))
            default: try transaction.update(id, try Self.patch(Person.self, members))
            }
        }
    }

    private static func patch<Value: Record>(_ type: Value.Type, _ members: String) throws -> Patch<Value> {
        var problems = FieldProblems()
        var reader = JSONReader(Array("{\(members)}".utf8))
        let patch = try Patch<Value>(from: &reader, &problems)
        if !problems.isEmpty { throw problems }
        return patch
    }

    /// Two businesses swap their slugs in one commit.
    private mutating func swapSlugs() -> [Step] {
        let (first, second) = (id(.business), id(.business))
        guard first != second, let one = town.businesses[first]?.slug, let two = town.businesses[second]?.slug
        else { return [] }
        return [(first, "swap"), (second, one.text), (first, two.text)].map { id, slug in
            { try $0.update(id, try Self.patch(Business.self, #""slug":"\#(slug)""#)) }
        }
    }

    private mutating func delete(_ kind: RecordKind) -> Step {
        let ids = ids(kind)
        let id = random.once(in: 3) || ids.count > 12 ? ids.randomElement(using: &random) ?? 0 : 0
        return { transaction in
            if kind == .business { try transaction.deleteBusiness(id) } else { try transaction.deleteEvent(id) }
        }
    }

    private mutating func term(_ kind: RecordKind) -> Step {
        let ids = ids(kind)
        let (id, which) = (ids.randomElement(using: &random) ?? 0, random.below(5))
        if ids.count < 3 || which == 0 { return upsert(kind, #""name":"\#(name())""#) }
        if which == 1 {
            return { transaction in
                if kind == .category, let term = transaction.town.categories[id]?.value {
                    try transaction.delete(term)
                } else if let term = transaction.town.eventTypes[id]?.value {
                    try transaction.delete(term)
                }
            }
        }
        return update(kind, which == 2 ? #""slug":"\#(random.pick(Self.slugs))""# : #""name":"\#(name())""#)
    }

    private mutating func person() -> Step {
        let ids = ids(.person)
        if ids.count > 6 || ids.count > 3 && random.once(in: 4) {
            let id = random.pick(ids)
            return { try $0.deletePerson(id) }
        }
        let address = "p\(random.below(1_000_000))@sooke.example"
        return upsert(.person, #""email":"\#(address)","role":"\#(random.pick(Self.roles))""#)
    }
}
