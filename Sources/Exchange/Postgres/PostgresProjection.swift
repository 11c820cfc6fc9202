import Bytes
import JSON
import SookeModel
import Store

/// How the records of a town become rows of the Go service's tables.
///
/// It depends on nothing but the record, the IDs of the records that it refers to by slug, and the center of the town.
/// So an export, a follower and an import agree on it.
package struct PostgresProjection: Sendable {
    /// Events without a submitter belong to this person: the Go service requires one.
    static let nobody = 0

    /// Where the Go service shows places without a location.
    let center: Coordinates?
    let id: @Sendable (RecordKind, Slug) -> Int?

    package init(_ town: Town) {
        self.init(center: town.settings.center) { kind, slug in Town.recordType(of: kind)?.id(of: slug, in: town) }
    }

    package init(center: Coordinates?, id: @escaping @Sendable (_ kind: RecordKind, _ slug: Slug) -> Int?) {
        (self.center, self.id) = (center, id)
    }

    /// A record of a private kind has only a document, which belongs in an export of private records.
    package func rows(of record: any StoredRecord) -> [PostgresRow] {
        serviceRows(of: record) + [documentRow(of: record)]
    }

    func serviceRows(of record: any StoredRecord) -> [PostgresRow] {
        [ownRow(of: record)].compactMap(\.self) + ((record as? Business).map(partRows) ?? [])
    }

    func ownRow(of record: any StoredRecord) -> PostgresRow? {
        switch record {
        case let business as Business: row(of: business)
        case let event as Event: row(of: event)
        case let person as Person: row(of: person)
        case let category as Category: row(of: category, .categories)
        case let type as EventType: row(of: type, .eventTypes)
        default: nil
        }
    }

    func documentRow(of record: any StoredRecord) -> PostgresRow {
        let document =
            if let record = record as? any Record { PostgresDocument.text(of: record) } else { record.written }
        return PostgresRow(
            .documents, [type(of: record).kind.name, "\(record.id)", String(decoding: document, as: UTF8.self)])
    }

    static let nobodyRow = PostgresRow(
        .users,
        ["\(nobody)", "sooke:nobody", Person.Role.generalUser.rawValue, "nobody@sooke.invalid", ""] + times(.init()))
}

extension PostgresProjection {
    func row(of person: Person) -> PostgresRow {
        // The Go service does not know editors.
        let role = person.role == .editor ? Person.Role.generalUser : person.role
        return PostgresRow(
            .users,
            [
                person.id.description, PostgresText.text(person.clerkID ?? Self.clerkID(of: person.id)), role.rawValue,
                PostgresText.text(person.email), PostgresText.text(person.displayName ?? ""),
            ] + Self.times(person.times))
    }

    static func clerkID(of person: Int) -> String { "sooke:\(person)" }

    func row(of term: Term<some Vocabulary>, _ table: PostgresTable) -> PostgresRow {
        PostgresRow(
            table,
            [term.id.description, PostgresText.text(term.name), PostgresText.text(term.slug.text)]
                + Self.times(term.times))
    }

    func row(of business: Business) -> PostgresRow {
        let place = business.coordinates ?? center
        return PostgresRow(
            .businesses,
            [
                business.id.description, business.ownerID?.description, id(.category, of: business.category),
                PostgresText.text(business.name), PostgresText.text(business.slug.text),
                PostgresText.text(business.description), PostgresText.text(business.phone),
                PostgresText.text(business.email), PostgresText.text(business.website),
                PostgresText.text(business.address), PostgresText.double(place?.latitude ?? 0),
                PostgresText.double(place?.longitude ?? 0),
            ] + Self.times(business.times))
    }

    func partRows(of business: Business) -> [PostgresRow] {
        hourRows(of: business) + menuRows(of: business) + itemRows(of: business)
    }

    /// From the first opening of a day to the last closing, as the API shows them.
    func hourRows(of business: Business) -> [PostgresRow] {
        guard !business.hours.isEmpty else { return [] }
        let (id, times) = (business.id.description, Self.partTimes(business))
        return business.hours.rowsOfWeek.map { day in
            PostgresRow(
                .hours,
                [
                    day.id.description, id, day.dayOfWeek.description, day.opens.text, day.closes.text,
                    PostgresText.boolean(day.isClosed),
                ] + times)
        }
    }

    func menuRows(of business: Business) -> [PostgresRow] {
        guard !business.menus.isEmpty else { return [] }
        let (id, times) = (business.id.description, Self.partTimes(business))
        var names: Set<ByteText> = []
        return business.menus.map { menu in
            var name = PostgresText.text(menu.name) ?? ""
            // Menus of an earlier version may share a name, which is unique in the Go service's table.
            if !names.insert(ByteText(name)).inserted { name += " (\(menu.id))" }
            return PostgresRow(
                .menus, [menu.id.description, id, name, PostgresText.text(menu.description)] + times)
        }
    }

    func itemRows(of business: Business) -> [PostgresRow] {
        guard !business.menus.isEmpty else { return [] }
        let times = Self.partTimes(business)
        return business.menus.flatMap { menu in
            let menuID = menu.id.description
            return menu.items.map { item in
                PostgresRow(
                    .items,
                    [
                        item.id.description, menuID, PostgresText.text(item.name), PostgresText.text(item.description),
                        item.price == .unpriced ? "0.00" : item.price.text,
                    ] + times)
            }
        }
    }

    func row(of event: Event) -> PostgresRow {
        let business = id(.business, of: event.business)
        // The Go service refuses an event with a business and coordinates.
        let place = business == nil ? event.coordinates : nil
        return PostgresRow(
            .events,
            [
                event.id.description, id(.eventType, of: event.eventType), "\(event.submittedBy ?? Self.nobody)",
                business,
                PostgresText.text(event.name), PostgresText.text(event.slug.text),
                PostgresText.text(event.description), (place?.latitude).map(PostgresText.double),
                (place?.longitude).map(PostgresText.double), event.startsAt.map(PostgresText.timestamp),
                event.endsAt.map(PostgresText.timestamp),
                // The Go service shows what is public, and knows of no calendars.
                (event.withdrawnAt == nil ? event.status : .draft).rawValue,
            ] + Self.times(event.times))
    }

    private func id(_ kind: RecordKind, of slug: Slug?) -> String? {
        slug.flatMap { id(kind, $0) }?.description
    }

    /// Times that are not known are the epoch: the same in each export.
    private static func times(_ times: RecordTimes) -> [String?] {
        let epoch = Timestamp.epoch
        let created = PostgresText.timestamp(times.created ?? epoch)
        guard let updated = times.updated, updated != times.created else { return [created, created] }
        return [created, PostgresText.timestamp(updated)]
    }

    /// When a part was changed is not known; with the last change of its business, each would rewrite the rows of all.
    private static func partTimes(_ business: Business) -> [String?] {
        var times = business.times
        times.updated = times.created
        return Self.times(times)
    }
}

enum PostgresDocument {
    /// Without the members that the row holds as the IDs of others: a new slug of another record must not change it.
    static func text<Value: Record>(of record: Value) -> [UInt8] {
        var writer = JSONWriter(reservingCapacity: 512)
        writer.beginObject()
        record.writeFields(FieldSet<Value>.all.subtracting(fieldsWithSlugs()), to: &writer)
        writer.endObject()
        return writer.bytes
    }

    static func fieldsWithSlugs<Value: Record>() -> FieldSet<Value> {
        var fields = FieldSet<Value>()
        for reference in Value.references {
            if case .id = reference.path { continue }
            // The Go service knows no host of an event.
            guard PostgresTable.of(Value.kind)?.index(of: "\(reference.field)_id") != nil else { continue }
            fields.insert(reference.field)
        }
        return fields
    }
}
