import Bytes
import Journal
import SookeModel
import Store

/// Turns the commits of a log into transactions for `psql`, which bring a database that has an export up to date.
///
/// Each transaction begins with a call that moves the position of the database to one that is computed from the commits
/// in it. So a transaction that is missing, repeated or of another town fails, and changes nothing.
///
/// The follower knows nothing of the town: what a row takes from other records, Postgres looks up.
package struct PostgresFollower {
    private var lines = CommitLineReader()
    private let hasPrivateRecords: Bool
    private var store = ""
    private var position: CommitPosition?
    private var commits: [CommitLineReader.LineOfCommit] = []

    package init(hasPrivateRecords: Bool) {
        self.hasPrivateRecords = hasPrivateRecords
    }

    /// - Throws: when the bytes are not what a log has, and what `output` throws.
    package mutating func read(_ bytes: [UInt8], to output: @escaping ([UInt8]) throws -> Void) throws {
        lines.append(bytes)
        while let line = try lines.next() {
            switch line {
            case .start(let store, let after):
                (self.store, position) = (store, after)
                try output(Array(PostgresSchema.following.utf8))
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
        var begin = "BEGIN\\;\nSET LOCAL client_encoding = 'UTF8'\\;\nSET LOCAL timezone = 'UTC'"
        // What is lost with the machine is sent again, from the position in the database.
        if isBehind { begin += "\\;\nSET LOCAL synchronous_commit = off" }
        try output(Array("\(begin);\nCOPY pg_temp.sooke_steps FROM stdin;\n".utf8))
        var script = PostgresSteps(output)
        var highest: [PostgresTable: Int] = [:]
        for commit in read {
            try commit.write(to: &script)
            highest.merge(commit.highest, uniquingKeysWith: max)
        }
        for table in PostgresTable.ofService {
            guard let id = highest[table] else { continue }
            try script.append("CALL sooke_given(\(table.name.postgresLiteral), \(id))")
        }
        try script.finish()
        // In one message: a client that stops in between would hold the lock of the position.
        let advance =
            "CALL sooke_advance(\(store.postgresLiteral), '\(position)', '\(reached)', "
            + "'\(PostgresText.timestamp(read.last?.at ?? Timestamp.epoch))')"
        try output(Array("\\.\n\(advance)\\;\nCALL pg_temp.sooke_run()\\;\nCOMMIT;\n".utf8))
        (self.position, commits) = (reached, [])
    }
}

/// Lines of `COPY`, each a row or a statement. The log of Postgres has a statement that fails, but no line of these.
struct PostgresSteps {
    private let output: ([UInt8]) throws -> Void
    private var bytes: [UInt8] = []
    private var count = 0
    private static let pieceSize = 1 << 16

    init(_ output: @escaping ([UInt8]) throws -> Void) {
        self.output = output
    }

    /// It has no semicolon at its end, and nothing that not everybody may read.
    mutating func append(_ statement: String) throws {
        try append(statement, cells: nil, isNew: false)
    }

    /// Replaces the row with its key except for the time of its creation.
    ///
    /// - Parameter isNew: whether no row may have its key.
    mutating func append(_ row: PostgresRow, isNew: Bool, with others: [String: String?] = [:]) throws {
        let cells = row.values.indices.map { index in
            let value = others[row.table.columns[index].name] ?? row.values[index]
            return value.map { "\"\($0.escapingInArray)\"" } ?? "NULL"
        }
        try append(row.table.name, cells: "{\(cells.joined(separator: ","))}", isNew: isNew)
    }

    private mutating func append(_ task: String, cells: String?, isNew: Bool) throws {
        count += 1
        bytes.append(utf8: "\(count)\t")
        bytes.append(copied: task)
        bytes.append(UInt8(ascii: "\t"))
        bytes.append(copied: cells)
        bytes.append(utf8: isNew ? "\tt\n" : "\tf\n")
        if bytes.count >= Self.pieceSize { try finish() }
    }

    mutating func finish() throws {
        if !bytes.isEmpty { try output(bytes) }
        bytes = []
    }
}

extension String {
    fileprivate var escapingInArray: String {
        guard utf8.contains(where: "\"\\".utf8.contains) else { return self }
        let bytes = utf8.flatMap { "\"\\".utf8.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
