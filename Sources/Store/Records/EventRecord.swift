import Bytes
import JSON
import SookeModel

/// An event as a version of the town holds it, with what answers need of it encoded once.
///
/// An event is `head`, its type's `reference`, a comma, its coordinates or those of its business, `middle`,
/// the reference of its business, and `}`.
public final class EventRecord: Sendable {
    /// The event itself.
    public let value: Event
    /// The number of its type.
    public let eventTypeID: Int
    /// The number of the business it happens at.
    public let businessID: Int?
    /// The members from `id` to `description`, with the opening brace and a last comma.
    public let head: [UInt8]
    /// The members `starts_at`, `ends_at`, `start_time`, `end_time` and `status`, with a comma before and after.
    public let middle: [UInt8]
    /// The name as `CaseFolding` folds it, to be searched in.
    public let foldedName: [UInt8]
    let startsAt: Timestamp
    private let lazyDigest = LazyDigest()

    /// Nil when the event has no start, which validation does not let pass.
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

    /// When it is over: its end, or its start when nobody gave an end.
    public var isOverAt: Timestamp { value.endsAt ?? startsAt }

    /// The digest of the event as it is stored; see `StoredRecord.digest`.
    public var digest: UInt64 { lazyDigest.get { value.digest } }

    /// Where it is, when that is not at a business.
    public var coordinates: Coordinates? {
        Coordinates(latitude: value.latitude, longitude: value.longitude)
    }

    /// The two members that name no business.
    public static let noBusiness = referenceMembers(of: "business", name: nil, slug: nil)

    var startKey: MomentKey { MomentKey(moment: startsAt, id: value.id) }
    var endKey: MomentKey { MomentKey(moment: isOverAt, id: value.id) }

    private static func encodeMiddle(_ value: Event) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("starts_at", value.startsAt?.rfc3339)
        writer.member("ends_at", value.endsAt?.rfc3339)
        // The names in newer versions of the app, which expect an end for every event.
        writer.member("start_time", value.startsAt?.rfc3339)
        writer.member("end_time", (value.endsAt ?? value.startsAt)?.rfc3339)
        writer.member("status", value.status.rawValue)
        var bytes = writer.bytes
        bytes[0] = UInt8(ascii: ",")
        bytes.append(UInt8(ascii: ","))
        return bytes
    }
}

/// The place of an event in a list by time, and among those of one moment by number.
struct MomentKey: Comparable, Sendable {
    let moment: Timestamp
    let id: Int

    static func < (left: MomentKey, right: MomentKey) -> Bool {
        left.moment == right.moment ? left.id < right.id : left.moment < right.moment
    }

    /// Lies before every event of a moment.
    static func start(of moment: Timestamp) -> MomentKey {
        MomentKey(moment: moment, id: .min)
    }
}
