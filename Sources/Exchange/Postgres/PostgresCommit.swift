import Bytes
import SookeModel
import Store

/// The statements that bring the rows of a database from the state before a commit to that after it.
///
/// A record comes after those that it may refer to: all references are looked up in the state after the commit, where
/// they are right however often slugs were swapped. Deletions come last.
struct PostgresCommit {
    let at: Timestamp
    /// The highest IDs that it gives, by table.
    private(set) var highest: [PostgresTable: Int] = [:]

    private let items: [ChangeSet.Item]
    private let time: String
    /// What it takes from records, and may give to others.
    private var released: Set<PostgresRow.Key> = []

    private static let projection = PostgresProjection(center: nil) { _, _ in nil }
    /// In this order they may refer to each other; others refer to nothing, or have only documents.
    private static let order: [RecordKind] = [.settings, .person, .category, .eventType, .business, .event]

    init(_ line: [UInt8], _ hasPrivateRecords: Bool) throws {
        var changes: [ChangeSet.Item] = []
        let commit = try ChangeSet.forEachItem(in: line) { changes.append($0) }
        (at, time) = (commit.time.at, PostgresText.timestamp(commit.time.clock))
        let items = ChangeSet.merged(changes).filter { hasPrivateRecords || $0.kind.isShared }
        self.items = (0...Self.order.count).flatMap { rank in
            items.filter { (Self.order.firstIndex(of: $0.kind) ?? Self.order.count) == rank }
        }
        for (table, sequence) in PostgresTable.sequences { record(commit.highestIDs[sequence], of: table) }
        for item in items {
            let known = item.before.map(Self.projection.serviceRows)?.byKey ?? [:]
            let current = item.after.map(Self.projection.serviceRows)?.byKey ?? [:]
            for key in current.keys where known[key] == nil { record(key.id, of: key.table) }
            released.formUnion(known.keys.filter { current[$0] == nil })
        }
    }

    private mutating func record(_ id: Int, of table: PostgresTable) {
        if id > highest[table] ?? 0 { highest[table] = id }
    }

    func write(to script: inout PostgresSteps) throws {
        for kind in Self.order { try writePlaceholders(kind, to: &script) }
        for item in items {
            if let record = item.after { try put(record, after: item.before, &script) }
        }
        if let settings = items.first(where: { $0.kind == .settings }), let after = settings.after as? Settings,
            case let before = (settings.before as? Settings)?.center, before != after.center
        {
            try script.append(PostgresSchema.moveToCenter(from: before))
        }
        for item in items.reversed() where item.after == nil {
            try delete(item.target, isKnown: item.before != nil, &script)
        }
    }

    /// Frees the values that are unique, where several records take or free one.
    private func writePlaceholders(_ kind: RecordKind, to script: inout PostgresSteps) throws {
        guard let table = PostgresTable.of(kind) else { return }
        let claims = items.filter { item in
            let (before, after) = (item.before, item.after)
            return item.kind == kind
                && before.flatMap(Self.projection.ownRow)?.unique != after.flatMap(Self.projection.ownRow)?.unique
        }
        let ids = claims.filter { $0.before != nil }.map { "\($0.id)" }
        guard claims.count > 1, !ids.isEmpty else { return }
        let values = table.uniqueColumns.map { "\($0) = E'\\001' || id" }.joined(separator: ", ")
        for start in stride(from: 0, to: ids.count, by: 1000) {
            let some = ids[start..<min(start + 1000, ids.count)].joined(separator: ", ")
            try script.append("UPDATE \(table.name) SET \(values) WHERE id IN (\(some))")
        }
    }

    private func delete(_ item: ReferenceTarget, isKnown: Bool, _ script: inout PostgresSteps) throws {
        if let table = PostgresTable.of(item.kind), isKnown {
            try script.append("DELETE FROM \(table.name) WHERE id = \(item.id)")
        }
        try script.append(
            "DELETE FROM sooke_documents WHERE kind = \(item.kind.name.postgresLiteral) AND id = \(item.id)")
    }

    /// - Parameter before: in the database; nil for a new record.
    private func put(
        _ record: any StoredRecord, after before: (any StoredRecord)?, _ script: inout PostgresSteps
    ) throws {
        try script.append(Self.projection.documentRow(of: record), isNew: false)
        guard let own = Self.projection.ownRow(of: record) else { return }
        var values = Self.references(of: record)
        (values["created_at"], values["updated_at"]) = (time, time)
        try script.append(own, isNew: before == nil, with: values)
        let (old, new) = (before as? Business, record as? Business)
        if old?.hours == new?.hours, old?.menus == new?.menus { return }
        let parts = [new, old].map { $0.map(Self.projection.partRows) ?? [] }
        try putParts(parts[0], after: parts[1], &script)
    }

    private func putParts(_ rows: [PostgresRow], after old: [PostgresRow], _ script: inout PostgresSteps) throws {
        let (new, known) = (rows.byKey, old.byKey)
        let changed = rows.filter { known[$0.key] != $0 }
        for row in old where new[row.key] == nil { try script.append(row.delete) }
        // Days and names that change hands; nothing refers to a day.
        for row in changed where known[row.key] != nil {
            if row.table == .hours { try script.append(row.delete) }
            if row.table == .menus {
                try script.append("UPDATE menus SET name = E'\\001' || id WHERE id = \(row.id)")
            }
        }
        for row in changed {
            try script.append(row, isNew: known[row.key] == nil && !released.contains(row.key))
        }
    }

    /// Slugs stand for IDs; there is no location where another record has it.
    private static func references(of record: any StoredRecord) -> [String: String?] {
        switch record {
        case let business as Business:
            var values = ["category_id": business.category.flatMap { PostgresText.text($0.text) }]
            if business.coordinates == nil { (values["latitude"], values["longitude"]) = (.some(nil), .some(nil)) }
            return values
        case let event as Event:
            var values = [
                "event_type_id": PostgresText.text(event.eventType.text),
                "business_id": event.business.flatMap { PostgresText.text($0.text) },
            ]
            if event.business != nil { (values["latitude"], values["longitude"]) = (.some(nil), .some(nil)) }
            return values
        default: return [:]
        }
    }
}

extension PostgresRow {
    fileprivate var unique: [String?] { table.uniqueColumns.map { self[$0] } }
}

extension [PostgresRow] {
    fileprivate var byKey: [PostgresRow.Key: PostgresRow] {
        Dictionary(map { ($0.key, $0) }) { _, last in last }
    }
}
