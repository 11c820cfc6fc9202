import SookeModel
import Store

/// What only a dump of a database has: deleted records, private records, and the highest IDs ever given.
extension Importer {
    /// Deletes records, inserts private ones into a town that had no people, and records the highest IDs.
    mutating func applyRest(to transaction: inout WriteTransaction, isNewTown: Bool) {
        for (kind, indexes) in deletions { for index in indexes { delete(index, kind, in: &transaction) } }
        insertPrivateRecords(in: &transaction, isNewTown: isNewTown)
        for (sequence, id) in highestIDs { transaction.record(highest: id, in: sequence) }
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
        guard deletesMissing else {
            return warn(index, FieldProblem("", "\(label); to delete it here, too, import with --delete-missing"))
        }
        do throws(WriteError) {
            try transaction.delete(kind, deletion.id)
            report.countDeletion(kind, key: key.text.text, name: row(index).label)
        } catch {
            guard case .inUse(let count) = error else { return }
            refuse(index, FieldProblem("", "\(label), and cannot be deleted here: \(count) records refer to it"))
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
    /// The key of the record with an ID; nil when there is none.
    fileprivate static func key(of id: Int, in town: Town) -> RecordKey? {
        stored(id, in: town).flatMap { RecordKey(kind, $0.value.importKey) }
    }
}
