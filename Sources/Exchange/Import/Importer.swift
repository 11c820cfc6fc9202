import Bytes
import SookeModel
import Store

struct Importer {
    private let files: [Import.File]
    private let options: ImportOptions
    private let entries: [(file: Int, row: Int)]
    private var found: [Int: FieldProblems] = [:]
    private var names: NameLookup
    private var reviewed: [ImportReview.Subject] = []
    /// Whether the calendars come with the events that follow them.
    private let hasCalendars: Bool
    private(set) var report = ImportReport()

    private func indexes(where fits: (ImportRow) -> Bool) -> [Int] { entries.indices.filter { fits(row($0)) } }

    init(_ files: [Import.File], _ options: ImportOptions) {
        (self.files, self.options) = (files, options)
        names = NameLookup(createsTerms: options.createsTerms)
        entries = files.indices.flatMap { file in
            files[file].rows.indices.map { (file, $0) }
        }
        hasCalendars = files.contains { $0.rows.contains { $0.privateRecord?.kind == .calendar } }
        var places = [RecordKey: Int](minimumCapacity: entries.count)
        for index in entries.indices {
            let row = row(index)
            var problems = row.problems
            checkIsFirst(index, row, &places, &problems)
            row.patch?.values.checkGivenIDs(&problems)
            if !problems.isEmpty { found[index] = problems }
            // Those of records that are checked come with their problems.
            if row.patch == nil { warn(of: index) }
        }
    }

    private mutating func warn(_ index: Int, _ warning: FieldProblem) {
        report.warnings.add(problem(index, warning, isWarning: true))
    }

    private mutating func warn(of index: Int) {
        for warning in row(index).warnings.all where found[index]?.all.contains(warning) != true {
            warn(index, warning)
        }
    }

    mutating func warnOfUnchecked() {
        for index in entries.indices where row(index).patch != nil { warn(of: index) }
    }

    private func problem(_ index: Int, _ problem: FieldProblem, isWarning: Bool = false) -> Finding {
        files[entries[index].file].finding(problem, in: row(index), isWarning: isWarning)
    }

    private func row(_ index: Int) -> ImportRow {
        let entry = entries[index]
        return files[entry.file].rows[entry.row]
    }

    private func fileName(_ index: Int) -> String { files[entries[index].file].name }

    var invalid: [(file: Int, row: Int)] { found.keys.sorted().map { entries[$0] } }

    mutating func leaveOut(_ problems: [Finding], _ records: [ImportFile]) {
        (report.problems, report.skipped) = (Findings(problems), records)
        let rows = files.lazy.flatMap(\.rows)
        report.leftOut = rows.count { $0.isSkipped }
        report.records = report.leftOut + rows.count { $0.patch != nil }
    }

    var problems: [Finding] {
        found.sorted { $0.key < $1.key }.flatMap { index, problems in
            problems.all.map { problem(index, $0) }
        }
    }

    mutating func apply(to transaction: inout WriteTransaction, _ progress: (_ done: Int, _ total: Int) -> Void) {
        if options.addsStarter {
            for kind in StarterTerms.create(in: &transaction) { report.count(.created, kind) }
        }
        setCenter(in: &transaction)
        let isNewTown = transaction.town.people.count == 0
        let order = order
        transaction.putMany(order.count) { transaction in
            for (done, index) in order.enumerated() {
                apply(index, to: &transaction)
                if (done + 1) % 1024 == 0 || done + 1 == order.count { progress(done + 1, order.count) }
            }
        }
        applyRest(to: &transaction, isNewTown: isNewTown)
        for finding in ImportReview.findings(on: reviewed, in: transaction.town, options.zone) {
            warn(finding.row, finding.warning)
        }
    }

    /// By kind; within a kind, records with IDs first, so that new IDs do not take theirs.
    private var order: [Int] {
        var (numbered, others): ([RecordKind: [Int]], [RecordKind: [Int]]) = ([:], [:])
        for index in entries.indices {
            guard let patch = row(index).patch else { continue }
            if patch.id == 0 { others[patch.kind, default: []].append(index) }
            if patch.id != 0 { numbered[patch.kind, default: []].append(index) }
        }
        return Town.sharedKinds.flatMap { (numbered[$0] ?? []) + (others[$0] ?? []) }
    }

    private mutating func apply(_ index: Int, to transaction: inout WriteTransaction) {
        let row = row(index)
        guard var patch = row.patch else { return }
        if let settings = patch as? Patch<Settings> { patch = onlyEmpty(index, settings, in: transaction.town) }
        if let cancellation = row.cancellation {
            warn(of: index)
            return cancel(index, cancellation, patch, in: &transaction)
        }
        if row.patch is Patch<Event> { row.complete(&patch, in: &names, transaction.town) }
        if var event = patch as? Patch<Event>, !hasCalendars {
            // Those of another town.
            event.fields = event.fields.subtracting(["sources"])
            patch = event
        }
        var problems = found[index] ?? FieldProblems()
        patch.lookUp(row, in: &names, &transaction, options, &problems)
        let news = names.takeNews()
        for kind in news.created { report.count(.created, kind) }
        for warning in news.warnings { warn(index, warning) }
        if let zone = patch.timeZone, options.findZone(zone) == nil {
            problems.add("time_zone", TextRules.unknownTimeZone)
        }
        do {
            let effect = try patch.upsert(byID: row.keepsID, in: &transaction)
            report.count(patch, effect, in: transaction)
            if effect == .updated, let warning = row.warning(aboutChangeIn: transaction) { warn(index, warning) }
            if effect != .unchanged, row.origin != .dataset, let id = transaction.lastChangedID {
                let record = Town.recordType(of: patch.kind)?.record(id, in: transaction.town)
                let isMobile = (record as? Business)?.isMobile ?? false
                if patch.isOnMap, !isMobile, record?.coordinates == nil {
                    warn(index, FieldProblem("coordinates", ImportRow.waiting))
                }
                if let hasPlace = patch.hasPlace {
                    reviewed.append((index, patch.kind, id, isNew: effect == .created, hasPlace))
                }
            }
        } catch {
            let own = error.all.filter { !patch.isConsequence($0, in: names) }
            for problem in row.explained(own, found: problems) { problems.add(problem.field, problem.message) }
            names.insertMissing(patch)
        }
        if !problems.isEmpty { found[index] = problems }
        warn(of: index)
    }

    private mutating func cancel(
        _ index: Int, _ cancellation: ImportRow.Cancellation, _ patch: any AnyPatch,
        in transaction: inout WriteTransaction
    ) {
        let known = names.event(patch.key?.text.text, endingWith: cancellation.digest, in: transaction.town)
        guard let known, let event = transaction.town.events[known]?.value else {
            return warn(index, FieldProblem("", "is cancelled, and is not there; nothing was added"))
        }
        var change = Patch<Event>()
        (change.values.slug, change.fields) = (known, ["slug"])
        if cancellation.occurrences.isEmpty {
            change.values.status = .cancelled
            change.fields.insert("status")
        } else {
            let zone = transaction.town.zone(of: event)
            let starts = cancellation.occurrences.map(zone.localTime)
            change.values.overrides = event.overrides.filter { $0.occurrence.map(starts.contains) != true }
            warnOfOccurrences(index, starts, of: event, in: zone)
            for start in starts {
                var row = EventOverride()
                (row.occurrence, row.isCancelled) = (start, true)
                change.values.overrides.append(row)
            }
            change.values.overrides.sort(by: EventOverride.precedes)
            change.fields.insert("overrides")
        }
        do throws(FieldProblems) {
            let effect = try (change as any AnyPatch).upsert(byID: false, in: &transaction)
            report.count(change, effect, in: transaction)
        } catch {
            found[index] = error
        }
    }
}

extension Importer {
    fileprivate mutating func setCenter(in transaction: inout WriteTransaction) {
        guard let center = options.center, transaction.town.settings.center == nil else { return }
        var patch = Patch<Settings>()
        (patch.values.center, patch.fields) = (center, ["center"])
        do throws(FieldProblems) {
            report.count(try transaction.upsert(patch), .settings)
        } catch {
            preconditionFailure("a center that was read is refused: \(error)")
        }
    }

    fileprivate mutating func onlyEmpty(_ index: Int, _ patch: Patch<Settings>, in town: Town) -> Patch<Settings> {
        guard let stored = town.storedSettings else { return patch }
        var patch = patch
        // The times of this town were not computed by those of another one.
        patch.fields = patch.fields.subtracting(["zone_data"])
        // What was removed for good stays removed.
        let others = patch.values.removed.filter { !stored.removed.contains(where: $0.hasSameBytes) }
        patch.values.removed = (others + stored.removed).suffix(Settings.mostRemoved)
        if options.replacesSettings { return patch }
        let own = Settings().difference(from: stored).subtracting(["removed"])
        let changed = patch.applied(to: stored).difference(from: stored)
        let replaced = changed.subtracting(changed.subtracting(own))
        var rest = patch
        rest.fields = patch.fields.subtracting(own)
        guard !replaced.isEmpty else { return rest }
        let names = replaced.names.sorted().joined(separator: ", ")
        let message = "\(names): left out, since the town has its own; to take these, import with --settings"
        warn(index, FieldProblem("settings", message))
        return rest
    }

    /// Cancelled starts that the series does not have.
    private mutating func warnOfOccurrences(
        _ index: Int, _ starts: [LocalTime], of event: Event, in zone: TimeZone
    ) {
        guard let series = event.recurrence(in: zone, hasExceptions: false) else { return }
        let others = starts.filter { !series.has(start: zone.instant(of: $0)) && $0 != event.startsLocal }
        guard let first = others.min() else { return }
        let message = "\(first.label) matches no occurrence; its cancellation was ignored"
        warn(index, FieldProblem("RECURRENCE-ID", message))
    }
}

extension Importer {
    private func checkIsFirst(
        _ index: Int, _ row: ImportRow, _ places: inout [RecordKey: Int], _ problems: inout FieldProblems
    ) {
        guard let key = row.patch?.key, row.cancellation == nil else { return }
        guard let first = places[key] else {
            places[key] = index
            return
        }
        let line = self.row(first).line
        let place = entries[first].file == entries[index].file ? "line \(line)" : "\(fileName(first)):\(line)"
        if key.kind.hasOneRecord {
            return problems.add(
                "", "a town has one record of \(key.kind.label), which stands in \(place); leave this one out")
        }
        let isPerson = key.kind == .person
        let need =
            isPerson
            ? "every user needs an address of its own"
            : row.origin != .table
                ? "leave one of them out or, if they are not the same, give one another name"
                : "leave one of the rows out or, if they are not the same, give one a slug of its own in a column "
                    + "\"slug\""
        problems.add(isPerson ? "email" : "slug", "\"\(key.text.text.excerpt())\" stands in \(place) too; \(need)")
    }
}

/// What only a dump of a database has: deleted records, private records, and the highest IDs ever given.
extension Importer {
    private mutating func applyRest(to transaction: inout WriteTransaction, isNewTown: Bool) {
        for (kind, indexes) in deletions { for index in indexes { delete(index, kind, in: &transaction) } }
        insertPrivateRecords(in: &transaction, isNewTown: isNewTown)
        for (sequence, id) in files.flatMap(\.highestIDs) { transaction.record(highest: id, in: sequence) }
    }

    /// Those that refer to others first.
    private var deletions: [(kind: RecordKind, indexes: [Int])] {
        let all = indexes { $0.deletion != nil }
        return Town.sharedKinds.reversed().map { kind in (kind, all.filter { row($0).deletion?.key.kind == kind }) }
    }

    private mutating func delete(_ index: Int, _ kind: RecordKind, in transaction: inout WriteTransaction) {
        guard let deletion = row(index).deletion, let type = Town.recordType(of: kind) else { return }
        let label = "the \(kind.label) \(deletion.id) was deleted in the database"
        guard let key = type.key(of: deletion.id, in: transaction.town) else {
            return warn(index, FieldProblem("", "\(label), and is not here"))
        }
        guard key == deletion.key else {
            return warn(index, FieldProblem("", "\(label); here it is \"\(key.text.text.excerpt())\", and stays"))
        }
        guard options.deletesMissing else {
            return warn(index, FieldProblem("", "\(label); to delete it here, too, import with --delete-missing"))
        }
        do throws(WriteError) {
            try transaction.delete(kind, deletion.id)
            report.countDeletion(kind, key: key.text.text, name: row(index).label)
        } catch {
            guard case .inUse(let count) = error else { return }
            found[index, default: FieldProblems()].add(
                "", "\(label), and cannot be deleted here: \(count) records refer to it")
        }
    }

    private mutating func insertPrivateRecords(in transaction: inout WriteTransaction, isNewTown: Bool) {
        let all = indexes { $0.privateRecord != nil }
        guard let first = all.first else { return }
        guard isNewTown else {
            let message = "private records were left out (\(all.count)): only a town without people takes them"
            return warn(first, FieldProblem("", message))
        }
        for index in all {
            guard let record = row(index).privateRecord else { continue }
            transaction.restore(record)
        }
    }
}

extension WritableRecord {
    fileprivate static func key(of id: Int, in town: Town) -> RecordKey? {
        stored(id, in: town).flatMap { RecordKey(kind, $0.value.importKey) }
    }
}
