import Bytes
import CFiles
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
    private var highestIDs: [PostgresTable: Int] = [:]

    package init(hasPrivateRecords: Bool) {
        self.hasPrivateRecords = hasPrivateRecords
    }

    package mutating func read(_ bytes: [UInt8], to output: @escaping ([UInt8]) throws -> Void) throws {
        lines.append(bytes)
        while let line = try lines.next() {
            switch line {
            case .start(let store, let after):
                (self.store, position) = (store, after)
                try output(Array(String(cString: sooke_follow_sql()).utf8))
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
        var steps = PostgresSteps()
        var at = Timestamp.epoch
        for commit in commits { at = try append(commit.bytes, to: &steps) }
        for table in PostgresTable.all {
            guard let id = highestIDs[table] else { continue }
            steps.append("CALL sooke_given('\(table.name)', \(id))")
        }
        var begin = "BEGIN\\;\nSET LOCAL client_encoding = 'UTF8'\\;\nSET LOCAL timezone = 'UTC'"
        // What is lost with the machine is sent again, from the position in the database.
        if isBehind { begin += "\\;\nSET LOCAL synchronous_commit = off" }
        // In one message: a client that stops in between would hold the lock of the position.
        let end =
            "CALL sooke_advance(\(store.postgresLiteral), '\(position)', '\(reached)', "
            + "'\(PostgresText.timestamp(at))')\\;\nCALL pg_temp.sooke_run()\\;\nCOMMIT;\n"
        try output("\(begin);\nCOPY pg_temp.sooke_steps FROM stdin;\n".utf8 + steps.bytes + "\\.\n\(end)".utf8)
        (self.position, commits, highestIDs) = (reached, [], [:])
    }
}

extension PostgresFollower {
    /// The steps from the rows before a commit to those after it. A row comes after those that it refers to: all
    /// references are looked up in the state after the commit, where they are right however often slugs were swapped.
    private mutating func append(_ line: [UInt8], to steps: inout PostgresSteps) throws -> Timestamp {
        var changes: [ChangeSet.Item] = []
        let commit = try ChangeSet.forEachItem(in: line) { changes.append($0) }
        let items = ChangeSet.merged(changes).filter { hasPrivateRecords || $0.kind.isShared }
        for record in items.compactMap(\.after) { steps.append(record) }
        let projection = PostgresProjection(at: commit.time.clock)
        let old = items.compactMap(\.before).flatMap(projection.rows)
        let new = items.compactMap(\.after).flatMap(projection.rows)
        for table in PostgresTable.all { record(commit.highestIDs[table.sequence], of: table) }
        append(from: old, to: new, &steps)
        if let settings = items.first(where: { $0.kind == .settings }), let after = settings.after as? Settings,
            case let before = (settings.before as? Settings)?.center, before != after.center
        {
            let from = (before?.latitude ?? 0, before?.longitude ?? 0)
            steps.append("CALL pg_temp.sooke_move('\(from.0)', '\(from.1)')")
        }
        for item in items where item.after == nil { steps.append(deletionOf: item.kind, item.id) }
        return commit.time.at
    }

    /// What is unique is freed first, and deletions come last.
    private mutating func append(from old: [PostgresRow], to new: [PostgresRow], _ steps: inout PostgresSteps) {
        let (known, current) = (old.byKey, new.byKey)
        for table in PostgresTable.all {
            let freed = old.filter { $0.table == table && $0.unique != current[$0.key]?.unique }
            let isAnyNew = new.contains { $0.table == table && known[$0.key] == nil }
            if freed.count > 1 || isAnyNew { for row in freed { steps.append(freeing: row) } }
        }
        for table in PostgresTable.all {
            for row in new where row.table == table {
                let before = known[row.key]
                if table.parent != nil, let before, row.columns(differingFrom: before).isEmpty { continue }
                if before == nil { record(row.id, of: table) }
                steps.append(row, isNew: before == nil)
            }
        }
        for table in PostgresTable.all.reversed() {
            for row in old where row.table == table && current[row.key] == nil { steps.append(deleting: row) }
        }
    }

    private mutating func record(_ id: Int, of table: PostgresTable) {
        if id > highestIDs[table] ?? 0 { highestIDs[table] = id }
    }
}

/// Lines of `COPY`, each a row or a statement. The log of Postgres has a statement that fails, but no line of these.
struct PostgresSteps {
    private(set) var bytes: [UInt8] = []
    private var count = 0

    /// It has no semicolon at its end, and nothing that not everybody may read.
    mutating func append(_ statement: String) { append(statement, isNew: false, []) }

    /// Replaces the row with its key except for the time of its creation.
    ///
    /// - Parameter isNew: whether no row may have its key.
    mutating func append(_ row: PostgresRow, isNew: Bool) { append(row.table.name, isNew: isNew, row.values) }

    mutating func append(_ record: any StoredRecord) {
        append(PostgresDocument.table, isNew: false, PostgresDocument.cells(of: record))
    }

    mutating func append(deletionOf kind: RecordKind, _ id: Int) {
        append("DELETE FROM \(PostgresDocument.table) WHERE kind = '\(kind.name)' AND id = \(id)")
    }

    mutating func append(deleting row: PostgresRow) { append("DELETE FROM \(row.table.name) WHERE id = \(row.id)") }

    /// Texts get a placeholder; nothing refers to the hours of a day, which are inserted again.
    mutating func append(freeing row: PostgresRow) {
        if row.table == .hours { return append(deleting: row) }
        let values = row.table.uniqueColumns.filter { $0 != "business_id" }.map { "\($0) = E'\\001' || id" }
        append("UPDATE \(row.table.name) SET \(values.joined(separator: ", ")) WHERE id = \(row.id)")
    }

    /// There is room for the cells of each table.
    private mutating func append(_ task: String, isNew: Bool, _ cells: [String?]) {
        count += 1
        let rest = [String?](repeating: nil, count: PostgresTable.mostColumns - cells.count)
        bytes.append(copying: ["\(count)", task, PostgresText.boolean(isNew)] + cells + rest)
    }
}
