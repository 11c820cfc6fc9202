/// Bounds on what one account can store, keep open or have computed.
///
/// They are far above what a real town needs. Records that were stored before a bound existed stay valid: a bound
/// applies to requests and imports, never to what is read from disk.
public struct AccountLimits: Sendable {
    /// Receipts of idempotent requests that are stored at a time; the oldest one is dropped first. A client repeats a
    /// request within seconds, and at 120 writes a minute 1,000 of them are eight minutes old; refusing further keys
    /// would keep a client that uses keys from writing for the rest of the day.
    public var receipts = 1_000
    /// Size of these receipts together, in bytes of the responses they hold; the oldest one is dropped first.
    public var receiptBytes = 8 << 20
    /// Sessions that are open at a time; the oldest one is ended first.
    public var sessions = 20
    /// Networks from which somebody has logged in that are remembered; the one that was used longest ago is forgotten
    /// first.
    public var knownNetworks = 8
    /// Size of a business with its hours and menus, in bytes of its stored form; a larger one is refused with 422.
    public var businessBytes = 256 * 1024
    /// Former slugs of a record that redirect to it; the oldest one is dropped first.
    public var formerSlugs = 16

    /// The defaults.
    public init() {}

    /// What every server uses.
    public static let standard = AccountLimits()
}
