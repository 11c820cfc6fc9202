import Bytes
import JSON
import SookeModel
import Store

/// Reads a dump of the Go service's database, with or without what an export added to it.
///
/// A document counts where its projection equals the row of the record. Columns that differ replace what it says.
struct PostgresReader {
    private let dump: PostgresDump
    private var result = Import.File()
    private var rows: [PostgresTable: [(line: Int, row: PostgresRow, problems: FieldProblems)]] = [:]
    private var parts: PostgresParts = [:]
    private var documents: [RecordKind: [Int: (line: Int, text: [UInt8])]] = [:]
    private var slugs: [RecordKind: [Int: Slug]] = [:]
    private var ids: [RecordKind: [Slug: String]] = [:]
    private var people: Set<Int> = []
    /// What the database has changed since the documents were written.
    private var newSlugs: [RecordKind: [Slug: Slug]] = [:]
    private var projection = PostgresProjection(at: Timestamp.epoch)

    static func rows(of text: [UInt8], _ progress: (Int) -> Void = { _ in }) -> Import.File {
        var reader = PostgresReader(dump: PostgresDump(text, progress))
        reader.read()
        return reader.result
    }

    private init(dump: PostgresDump) {
        self.dump = dump
    }

    private mutating func read() {
        if let problem = dump.problem { return result.refuse(line: problem.line, "", problem.message) }
        for table in PostgresTable.all { readRows(of: table) }
        guard result.isWhole else { return }
        readDocuments()
        index()
        result.highestIDs = PostgresTable.all.compactMap { table in
            dump.sequences["\(table.name)_id_seq"].map { (table.sequence, $0) }
        }
        for kind in Town.sharedKinds + Town.kinds.filter({ !$0.isShared }) {
            if let type = Town.recordType(of: kind) as? any PostgresRecord.Type {
                readRecords(type)
            } else {
                readDocuments(of: kind)
            }
        }
    }
}

/// The rows of the parts of records, by the IDs of what has them.
typealias PostgresParts = [PostgresTable: [String?: [PostgresRow]]]

extension PostgresReader {
    private mutating func readRows(of table: PostgresTable) {
        // A script of an export has people with roles by name.
        let ownUsers = table == .users ? dump.blocks["sooke_users"] : nil
        guard let block = dump.blocks[table.name] ?? ownUsers else {
            let message = "is missing in the dump; dump the whole database: \(PostgresDump.command)"
            return result.refuse(line: 1, table.name, message)
        }
        let columns = table.columns.map { block.columns.firstIndex(of: $0.name) }
        for (column, index) in zip(table.columns, columns) where index == nil && !column.isTime {
            return result.refuse(line: block.line, "\(table.name).\(column.name)", "is missing in the dump")
        }
        let roles = roles
        for (line, values) in values(of: block, table.name) {
            var problems = FieldProblems()
            let texts = zip(table.columns, columns).map { column, index in
                index.flatMap { values[$0] }.flatMap { Self.text($0, column, roles, &problems) }
            }
            rows[table, default: []].append((line, PostgresRow(table, texts), problems))
            if table.parent != nil, !problems.isEmpty {
                var row = ImportRow(line: line)
                (row.problems, row.givenLabel) = (problems, table.name)
                result.rows.append(row)
            }
        }
    }

    private mutating func values(of block: PostgresDump.Block, _ name: String) -> [(line: Int, values: [String?])] {
        block.rows.compactMap { row in
            let values = dump.values(of: row)
            if values.count == block.columns.count { return (row.line, values) }
            let message = "has \(Count(values.count, "value")) for \(Count(block.columns.count, "column"))"
            result.refuse(line: row.line, name, message)
            return nil
        }
    }

    private var roles: [String: String] {
        guard let block = dump.blocks["user_roles"], let id = block.columns.firstIndex(of: "id"),
            let name = block.columns.firstIndex(of: "name")
        else { return [:] }
        let rows = block.rows.map(dump.values).filter { $0.count == block.columns.count }
        return Dictionary(rows.map { ($0[id] ?? "", $0[name] ?? "") }) { first, _ in first }
    }

    private static func text(
        _ value: String, _ column: PostgresTable.Column, _ roles: [String: String], _ problems: inout FieldProblems
    ) -> String? {
        if column.isTime { return nil }
        if column.value == .role {
            let (role, known) = (roles[value] ?? value, Person.Role.allCases.map(\.rawValue))
            let message = "is \"\(role.excerpt())\"; known are \(known.joined(separator: ", "))"
            problems.require(known.contains(role), column.name, message)
            return role
        }
        let text = PostgresText.canonical(value, column.value)
        if text == nil { problems.add(column.name, "cannot be taken over: \"\(value.excerpt())\"") }
        return text
    }

    private mutating func index() {
        for table in [PostgresTable.categories, .eventTypes, .businesses] {
            let slugs = (rows[table] ?? []).map { ($0.row.id, Slug($0.row["slug"] ?? "")) }
            self.slugs[table.kind] = Dictionary(slugs) { first, _ in first }
            ids[table.kind] = Dictionary(slugs.map { ($0.1, "\($0.0)") }) { first, _ in first }
        }
        people = Set((rows[.users] ?? []).map(\.row.id))
        for table in PostgresTable.all {
            guard let parent = table.parent else { continue }
            parts[table] = Dictionary(grouping: (rows[table] ?? []).map(\.row)) { $0[parent] }
        }
        var ignored = FieldProblems()
        let center = document(Settings.self, Settings.onlyID, &ignored)?.center
        projection = PostgresProjection(center: center) { [ids] kind, slug in ids[kind]?[slug] }
    }
}

extension PostgresReader {
    private mutating func readDocuments() {
        guard let block = dump.blocks[PostgresDocument.table] else { return }
        let columns = PostgresDocument.columns.compactMap { block.columns.firstIndex(of: $0) }
        guard columns.count == PostgresDocument.columns.count else {
            return result.refuse(
                line: block.line, PostgresDocument.table, "has other columns than an export gives it")
        }
        for (line, values) in values(of: block, PostgresDocument.table) {
            guard let name = values[columns[0]], let id = values[columns[1]].flatMap({ Int($0) }),
                let text = values[columns[2]]
            else {
                result.refuse(line: line, PostgresDocument.table, "has a row that an export does not write")
                continue
            }
            guard let kind = Town.kind(named: name) else {
                result.warn(line: line, "kind", "is \(name.excerpt()), which this program does not know; left out")
                continue
            }
            documents[kind, default: [:]][id] = (line, Array(text.utf8))
        }
    }

    private mutating func readRecords<Value: PostgresRecord>(_ type: Value.Type) {
        for (line, row, problems) in rows[Value.table] ?? [] where !PostgresProjection.isNobody(row) {
            append(type, row, line, problems)
        }
        // What has a document but no row was deleted in the database.
        let present = Set((rows[Value.table] ?? []).map(\.row.id))
        for (id, found) in (documents[Value.kind] ?? [:]).sorted(by: { $0.key < $1.key }) where !present.contains(id) {
            var (row, ignored) = (ImportRow(line: found.line), FieldProblems())
            guard let record = document(type, id, &ignored), let key = RecordKey(Value.kind, record.importKey)
            else { continue }
            (row.deletion, row.givenLabel, row.collection) = ((key, id), record.label, Value.kind.collection)
            result.rows.append(row)
        }
    }

    private mutating func append<Value: PostgresRecord>(
        _ type: Value.Type, _ row: PostgresRow, _ line: Int, _ problems: FieldProblems
    ) {
        var (found, patch) = (ImportRow(line: line), Patch<Value>())
        found.problems = problems
        found.problems.require(row.id > 0, "id", "must lie above 0")
        let document = document(type, row.id, &found.problems)
        patch.values = document ?? Value()
        patch.values.id = row.id
        // The document does not have them.
        for reference in Value.referencesInTable {
            let id = row[reference.postgresColumn].flatMap { Int($0) }
            reference.setSlug(id.flatMap { slugs[reference.kind]?[$0] }, in: &patch.values)
        }
        var changed = row.columns(differingFrom: document == nil ? nil : projection.row(of: patch.values))
        // A place without a location has neither number.
        let place = ["latitude", "longitude"]
        if changed.contains(where: place.contains) { changed += place }
        for column in changed { patch.values.set(column, from: row) }
        if let document {
            dropMissing(&patch.values)
            if !changed.isEmpty { patch.values.addFormerSlug(of: document) }
            if let old = document.ownSlug, let new = patch.values.ownSlug, old != new {
                newSlugs[Value.kind, default: [:]][old] = new
            }
        }
        patch.values.take(parts)
        patch.fields = document == nil ? Value.fieldsInTables : .all
        (found.patch, found.keepsID, found.collection) = (patch, true, Value.kind.collection)
        result.rows.append(found)
    }

    private func document<Value: Record>(
        _ type: Value.Type, _ id: Int, _ problems: inout FieldProblems
    ) -> Value? {
        guard let text = documents[Value.kind]?[id]?.text else { return nil }
        do throws(JSONError) {
            var (reader, found) = (JSONReader(text, limits: .trusted), FieldProblems())
            let patch = try Patch<Value>(from: &reader, ignoring: RecordTimes.names, &found)
            // Its row has what it does not refer to.
            for problem in found.all { problems.add("document.\(problem.field)", problem.message) }
            return patch.values
        } catch {
            problems.add("document", "is not valid JSON: \(error.message)")
            return nil
        }
    }

    /// References of its document to what the database has deleted, or has given another slug.
    private func dropMissing<Value: PostgresRecord>(_ record: inout Value) {
        for reference in Value.references {
            if case .id(let path) = reference.path {
                if let id = record[keyPath: path], !people.contains(id) { record[keyPath: path] = nil }
            } else if let slug = reference.slug(in: record), !slug.isEmpty {
                let new = newSlugs[reference.kind]?[slug] ?? slug
                reference.setSlug(ids[reference.kind]?[new] == nil ? nil : new, in: &record)
            }
        }
    }

    private mutating func readDocuments(of kind: RecordKind) {
        for (_, document) in (documents[kind] ?? [:]).sorted(by: { $0.key < $1.key }) {
            var (reader, row) = (JSONReader(document.text, limits: .trusted), ImportRow(line: document.line))
            do {
                if let type = Town.recordType(of: kind) {
                    row = try ImportRow(line: document.line, type, from: &reader)
                    row.keepsID = true
                } else {
                    row.privateRecord = try AnyRecord(kind, from: &reader)
                }
            } catch let error as JSONError {
                row.problems.add("document", "is not valid JSON: \(error.message)")
            } catch {
                row.problems.add("document", "is not a valid \(kind.label): \(error)")
            }
            row.collection = kind.collection
            result.rows.append(row)
        }
    }
}
