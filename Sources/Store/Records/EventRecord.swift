import Bytes
import JSON
import SookeModel

/// An event in a version of the town, with the parts of responses encoded once.
///
/// An event in a response consists of `head`, its type's `reference`, a comma, its coordinates or those of its
/// business, `middle`, the reference of its business, and `}`.
public final class EventRecord: Sendable {
    /// The event.
    public let value: Event
    /// The ID of its type.
    public let eventTypeID: Int
    /// The ID of the business where it takes place.
    public let businessID: Int?
    /// The members from `id` to `description`, with the opening brace and a trailing comma.
    public let head: [UInt8]
    /// The members `starts_at`, `ends_at`, `start_time`, `end_time` and `status`, with a comma before and after.
    public let middle: [UInt8]
    /// The name as folded by `CaseFolding`, for searches.
    public let foldedName: [UInt8]
    let startsAt: Timestamp
    private let lazyDigest = LazyDigest()

    /// Nil for an event without start, which validation rejects.
    init?(_ value: Event, eventTypeID: Int, businessID: Int?) {
        guard let startsAt = value.startsAt else { return nil }
        self.value = value
        self.eventTypeID = eventTypeID
        self.businessID = businessID
        self.startsAt = startsAt
        foldedName = CaseFolding.fold(value.name)
        head = RecordHead.encode(
            id: value.id, name: value.name, slug: value.slug, description: value.description)
        middle = Self.encodeMiddle(value)
    }

    /// The end of the event, or its start if it has no end.
    public var effectiveEnd: Timestamp { value.endsAt ?? startsAt }

    /// The digest of the stored event; see `StoredRecord.digest`.
    public var digest: UInt64 { lazyDigest.get { value.digest } }

    /// The location, when the event does not take place at a business.
    public var coordinates: Coordinates? {
        Coordinates(latitude: value.latitude, longitude: value.longitude)
    }

    /// The two members of an event without business.
    public static let noBusiness = referenceMembers(of: "business", name: nil, slug: nil)

    var startKey: MomentKey { MomentKey(moment: startsAt, id: value.id) }
    var endKey: MomentKey { MomentKey(moment: effectiveEnd, id: value.id) }

    private static func encodeMiddle(_ value: Event) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("starts_at", value.startsAt?.rfc3339)
        writer.member("ends_at", value.endsAt?.rfc3339)
        // The names in newer versions of the app, which require an end for each event.
        writer.member("start_time", value.startsAt?.rfc3339)
        writer.member("end_time", (value.endsAt ?? value.startsAt)?.rfc3339)
        writer.member("status", value.status.rawValue)
        var bytes = writer.bytes
        bytes[0] = UInt8(ascii: ",")
        bytes.append(UInt8(ascii: ","))
        return bytes
    }
}

/// The key of an event in a list by time, then by ID.
struct MomentKey: Comparable, Sendable {
    let moment: Timestamp
    let id: Int

    static func < (left: MomentKey, right: MomentKey) -> Bool {
        left.moment == right.moment ? left.id < right.id : left.moment < right.moment
    }

    /// A key below those of all events of a moment.
    static func start(of moment: Timestamp) -> MomentKey {
        MomentKey(moment: moment, id: .min)
    }
}

/// The first members of an event in a response.
enum RecordHead {
    /// The members from `id` to `description`, with the opening brace and a trailing comma.
    static func encode(id: Int, name: String, slug: Slug, description: String?) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("id", id)
        writer.member("name", name)
        writer.member("slug", slug.text)
        writer.member("description", description)
        return writer.bytes + [UInt8(ascii: ",")]
    }
}
