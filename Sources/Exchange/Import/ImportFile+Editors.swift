import SookeModel
import Store

/// What the files of an editor may have: records of the kinds that editors change, without references to people.
///
/// This is checked before anything is looked up or left out, so that an import does not reveal who has an account.
extension Import.File {
    /// A problem for each record, and each field of one, that only administrators import.
    var problemsForEditors: [Finding] {
        content.rows.flatMap { row in
            row.problemsForEditors.map { problem in
                Finding(
                    file: name, row: row.line, record: content.namesRecords ? row.label.excerpt() : "", problem)
            }
        }
    }
}

extension ImportRow {
    fileprivate var problemsForEditors: [FieldProblem] {
        if let kind, !kind.isEditable {
            return [FieldProblem(kind.collection, "are imported by administrators only; leave them out")]
        }
        var fields = patch?.fieldsOfPeople ?? []
        // The address was taken out of its field, to be looked up.
        if names?.email != nil, let field = names?.person?.field, !fields.contains(field) { fields.append(field) }
        return fields.map { field in
            let column = field == names?.person?.field ? names?.person?.column : nil
            return FieldProblem(column ?? field, "is set by administrators only; leave it out")
        }
    }

    /// The kind of the record, also of one that could not be read.
    private var kind: RecordKind? {
        patch?.kind ?? Town.kinds.first { $0.collection.hasSameBytes(as: collection) }
    }
}
