import Bytes

/// Whether a place is open at a moment, until when, and why.
public struct OpenState: Sendable, Hashable {
    /// Whether it is open.
    public enum Status: String, Sendable, Hashable, CaseIterable {
        case open
        case closed
        case unknown
    }

    /// Which rule decides.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// A rule for days of the week, or for all days.
        case regular
        /// A rule for dates, years or weeks.
        case special
        /// A rule for public holidays.
        case holiday
        /// No rule is known, or it says so.
        case unknown
    }

    /// Whether it is open.
    public var status: Status
    /// Why.
    public var reason: Reason
    /// The remark of the rule; empty for none.
    public var comment = ""
    /// When the status changes; nil when that is not known, or more than `OpeningHours.horizon` days away.
    public var until: Timestamp?
    /// When it opens next after now, or after the end of this opening; nil as for `until`.
    public var nextOpening: Timestamp?

    /// Nothing is known.
    public static let unknown = OpenState(status: .unknown, reason: .unknown)
}
