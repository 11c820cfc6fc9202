import Bytes

/// Whether a place is open at a time, until when, and why.
public struct OpenState: Sendable, Hashable {
    public enum Status: String, Sendable, Hashable, CaseIterable {
        case open
        /// Open for `soon` at most.
        case closingSoon = "closing_soon"
        /// Closed for `soon` at most.
        case opensSoon = "opens_soon"
        case closed
        case unknown
    }

    /// Which rule decides.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// A rule for days of the week, or for all days.
        case regular
        /// A rule for dates, years or weeks.
        case special
        case holiday
        /// No rule is known, or it says so.
        case unknown
    }

    /// An opening or a closing within this time is soon, in seconds.
    public static let soon = 3600

    public var status: Status
    public var reason: Reason
    /// The remark of the rule, or the name of the holiday; empty for none.
    public var comment = ""
    /// When it opens, closes or becomes unknown; nil if not known, or more than `OpeningSchedule.horizon` days away.
    public var until: Timestamp?
    /// When it opens next after now, or after the end of this opening; nil as for `until`.
    public var nextOpening: Timestamp?
    /// The holiday on which this opening began, or the next one of a closed place, if the hours do not mention it: then
    /// they are the usual ones, which are not confirmed for that day.
    public var unconfirmed: String?
    /// When an opening that goes on becomes unconfirmed, or confirmed; nil when it ends before.
    public var confirmationChange: Timestamp?
    /// Until when what it says is so: until it opens, closes or becomes unknown, confirmed or unconfirmed.
    public var end: Timestamp? { confirmationChange ?? until }
    /// The first time at which any of this may be different; nil when it stays.
    public var validUntil: Timestamp?

    public static let unknown = OpenState(status: .unknown, reason: .unknown)

    /// Whether it is open, soon or not; nil when that is not known.
    public var isOpen: Bool? {
        switch status {
        case .open, .closingSoon: true
        case .opensSoon, .closed: false
        case .unknown: nil
        }
    }
}
