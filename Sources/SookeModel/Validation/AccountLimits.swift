/// Limits on what one account can store, keep open or have computed.
///
/// They are far above what a real town needs. Records that are older than a limit stay valid: limits apply to requests
/// and imports, never to what is read from disk.
public struct AccountLimits: Sendable {
    /// The number of stored receipts; the oldest one is dropped first. A client repeats a request within seconds, and
    /// at 120 writes a minute 1,000 receipts cover eight minutes. Rejecting further keys would keep a client that uses
    /// keys from writing for the rest of the day.
    public var receipts = 1_000
    /// The number of stored receipts of all clients without an account together; the oldest one is dropped first.
    public var strangerReceipts = 10_000
    /// The number of open sessions; the oldest one is ended first.
    public var sessions = 20
    /// The number of open links that confirm one business; the oldest one is deleted first.
    public var confirmationLinks = 10
    /// The number of stored networks of logins; the least recently used one is dropped first.
    public var knownNetworks = 8
    /// The size of a business with its hours and menus, in bytes of its stored form; a larger one is rejected with 422.
    public var businessBytes = 256 * 1024
    /// The number of listed events that an account has submitted and that are not over. Those of editors and super
    /// admins, and of imports, have no limit.
    public var futureEvents = 300
    /// The bytes that the changes of an account add to the log in a day, except for imports of super admins.
    public var logBytesPerDay = 64 << 20
    /// The bytes that the logins and passwords of an account add to the log in a day: some 16,000 logins.
    public var loginLogBytesPerDay = 16 << 20
    /// The bytes that requests without an account from one network add to the log in a day: logins and links.
    public var networkLogBytesPerDay = 16 << 20
    /// The same for all networks together.
    public var strangerLogBytesPerDay = 256 << 20
    /// The bytes that proposals without an account, of all networks together, add to the log in a day. They have their own
    /// limit, so that they keep nobody from logging in.
    public var proposalLogBytesPerDay = 64 << 20
    /// The number of former slugs of a record that redirect to it; the oldest one is dropped first.
    public var formerSlugs = 16

    /// The defaults.
    public init() {}

    /// The limits of every server.
    public static let standard = AccountLimits()
}
