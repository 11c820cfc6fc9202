import SookeModel

/// What an import knows besides its files.
public struct ImportOptions: Sendable {
    /// The time zone of the town: that of times without an offset.
    public var zone: TimeZone
    /// Finds the time zone with a name; nil when there is none.
    public var findZone: @Sendable (String) -> TimeZone?
    /// Whether categories and event types that do not exist are created.
    public var createsTerms = false
    /// Whether the starter set of categories and event types is added.
    public var addsStarter = false
    /// Whether records that are invalid are left out, instead of all being refused.
    public var skipsInvalid = false
    /// The category of businesses without one, by name or slug; nil for none.
    public var category: String?
    /// The event type of events without one, by name or slug; nil for none.
    public var eventType: String?

    /// What records get that refer to no term of a kind; nil for none.
    func term(of kind: RecordKind) -> String? { kind == .category ? category : kind == .eventType ? eventType : nil }

    /// The options of a town in a time zone.
    ///
    /// - Parameter findZone: finds a time zone; by default every name is one, with the offset of UTC.
    public init(
        zone: TimeZone = TimeZone(name: "Etc/UTC", fixedOffset: 0),
        findZone: @escaping @Sendable (String) -> TimeZone? = { TimeZone(name: $0, fixedOffset: 0) }
    ) {
        (self.zone, self.findZone) = (zone, findZone)
    }
}
