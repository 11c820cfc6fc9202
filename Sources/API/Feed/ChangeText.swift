import JSON
import Service
import SookeModel
import Store

/// The JSON of changes.
///
/// A record has the members of its detail, without those that depend on the clock or on other records: those refer to
/// others by slug only.
enum ChangeText {
    /// A change as a JSON object; nil when the client sees no difference.
    ///
    /// `{"kind":"business","action":"updated","id":3,"slug":"zeds","former_slug":"zed","record":{…}}`
    static func json(_ event: FeedEvent) -> [UInt8]? {
        if event.action == .updated, let before = event.before, let after = event.after,
            !isVisible(from: before, to: after)
        {
            return nil
        }
        let record = event.after.map(form)
        let slug = event.after.flatMap(self.slug) ?? event.before.flatMap(self.slug)
        var writer = JSONWriter(reservingCapacity: (record?.count ?? 0) + 128)
        writer.beginObject()
        writer.member("kind", event.kind.name)
        writer.member("action", event.action.rawValue)
        writer.member("id", event.id)
        writer.member("slug", slug?.text)
        if event.action == .updated, let former = event.before.flatMap(self.slug), former != slug {
            writer.member("former_slug", former.text)
        }
        if let record {
            writer.key("record")
            writer.raw(record)
        }
        writer.endObject()
        return writer.bytes
    }

    /// The slug of a record of the feed.
    static func slug(of record: any StoredRecord) -> Slug? {
        (record as? any SluggedRecord)?.slug
    }

    /// Whether clients see a difference between two forms of a record.
    private static func isVisible(from before: any StoredRecord, to after: any StoredRecord) -> Bool {
        switch (before, after) {
        case (let before as Business, let after as Business): before.isVisiblyChanged(to: after)
        case (let before as Event, let after as Event): before.isVisiblyChanged(to: after)
        default: form(before) != form(after)
        }
    }

    private static func form(_ record: any StoredRecord) -> [UInt8] {
        var writer = JSONWriter(reservingCapacity: 1024)
        writer.beginObject()
        switch record {
        case let business as Business: business.writeForm(to: &writer)
        case let event as Event: event.writeForm(to: &writer)
        case let term as SookeModel.Category: term.writeFields(.all, to: &writer)
        case let term as EventType: term.writeFields(.all, to: &writer)
        default: break
        }
        writer.endObject()
        return writer.bytes
    }
}

extension Business {
    private static let shownAsStored = shown.subtracting(["hours", "menus"])
    /// The fields of which the form depends.
    private static let visible = shown.union(["category"])

    fileprivate func isVisiblyChanged(to after: Business) -> Bool {
        !difference(from: after).isDisjoint(with: Self.visible)
    }

    fileprivate func writeForm(to writer: inout JSONWriter) {
        writeFields(Self.shownAsStored, to: &writer)
        writer.member("category_slug", category?.text)
        writer.key("hours")
        writer.beginArray()
        for day in hours { day.writeShown(to: &writer) }
        writer.endArray()
        writer.key("menus")
        writer.beginArray()
        for menu in menus { menu.sortedByName.write(to: &writer) }
        writer.endArray()
    }
}

extension Event {
    private static let shown = FieldSet<Event>(where: { $0.contains(.shown) }).subtracting(["reason"])
    /// The fields of which the form of an unpublished event depends; that of a public one does not depend on the reason.
    private static let visible = shown.union(["event_type", "business", "reason"])
    private static let visibleWhenPublic = visible.subtracting(["reason"])

    fileprivate func isVisiblyChanged(to after: Event) -> Bool {
        let visible = after.status.isPublic ? Self.visibleWhenPublic : Self.visible
        return !difference(from: after).isDisjoint(with: visible)
    }

    /// The times are those of the series, because its next occurrence depends on the clock.
    ///
    /// The reason of a rejection is written only while the event is not public: then only those see it who may.
    fileprivate func writeForm(to writer: inout JSONWriter) {
        writeFields(Self.shown, to: &writer)
        if hasSeries {
            writer.member("series_starts_at", startsAt)
            writer.member("series_ends_at", endsAt)
        }
        writer.member("start_time", startsAt?.rfc3339)
        writer.member("end_time", (endsAt ?? startsAt)?.rfc3339)
        writer.member("event_type_slug", eventType.text)
        writer.member("business_slug", business?.text)
        if !status.isPublic, let reason { writer.member("reason", reason) }
    }
}
