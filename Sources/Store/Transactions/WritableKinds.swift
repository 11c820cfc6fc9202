import Bytes
import SookeModel

package protocol WritableVocabulary: Vocabulary {
    static var table: TablePath<TermRecord<Self>> { get }
}

extension WritableVocabulary {
    package static func table(of town: Town) -> TermTable<Self> { town.storage[0][keyPath: table] }
}

extension CategoryVocabulary: WritableVocabulary {
    package static var table: TablePath<TermRecord<Self>> { \.categories }
}

extension EventTypeVocabulary: WritableVocabulary {
    package static var table: TablePath<TermRecord<Self>> { \.eventTypes }
}

extension Term: WritableRecord, SluggedRecord where Vocabulary: WritableVocabulary {
    package typealias Stored = TermRecord<Vocabulary>

    package static func term(named name: String) -> Patch<Self>? {
        var patch = Patch<Self>()
        patch.values.name = name
        patch.fields = ["name"]
        return patch
    }

    package static func find(_ slug: Slug, in town: Town) -> Self? {
        Vocabulary.table(of: town)[slug]?.value
    }

    package static func inOrderOfName(in town: Town) -> [Self] {
        Vocabulary.table(of: town).inOrderOfName().map(\.value)
    }

    package func otherOfSameName(in town: Town) -> Int? {
        Vocabulary.table(of: town).ids(named: name).first { $0 != id }
    }
}

extension Event: SluggedRecord {
    package typealias Stored = EventRecord

    package static func find(_ slug: Slug, in town: Town) -> Event? { town.events[slug]?.value }

    package static func id(formerly slug: Slug, in town: Town) -> Int? {
        (town.events[pending: slug] ?? town.events[formerly: slug])?.id
    }

    /// So that nobody can take over the former slugs of a public event with another one of that name.
    package func isReserved(_ slug: Slug, in town: Town) -> Bool {
        town.events.publicEvent(formerly: slug).map { $0.value.id != id } ?? false
    }

    package mutating func settle(after existing: Event?, in town: Town, _ problems: inout FieldProblems) {
        if status != .cancelled { (cancelledAt, cancelledBy) = (nil, nil) }
        settle(after: existing, in: town.zone(of: self), &problems)
    }

    package mutating func addFormerSlug(of existing: Event) {
        if status.isPublic { formerSlugs.removeAll { $0 == slug } }
        if existing.status.isPublic, !status.isPublic || slug != existing.slug {
            formerSlugs.appendFormer(existing.slug)
        }
    }
}

extension Business {
    /// Where apps show one without a location.
    package static let needsCenter =
        "is missing, and the town has no center, where it would be shown until its location is known"

    package func checkReferences(in town: Town, _ problems: inout FieldProblems) {
        requireReferences(in: town, &problems)
        guard latitude == nil, longitude == nil, town.settings.center == nil else { return }
        for field in ["latitude", "longitude"] { problems.add(field, Self.needsCenter) }
    }
}

extension Settings {
    /// The next start would set other clocks, where these were removed.
    package func checkReferences(in town: Town, _ problems: inout FieldProblems) {
        let before = town.settings
        problems.require(timeZone != nil || before.timeZone == nil, "time_zone", "cannot be removed; replace it")
        let hasHolidays = holidays != nil || !holidayDates.isEmpty
        problems.require(
            hasHolidays || Holidays.of(before) == nil, "holidays", "cannot be removed; replace them")
        guard center == nil, town.settings.center != nil else { return }
        let waiting = town.waitingForLocation.count
        problems.require(
            waiting == 0, "center",
            "cannot be removed: \(Count(waiting, "business")) without a location \(waiting == 1 ? "is" : "are") shown "
                + "there"
        )
    }
}

extension Person: WritableRecord {
    package typealias Stored = Person

    package var importKey: String { String(decoding: CaseFolding.fold(email), as: UTF8.self) }

    package static func existing(for patch: inout Patch<Person>, in town: Town) -> Person? {
        town.people[email: patch.values.email]
    }

    /// The credentials that they made for others end with the permission to make them.
    package func changeOthers(after existing: Person, in transaction: inout WriteTransaction) {
        if existing.role == .superAdmin, role != .superAdmin { transaction.deleteCredentials(madeForOthersBy: id) }
    }

    package func checkReferences(in town: Town, _ problems: inout FieldProblems) {
        guard let other = town.people[email: email], other.id != id else { return }
        problems.add("email", "\"\(email)\" is the address of another user")
    }
}

/// The starter set: categories and event types with which a town can begin.
package enum StarterTerms {
    /// Each with other words for it.
    private static let categories: KeyValuePairs = [
        "Restaurants": "food, eat, lunch, dinner, takeout, pub, bar, pizza, diner",
        "Cafés & Bakeries": "coffee, tea, bread, cake, breakfast",
        "Groceries & Markets": "food, supermarket, deli, farm", "Shops & Galleries": "store, gift, clothes, books, art",
        "Outdoors & Recreation": "fishing, kayak, bike, tour, gym, golf",
        "Pharmacies": "chemist, dispensary, drugstore, drug store",
        "Health & Wellness": "doctor, dentist, clinic, physio, massage, optician, yoga",
        "Pets & Vets": "veterinarian, dog, cat",
        "Home & Trades": "plumber, electrician, carpenter, roofer, painter, builder, contractor, handyman, hardware",
        "Automotive & Marine": "garage, mechanic, gas, petrol, tires, boat, marina",
        "Lodging": "hotel, motel, inn, bed and breakfast, campground, hostel",
        "Community & Services": "library, bank, lawyer, accountant, hairdresser, barber, charity, club",
        "Places of Worship": "church, chapel, mosque, synagogue, temple, gurdwara",
        "Schools & Childcare": "school, daycare, preschool",
        "Government & Band Office": "council, municipality, town hall, first nation, police, post office",
        "Parks & Halls": "park, trail, playground, beach, hall, community centre",
    ]
    private static let eventTypes = [
        "Live Music", "Farmers' Market", "Arts & Culture", "Workshop", "Family & Kids", "Outdoors & Nature",
        "Food & Drink", "Community Meeting", "Sports & Recreation", "Fundraiser",
    ]

    @discardableResult
    package static func create(in transaction: inout WriteTransaction) -> [RecordKind] {
        var created: [RecordKind] = []
        for (name, synonyms) in categories
        where SookeModel.Category.id(of: Slug.make(from: name), in: transaction.town) == nil {
            var patch = Patch<SookeModel.Category>()
            (patch.values.name, patch.fields) = (name, ["name", "synonyms"])
            patch.values.setSynonyms(synonyms)
            if (try? transaction.upsert(patch)) != nil { created.append(.category) }
        }
        for name in eventTypes where EventType.createTerm(name, in: &transaction) != nil { created.append(.eventType) }
        return created
    }
}

extension WritableRecord {
    /// Creates a term; nil for kinds that are no terms, and when its name is invalid or taken.
    package static func createTerm(_ name: String, in transaction: inout WriteTransaction) -> Slug? {
        let slug = Slug.make(from: name)
        guard let patch = term(named: name), id(of: slug, in: transaction.town) == nil,
            (try? transaction.upsert(patch)) != nil
        else { return nil }
        return slug
    }
}
