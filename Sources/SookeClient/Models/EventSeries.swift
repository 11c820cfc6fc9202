/// The series of an event that takes place several times. Moments are RFC 3339.
public struct EventSeries: Codable, Sendable, Hashable {
    /// A change of one occurrence.
    public struct Override: Codable, Sendable, Hashable {
        /// The start that the series gives the occurrence.
        public let occurrence: String
        /// Its start instead; nil when it is not moved.
        public let startsAt: String?
        /// Its end instead; nil when it lasts as usual.
        public let endsAt: String?
        /// Whether it is cancelled.
        public let isCancelled: Bool

        private enum CodingKeys: String, CodingKey {
            case occurrence
            case startsAt = "starts_at"
            case endsAt = "ends_at"
            case isCancelled = "is_cancelled"
        }
    }

    /// One occurrence.
    public struct Occurrence: Codable, Sendable, Hashable {
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

    /// The start of the series.
    public let startsAt: String
    /// The end of an occurrence at the start; nil if it is not known.
    public let endsAt: String?
    /// The name of the time zone on whose clocks it is repeated; nil for that of its business or of the town.
    public let timeZone: String?
    /// The rule by which it is repeated (RFC 5545); nil when it is repeated at `rdates` only.
    public let rule: String?
    /// The starts that the rule gives and that are left out.
    public let exdates: [String]
    /// Further starts.
    public let rdates: [String]
    /// The occurrences that are moved or cancelled.
    public let overrides: [Override]
    /// The occurrences in the range of the request, in some responses.
    public internal(set) var occurrences: [Occurrence]?
    /// Whether the range has more of them.
    public internal(set) var hasMoreOccurrences: Bool?

    /// The members of an event that belong to its series.
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case exdates, rdates, overrides, occurrences
        case startsAt = "series_starts_at"
        case endsAt = "series_ends_at"
        case timeZone = "time_zone"
        case rule = "rrule"
        case hasMoreOccurrences = "has_more_occurrences"
    }

    /// Decodes a series. The feed leaves out empty lists.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        startsAt = try members.decode(String.self, forKey: .startsAt)
        endsAt = try members.decodeIfPresent(String.self, forKey: .endsAt)
        timeZone = try members.decodeIfPresent(String.self, forKey: .timeZone)
        rule = try members.decodeIfPresent(String.self, forKey: .rule)
        exdates = try members.decodeIfPresent([String].self, forKey: .exdates) ?? []
        rdates = try members.decodeIfPresent([String].self, forKey: .rdates) ?? []
        overrides = try members.decodeIfPresent([Override].self, forKey: .overrides) ?? []
        occurrences = try members.decodeIfPresent([Occurrence].self, forKey: .occurrences)
        hasMoreOccurrences = try members.decodeIfPresent(Bool.self, forKey: .hasMoreOccurrences)
    }

    /// The series in the members of an event; nil when it is in none.
    init?(ofEvent decoder: any Decoder) throws {
        guard try decoder.container(keyedBy: CodingKeys.self).contains(.startsAt) else { return nil }
        try self.init(from: decoder)
    }
}
