import Bytes
import Foundation
import SookeModel

/// An event: `name`, `slug`, `description`, `status` (`approved`, `cancelled`, and for some accounts `draft`,
/// `pending_review` or `rejected`), and what else the model has of an event.
public typealias EventDetails = Shown<SookeModel.Event, JoinedToEvent>

/// What is joined to an event.
public struct JoinedToEvent: Codable, Hashable, Sendable {
    /// The name of its type.
    public let eventTypeName: String
    /// The name of the business where it takes place.
    public internal(set) var businessName: String?
    /// Its start, RFC 3339 in UTC; of a series, that of the occurrence that represents it.
    public let startTime: String
    /// Its end, RFC 3339 in UTC; the start if the end is not known.
    public let endTime: String
    /// The occurrences of a series in the range of the request, in some responses.
    public internal(set) var occurrences: [EventOccurrence]?
    /// Whether the range has more of them.
    public internal(set) var hasMoreOccurrences: Bool?
    /// A status of a later server.
    var unknownStatus: String?

    private enum CodingKeys: String, CodingKey {
        case occurrences
        case unknownStatus = "status"
        case eventTypeName = "event_type_name"
        case businessName = "business_name"
        case startTime = "start_time"
        case endTime = "end_time"
        case hasMoreOccurrences = "has_more_occurrences"
    }
}

extension JoinedToEvent {
    /// Decodes the members of a response. The Go service has `starts_at` and `ends_at` alone.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let others = try decoder.container(keyedBy: MemberName.self)
        let start =
            try members.decodeIfPresent(String.self, forKey: .startTime)
            ?? others.decode(String.self, forKey: MemberName("starts_at"))
        let end =
            try members.decodeIfPresent(String.self, forKey: .endTime)
            ?? others.decodeIfPresent(String.self, forKey: MemberName("ends_at"))
        self.init(
            eventTypeName: try members.decode(String.self, forKey: .eventTypeName),
            businessName: try members.decodeIfPresent(String.self, forKey: .businessName), startTime: start,
            endTime: end ?? start,
            occurrences: try members.decodeIfPresent([EventOccurrence].self, forKey: .occurrences),
            hasMoreOccurrences: try members.decodeIfPresent(Bool.self, forKey: .hasMoreOccurrences),
            unknownStatus: try members.decodeIfPresent(String.self, forKey: .unknownStatus).flatMap { text in
                SookeModel.Event.Status(rawValue: text) == nil ? text : nil
            })
    }
}

extension EventDetails {
    /// Its status as it came, also one of a later server.
    public var status: String { joined.unknownStatus ?? value.status.rawValue }
    /// The slug of its type.
    public var eventTypeSlug: String { value.eventType.text }
    /// The slug of the business where it takes place.
    public var businessSlug: String? { value.business?.text }
    /// Degrees north; nil for an event without a place.
    public var latitude: Double? { value.latitude }
    /// Degrees east; nil for an event without a place.
    public var longitude: Double? { value.longitude }
}

/// One occurrence of an event that takes place several times. Instants are RFC 3339.
public struct EventOccurrence: Codable, Sendable, Hashable {
    /// Its start.
    public let startsAt: String
    /// Its end; nil if it is not known.
    public let endsAt: String?
    /// `cancelled` if it alone is, else the status of the event.
    public let status: String
    /// The start that the series gives it; nil when it was not moved.
    public let originalStartsAt: String?

    private enum CodingKeys: String, CodingKey {
        case status
        case startsAt = "starts_at"
        case endsAt = "ends_at"
        case originalStartsAt = "original_starts_at"
    }
}

extension SookeModel.Event {
    /// The most occurrences in the detail of an event, as in responses of the server.
    private static let mostOccurrences = 10
    /// How far the changes of clocks are known. Later occurrences keep the last offset.
    private static let yearsAhead = 12

    /// What is joined to the event at an instant: the times of the next occurrence of a series or one in progress, else
    /// of the last one, as in responses. `zone` is for a series that has none of its own; an event that `isAlone`, not
    /// an item of a list, has the next occurrences of its series.
    func joined(
        type: String, business: String?, at now: Timestamp, in zone: Foundation.TimeZone, isAlone: Bool
    ) -> JoinedToEvent {
        let recurrence = hasSeries ? clientRecurrence(in: zone, at: now) : nil
        let shown = recurrence?.representative(at: now)
        let start = shown?.startsAt ?? startsAt
        let end = shown?.effectiveEnd ?? endsAt ?? startsAt
        var occurrences: [EventOccurrence]?
        var isCut: Bool?
        if isAlone, let recurrence {
            let (found, hasMore) = recurrence.occurrences(
                in: now..<max(now, .endOfCalendar), limit: Self.mostOccurrences)
            isCut = hasMore
            occurrences = found.map { occurrence in
                EventOccurrence(
                    startsAt: occurrence.startsAt.rfc3339, endsAt: occurrence.endsAt?.rfc3339,
                    status: occurrence.isCancelled ? "cancelled" : status.rawValue,
                    originalStartsAt: occurrence.isMoved ? occurrence.original.rfc3339 : nil)
            }
        }
        return JoinedToEvent(
            eventTypeName: type, businessName: business, startTime: start?.rfc3339 ?? "", endTime: end?.rfc3339 ?? "",
            occurrences: occurrences, hasMoreOccurrences: isCut)
    }

    /// The occurrences; nil when the rule is not understood.
    private func clientRecurrence(in zone: Foundation.TimeZone, at now: Timestamp) -> RecurrenceSeries? {
        guard let startsAt else { return nil }
        let own = timeZone.flatMap(Foundation.TimeZone.init(identifier:)) ?? zone
        let clocks = SookeModel.TimeZone(own, from: min(startsAt, now), years: Self.yearsAhead, after: now)
        return recurrence(in: clocks)
    }
}
