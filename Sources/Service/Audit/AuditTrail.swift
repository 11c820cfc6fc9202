/// The storage of the audit.
public protocol AuditTrail: Sendable {
    /// Appends a line, a JSON object followed by a line feed. It must not wait for a disk: it is called on the event
    /// loops.
    func append(_ line: [UInt8], to book: AuditBook)

    /// The newest stored lines, the newest first, each a JSON object.
    ///
    /// - Parameters:
    ///   - limit: the most lines to return.
    ///   - books: the books to read.
    func newest(_ limit: Int, of books: [AuditBook]) throws -> [[UInt8]]
}

/// The parts of the audit. Each has its own space, so that entries without an account cannot displace those of people.
public enum AuditBook: Sendable, CaseIterable {
    /// Actions of authenticated people and of the owner of the server.
    case people
    /// Attempts without an account.
    case strangers
}
