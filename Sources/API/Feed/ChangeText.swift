import JSON
import Service
import SookeModel
import Store

/// A record has the members of its detail, without those that depend on the clock or on other records: those refer to
/// others by slug only.
enum ChangeText {
    /// `{"kind":"business","action":"updated","id":3,"slug":"zeds","former_slug":"zed","record":{…}}`; nil when the
    /// client sees no difference.
    static func json(_ event: FeedEvent) -> [UInt8]? {
        if event.action == .updated, let before = event.before, let after = event.after,
            before.hasSameFeedForm(asAny: after)
        {
            return nil
        }
        let record = event.after?.feedForm
        let slug = event.after?.ownSlug ?? event.before?.ownSlug
        var writer = JSONWriter(reservingCapacity: (record?.count ?? 0) + 128)
        writer.beginObject()
        writer.member("kind", event.kind.name)
        writer.member("action", event.action.rawValue)
        writer.member("id", event.id)
        writer.member("slug", slug?.text)
        if event.action == .updated, let former = event.before?.ownSlug, former != slug {
            writer.member("former_slug", former.text)
        }
        if let record {
            writer.key("record")
            writer.raw(record)
        }
        writer.endObject()
        return writer.bytes
    }
}
