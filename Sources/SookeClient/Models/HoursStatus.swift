/// Whether a business is open. "Soon" is within an hour.
public enum HoursStatus: Sendable, Hashable {
    /// Open for more than an hour.
    case open(closesAt: String)
    /// Open for an hour at most.
    case closingSoon(closesAt: String)
    /// Closed for an hour at most.
    case opensSoon(opensAt: String)
    /// Closed for more than an hour.
    case closed
    /// The hours of the day are not known.
    case unknown

    /// Whether the business is open now.
    public var isOpen: Bool {
        switch self {
        case .open, .closingSoon: true
        case .opensSoon, .closed, .unknown: false
        }
    }

    /// The status for people.
    public var displayText: String {
        switch self {
        case .open(let time): "Open - Closes at \(time.formattedAsTime)"
        case .closingSoon(let time): "Closing soon - \(time.formattedAsTime)"
        case .opensSoon(let time): "Opens soon - \(time.formattedAsTime)"
        case .closed: "Closed"
        case .unknown: "Hours not available"
        }
    }
}
