import Bytes
import SookeModel
import Store

/// The statements that bring the rows of a database from the state before a commit to that after it.
///
/// The changes of a long commit are read once for each kind of record, so that it takes little memory. A record comes
/// after those that it may refer to: all references are looked up in the state after the commit, where they are right
/// however often slugs were swapped. Deletions come last.
struct PostgresCommit {
    private let line: [UInt8]
    private let items: [ChangeSet.Item]?
    private let hasPrivateRecords: Bool
    private let summary: Summary
    let at: Timestamp
    private let time: String

    private static let projection = PostgresProjection(center: nil) { _, _ in nil }
    /// In this order they may refer to each other; others refer to nothing, or have only documents.
    private static let order: [RecordKind] = [.settings, .person, .category, .eventType, .business, .event]

    init(_ line: [UInt8], _ hasPrivateRecords: Bool) throws {
        (self.line, self.hasPrivateRecords) = (line, hasPrivateRecords)
        var summary = Summary()
        var items: [ChangeSet.Item] = []
        let read = try ChangeSet.forEachItem(in: line) { item in
            summary.add(item)
            if line.count < Self.longLine { items.append(item) }
        }
        for (table, sequence) in PostgresTable.sequences { summary.record(read.highestIDs[sequence], of: table) }
        self.items = line.count < Self.longLine ? items : nil
        (self.summary, at, time) = (summary, read.time.at, PostgresText.timestamp(read.time.clock))
    }

    private static let longLine = 1 << 20

    private func forEachItem(of kinds: Set<RecordKind>, _ body: (ChangeSet.Item) throws -> Void) throws {
        guard let items else {
            try ChangeSet.forEachItem(in: line, of: kinds, body)
            return
        }
        for item in items where kinds.contains(item.kind) { try body(item) }
    }

    private struct Summary {
        var counts: [ReferenceTarget: Int] = [:]
        var kinds: Set<RecordKind> = []
        /// Records that take or free a value that is unique.
        var claims: [RecordKind: Int] = [:]
        var claimants: [RecordKind: [Int]] = [:]
        var highest: [PostgresTable: Int] = [:]
        var center: (before: Coordinates?, after: Coordinates?)?
        var released: Set<PostgresRow.Key> = []

        mutating func add(_ item: ChangeSet.Item) {
            kinds.insert(item.kind)
            counts[item.target, default: 0] += 1
            if let settings = item.after as? Settings {
                center = (center.map(\.before) ?? (item.before as? Settings)?.center, settings.center)
            }
            guard PostgresTable.of(item.kind) != nil else { return }
            let own = PostgresCommit.projection.ownRow
            let (new, old) = (item.after.flatMap(own), item.before.flatMap(own))
            if let new, old == nil { record(new.id, of: new.table) }
            let parts = PostgresCommit.parts(item.before, item.after)
            let (current, known) = (parts.new.byKey, parts.old.byKey)
            for key in current.keys where known[key] == nil { record(key.id, of: key.table) }
            released.formUnion(known.keys.filter { current[$0] == nil })
            guard old?.unique != new?.unique else { return }
            claims[item.kind, default: 0] += 1
            if old != nil { claimants[item.kind, default: []].append(item.id) }
        }

        mutating func record(_ id: Int, of table: PostgresTable) {
            if id > highest[table] ?? 0 { highest[table] = id }
        }
    }

    private static func parts(
        _ before: (any StoredRecord)?, _ after: (any StoredRecord)?
    ) -> (old: [PostgresRow], new: [PostgresRow]) {
        let (before, after) = (before as? Business, after as? Business)
        if before?.hours == after?.hours, before?.menus == after?.menus { return ([], []) }
        return (before.map(projection.partRows) ?? [], after.map(projection.partRows) ?? [])
    }

    var highest: [PostgresTable: Int] { summary.highest }

    func write(to script: inout PostgresSteps) throws {
        try writePlaceholders(to: &script)
        let others = summary.kinds.subtracting(Self.order)
        for kinds in Self.order.map({ [$0] as Set }) + [others] { try write(kinds, deletions: false, to: &script) }
        if let center = summary.center, center.before != center.after {
            try script.append(PostgresSchema.moveToCenter(from: center.before))
        }
        for kinds in [others] + Self.order.reversed().map({ [$0] }) { try write(kinds, deletions: true, to: &script) }
    }

    private func writePlaceholders(to script: inout PostgresSteps) throws {
        for kind in Self.order where summary.claims[kind] ?? 0 > 1 {
            guard let table = PostgresTable.of(kind), let ids = summary.claimants[kind] else { continue }
            let values = table.uniqueColumns.map { "\($0) = E'\\001' || id" }.joined(separator: ", ")
            for start in stride(from: 0, to: ids.count, by: 1000) {
                let some = ids[start..<min(start + 1000, ids.count)].map { "\($0)" }.joined(separator: ", ")
                try script.append("UPDATE \(table.name) SET \(values) WHERE id IN (\(some))")
            }
        }
    }

    private func write(
        _ kinds: Set<RecordKind>, deletions: Bool, to script: inout PostgresSteps
    ) throws {
        guard !kinds.isDisjoint(with: summary.kinds) else { return }
        var rest = summary.counts
        // The state of a record in the database, if it changes several times.
        var first: [ReferenceTarget: (any StoredRecord)?] = [:]
        try forEachItem(of: kinds) { item in
            let (left, count) = (rest[item.target] ?? 1, summary.counts[item.target] ?? 1)
            rest[item.target] = left - 1
            if count > 1, left == count { first.updateValue(item.before, forKey: item.target) }
            guard left == 1, item.kind.isShared || hasPrivateRecords, (item.after == nil) == deletions else { return }
            let before = first[item.target] ?? item.before
            guard let record = item.after else { return try delete(item.target, isKnown: before != nil, &script) }
            try put(record, after: before, &script)
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
        let parts = Self.parts(before, record)
        try putParts(parts.new, after: parts.old, &script)
    }

    private func putParts(
        _ rows: [PostgresRow], after old: [PostgresRow], _ script: inout PostgresSteps
    ) throws {
        if rows == old { return }
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
            try script.append(row, isNew: known[row.key] == nil && !summary.released.contains(row.key))
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
