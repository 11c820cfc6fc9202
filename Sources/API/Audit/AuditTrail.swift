/// Where the audit is kept.
public protocol AuditTrail: Sendable {
    /// Keeps an entry. It must not wait for a disk: it is called on the event loops.
    func note(_ entry: AuditEntry)

    /// The newest entries that are kept, the newest first, each a JSON object.
    ///
    /// - Parameter limit: how many to give at most.
    func newest(_ limit: Int) throws -> [[UInt8]]
}
