/// Where the audit is stored.
public protocol AuditTrail: Sendable {
    /// Appends a line, a JSON object with a line feed behind it. It must not wait for a disk: it is called on the event
    /// loops.
    func append(_ line: [UInt8], to book: AuditBook)

    /// The newest lines that are stored, the newest first, each a JSON object.
    ///
    /// - Parameters:
    ///   - limit: how many to give at most.
    ///   - books: of which books.
    func newest(_ limit: Int, of books: [AuditBook]) throws -> [[UInt8]]
}

/// The parts of the audit. Each has its own room, so that strangers cannot push out what people did.
public enum AuditBook: Sendable, CaseIterable {
    /// What authenticated people did, and the owner of the server.
    case people
    /// What strangers tried.
    case strangers
}
