import Bytes
import JSON
import SookeModel
import Store

/// Reads a dump of the Go service's database, with or without what an export added to it.
///
/// Where the row of a record equals the projection of its document, the document counts. Otherwise the columns that
/// differ replace what it says of them.
struct PostgresReader {
    private let dump: PostgresDump
    private var result = Import.File()
    private var rows: [PostgresTable: [(line: Int, row: PostgresRow, problems: FieldProblems)]] = [:]
    private var documents: [RecordKind: [Int: (line: Int, text: [UInt8])]] = [:]
    private var roles: [String: String] = [:]
    private var slugs = PostgresSlugs()
    /// What the database has changed since the documents were written.
    private var newSlugs: [RecordKind: [Slug: Slug]] = [:]
    private var projection = PostgresProjection(center: nil) { _, _ in nil }

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
        readRoles()
        for table in PostgresTable.ofService { readRows(of: table) }
        guard result.isWhole else { return }
        readDocuments()
        index()
        result.highestIDs = highestIDs
        for kind in Town.sharedKinds {
            switch kind {
            case .person: readRecords(Person.self, .users)
            case .category: readRecords(Category.self, .categories)
            case .eventType: readRecords(EventType.self, .eventTypes)
            case .business: readBusinesses()
            case .event:
                readRecords(Event.self, .events) { event in
                    // The Go service has one or the other.
                    if event.business != nil { (event.latitude, event.longitude) = (nil, nil) }
                }
            default: readDocuments(of: kind)
            }
        }
        for kind in Town.kinds where !kind.isShared { readDocuments(of: kind) }
    }
}

extension PostgresReader {
    private mutating func readRoles() {
        guard let block = dump.blocks["user_roles"], let id = block.columns.firstIndex(of: "id"),
            let name = block.columns.firstIndex(of: "name")
        else { return }
        for row in block.rows {
            let values = dump.values(of: row)
            guard values.count == block.columns.count, let id = values[id] else { continue }
            roles[id] = values[name]
        }
    }

    private mutating func readRows(of table: PostgresTable) {
        // A script of an export has people with roles by name.
        let ownUsers = table == .users ? dump.blocks["sooke_users"] : nil
        guard let block = dump.blocks[table.name] ?? ownUsers else {
            let message = "is missing in the dump; dump the whole database: \(PostgresDump.command)"
            return result.refuse(line: 1, table.name, message)
        }
        var columns: [Int?] = []
        for column in table.columns {
            let name = column.value == .role && dump.blocks[table.name] == nil ? "role" : column.name
            let index = block.columns.firstIndex(of: name)
            guard index != nil || column.isTime else {
                return result.refuse(line: block.line, "\(table.name).\(column.name)", "is missing in the dump")
            }
            columns.append(index)
        }
        var found: [(line: Int, row: PostgresRow, problems: FieldProblems)] = []
        found.reserveCapacity(block.rows.count)
        for row in block.rows {
            let values = dump.values(of: row)
            guard values.count == block.columns.count else {
                let message = "has \(Count(values.count, "value")) for \(Count(block.columns.count, "column"))"
                result.refuse(line: row.line, table.name, message)
                continue
            }
            var problems = FieldProblems()
            let texts = table.columns.indices.map { index in
                text(columns[index].flatMap { values[$0] }, table.columns[index], &problems)
            }
            found.append((row.line, PostgresRow(table, texts), problems))
        }
        rows[table] = found
    }

    private func text(_ value: String?, _ column: PostgresTable.Column, _ problems: inout FieldProblems) -> String? {
        guard let value, !column.isTime else { return nil }
        if column.value == .role {
            // A script of an export has people with roles by name.
            guard let role = dump.blocks["users"] == nil ? value : roles[value] else {
                problems.add(column.name, "unknown role id \(value.excerpt())")
                return nil
            }
            let known = Person.Role.allCases.map(\.rawValue)
            let message = "is \"\(role.excerpt())\"; known are \(known.joined(separator: ", "))"
            problems.require(known.contains(role), column.name, message)
            return role
        }
        let text = PostgresText.canonical(value, column.value)
        if text == nil { problems.add(column.name, "cannot be taken over: \"\(value.excerpt())\"") }
        return text
    }

    private mutating func index() {
        for (table, kind) in [
            (PostgresTable.categories, RecordKind.category), (.eventTypes, .eventType), (.businesses, .business),
        ] {
            slugs.slugs[kind] = Dictionary(
                (rows[table] ?? []).map { ($0.row.id, Slug($0.row["slug"] ?? "")) }
            ) { first, _ in first }
        }
        slugs.people = Set((rows[.users] ?? []).map(\.row.id))
        let ids = slugs.slugs.mapValues { slugs in
            Dictionary(slugs.map { ($0.value, $0.key) }) { first, _ in first }
        }
        var center: Coordinates?
        if let text = documents[.settings]?[Settings.onlyID]?.text {
            var (reader, problems) = (JSONReader(text, limits: .trusted), FieldProblems())
            center = (try? Patch<Settings>(from: &reader, &problems))?.values.center
        }
        projection = PostgresProjection(center: center) { kind, slug in ids[kind]?[slug] }
    }

    private var highestIDs: [(IDSequences.Sequence, Int)] {
        PostgresTable.sequences.compactMap { table, sequence in
            dump.sequences["\(table.name)_id_seq"].map { (sequence, $0) }
        }
    }
}

extension PostgresReader {
    private mutating func readDocuments() {
        let table = PostgresTable.documents
        guard let block = dump.blocks[table.name] else { return }
        let columns = table.columns.compactMap { block.columns.firstIndex(of: $0.name) }
        guard columns.count == table.columns.count else {
            return result.refuse(line: block.line, table.name, "has other columns than an export gives it")
        }
        for row in block.rows {
            let values = dump.values(of: row)
            guard values.count == block.columns.count, let name = values[columns[0]],
                let id = values[columns[1]].flatMap({ Int($0) }), let text = values[columns[2]]
            else {
                result.refuse(line: row.line, table.name, "has a row that an export does not write")
                continue
            }
            guard let kind = Town.kind(named: name) else {
                result.warn(line: row.line, "kind", "is \(name.excerpt()), which this program does not know; left out")
                continue
            }
            documents[kind, default: [:]][id] = (row.line, Array(text.utf8))
        }
    }

    private mutating func readRecords<Value: PostgresRecord>(
        _ type: Value.Type, _ table: PostgresTable, _ finish: (inout Value) -> Void = { _ in }
    ) {
        for (line, row, problems) in rows[table] ?? [] where !Self.isNobody(row) {
            append(row, line, problems, finish)
        }
        readDeletions(Value.kind, table)
    }

    private mutating func readBusinesses() {
        func byParent(_ table: PostgresTable, _ column: String) -> [String?: [PostgresRow]] {
            Dictionary(grouping: (rows[table] ?? []).map(\.row)) { $0[column] }
        }
        for table in [PostgresTable.hours, .menus, .items] {
            for (line, _, problems) in rows[table] ?? [] where !problems.isEmpty {
                result.rows.append(ImportRow(line: line, problems: problems, in: table))
            }
        }
        let (hours, menus) = (byParent(.hours, "business_id"), byParent(.menus, "business_id"))
        let (items, projection) = (byParent(.items, "menu_id"), projection)
        readRecords(Business.self, .businesses) { business in
            let id = "\(business.id)"
            business.take(hours: hours[id] ?? [], projection)
            business.take(menus: menus[id] ?? [], items: items, projection)
        }
    }

    private static func isNobody(_ row: PostgresRow) -> Bool {
        row.table == .users && row.id == PostgresProjection.nobody && row["clerk_id"] == "sooke:nobody"
    }

    private mutating func append<Value: PostgresRecord>(
        _ row: PostgresRow, _ line: Int, _ problems: FieldProblems, _ finish: (inout Value) -> Void
    ) {
        var problems = problems
        problems.require(row.id > 0, "id", "must lie above 0")
        let document: Value? = documents[Value.kind]?[row.id].flatMap { self.document($0.text, row.id, &problems) }
        var patch = Patch<Value>()
        patch.values = document ?? Value()
        patch.values.id = row.id
        // The document does not have them.
        let references: FieldSet<Value> = PostgresDocument.fieldsWithSlugs()
        for reference in references.names {
            patch.values.set("\(reference)_id", row["\(reference)_id"], slugs)
        }
        let projected = document == nil ? nil : projection.ownRow(of: patch.values)
        var changed = row.columns(differingFrom: projected)
        // A place without a location has neither number.
        let place = ["latitude", "longitude"]
        if changed.contains(where: place.contains) { changed += place }
        for column in changed { patch.values.set(column, row[column], slugs) }
        if let document {
            dropMissing(&patch.values)
            if !changed.isEmpty { patch.values.keepFormerSlug(of: document) }
            if let old = document.ownSlug, let new = patch.values.ownSlug, old != new {
                newSlugs[Value.kind, default: [:]][old] = new
            }
        }
        finish(&patch.values)
        patch.fields = document == nil ? Value.fieldsInTables : .all
        var found = ImportRow(line: line)
        (found.patch, found.problems, found.keepsID) = (patch, problems, true)
        found.collection = Value.kind.collection
        result.rows.append(found)
    }

    private func document<Value: PostgresRecord>(
        _ text: [UInt8], _ id: Int, _ problems: inout FieldProblems
    ) -> Value? {
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
                if let id = record[keyPath: path], !slugs.people.contains(id) { record[keyPath: path] = nil }
            } else if let slug = reference.slug(in: record), !slug.isEmpty {
                let new = newSlugs[reference.kind]?[slug] ?? slug
                reference.setSlug(projection.id(reference.kind, new) == nil ? nil : new, in: &record)
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

    /// What has a document but no row was deleted in the database.
    private mutating func readDeletions(_ kind: RecordKind, _ table: PostgresTable) {
        guard let documents = documents[kind], let type = Town.recordType(of: kind) else { return }
        let present = Set((rows[table] ?? []).map(\.row.id))
        for (id, document) in documents.sorted(by: { $0.key < $1.key }) where !present.contains(id) {
            var (reader, ignored) = (JSONReader(document.text, limits: .trusted), FieldProblems())
            guard let patch = try? type.readPatch(from: &reader, &ignored), let key = patch.key else { continue }
            var row = ImportRow(line: document.line)
            row.deletion = (key, id)
            (row.givenLabel, row.collection) = (patch.name, kind.collection)
            result.rows.append(row)
        }
    }
}

extension ImportRow {
    fileprivate init(line: Int, problems: FieldProblems, in table: PostgresTable) {
        self.init(line: line)
        self.problems = problems
        self.givenLabel = table.name
    }
}
