import Bytes
import Journal
import SookeModel
import Store

/// Turns the commits of a log into transactions for `psql`, which bring a database that has an export up to date.
///
/// Each transaction begins with a call that moves the position of the database from where it must be to where it will be.
/// The new position is computed from the commits that the transaction contains. So a transaction that is missing,
/// repeated or of another town fails, and changes nothing.
///
/// The follower knows nothing of the town: what a row takes from other records, Postgres looks up.
public struct PostgresFollower {
    private var lines = CommitLineReader()
    private let hasPrivateRecords: Bool
    private var store = ""
    /// Where the database is.
    private var position: CommitPosition?
    /// The commits that are not verified yet.
    private var commits: [CommitLineReader.LineOfCommit] = []

    /// - Parameter hasPrivateRecords: whether the private records are among the documents.
    public init(hasPrivateRecords: Bool) {
        self.hasPrivateRecords = hasPrivateRecords
    }

    /// What the script begins with. It changes nothing; the first error must end `psql`.
    ///
    /// A statement is planned once, maybe while its tables are empty; where it may scan, that plan would scan them when they
    /// are full. A plan that has no index gets a cost so high without scans that Postgres would compile it.
    private static let beginning = """
        \\set ON_ERROR_STOP on
        SET client_min_messages = warning;
        SET statement_timeout = 0;
        SET enable_seqscan = off;
        SET jit = off;
        DEALLOCATE ALL;

        """

    /// Reads the next bytes of the log, and writes a transaction for the commits before each position.
    ///
    /// - Throws: `CommitLineReader.Failure` or `StoredRecordError` when they are not what a log has, and what `output`
    ///   throws.
    public mutating func read(_ bytes: [UInt8], to output: @escaping ([UInt8]) throws -> Void) throws {
        lines.append(bytes)
        while let line = try lines.next() {
            switch line {
            case .start(let store, let after):
                (self.store, position) = (store, after)
                let statements = PostgresTable.all.map { "\($0.preparation);\n" }
                try output(Array((Self.beginning + statements.joined()).utf8))
            case .commit(let commit): commits.append(commit)
            case .position(let reached, let behind):
                // A comment shows whether the reader is still there.
                if commits.isEmpty { try output(Array("-- at \(reached)\n".utf8)) }
                try writeTransaction(to: reached, isBehind: behind > 0, output)
            }
        }
    }

    private mutating func writeTransaction(
        to reached: CommitPosition, isBehind: Bool, _ output: @escaping ([UInt8]) throws -> Void
    ) throws {
        guard let position, !commits.isEmpty else { return }
        let read = try commits.map { try PostgresCommit($0.bytes, hasPrivateRecords) }
        var script = PostgresStatements(output)
        try script.append("BEGIN")
        try script.append("SET LOCAL client_encoding = 'UTF8'")
        try script.append("SET LOCAL timezone = 'UTC'")
        // What is lost with the machine is sent again, from the position in the database.
        if isBehind { try script.append("SET LOCAL synchronous_commit = off") }
        try script.endMessage()
        try script.append(
            "CALL sooke_advance(\(store.postgresLiteral), '\(position)', '\(reached)', "
                + "'\(PostgresText.timestamp(read.last?.at ?? Timestamp.epoch))')")
        var highest: [PostgresTable: Int] = [:]
        for commit in read {
            try commit.write(to: &script)
            highest.merge(commit.highest, uniquingKeysWith: max)
        }
        for table in PostgresTable.ofService {
            guard let id = highest[table] else { continue }
            try script.append("CALL sooke_given(\(table.name.postgresLiteral), \(id))")
        }
        try script.append("COMMIT")
        try script.endMessage()
        try script.finish()
        (self.position, commits) = (reached, [])
    }
}

/// Statements for `psql`, of which many go to the server in one message: a message for each would take longer than the
/// statement.
struct PostgresStatements {
    private let output: ([UInt8]) throws -> Void
    private var bytes: [UInt8] = []
    private var messageStart = 0
    /// The longest message, unless one statement is longer.
    private static let messageSize = 1 << 16

    init(_ output: @escaping ([UInt8]) throws -> Void) {
        self.output = output
    }

    /// Appends a statement, which has no semicolon at its end.
    mutating func append(_ statement: String) throws {
        if bytes.count > messageStart {
            if bytes.count - messageStart + statement.utf8.count > Self.messageSize {
                try endMessage()
            } else {
                bytes.append("\\;\n")
            }
        }
        bytes.append(utf8: statement)
    }

    /// Sends the statements so far.
    mutating func endMessage() throws {
        guard bytes.count > messageStart else { return }
        bytes.append(";\n")
        if bytes.count >= Self.messageSize { try finish() }
        messageStart = bytes.count
    }

    /// Writes everything.
    mutating func finish() throws {
        if !bytes.isEmpty { try output(bytes) }
        (bytes, messageStart) = ([], 0)
    }
}
