/// Limits on what one account can store, keep open or have computed.
///
/// They are far above what a real town needs. Records that are older than a limit stay valid: limits apply to requests
/// and imports, never to what is read from disk.
public struct AccountLimits: Sendable {
    /// The stored receipts; the oldest is dropped first, for rejecting would keep a client from writing all day.
    public var receipts = 1_000
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
    /// The number of former slugs of a record that redirect to it; the oldest one is dropped first.
    public var formerSlugs = 16

    public init() {}

    public static let standard = AccountLimits()
}
