import JSON
import SookeModel

/// Reads the value of the first member as the kind of record that its key names.
func checkRecord(_ bytes: [UInt8]) {
    var reader = JSONReader(bytes)
    guard (try? reader.beginObject()) != nil, let name = try? reader.nextKey() else { return }
    if let type = publicTypes.first(where: { $0.kind.name == name }) { checkPublic(type, &reader) }
    if let type = privateTypes.first(where: { $0.kind.name == name }) { check(type, &reader) }
}

private let publicTypes: [any Record.Type] = [
    Category.self, EventType.self, Person.self, Business.self, Event.self,
]
private let privateTypes: [any StoredRecord.Type] = [
    PasswordRecord.self, Credential.self, Receipt.self, Proposal.self,
]

private func checkPublic<Value: Record>(_ type: Value.Type, _ reader: inout JSONReader) {
    let before = reader
    var problems = FieldProblems()
    guard let patch = try? Patch<Value>(from: &reader, &problems) else { return }
    patch.values.validateInput(&problems)
    require(patch.applied(to: patch.values) == patch.values, "a patch changes the record it is made of")
    reader = before
    check(type, &reader)
}

/// A record that is read without a problem is written, read again, and is the same then.
private func check<Value: StoredRecord>(_ type: Value.Type, _ reader: inout JSONReader) {
    var problems = FieldProblems()
    guard let record = try? read(type, &reader, &problems), problems.isEmpty else { return }
    let written = record.written
    var again = JSONReader(written)
    guard let second = try? read(type, &again, &problems), problems.isEmpty else {
        let text = String(decoding: written, as: UTF8.self)
        return require(false, "what was written cannot be read: \(text), \(problems.all)")
    }
    require(second.written == written, "a record changes when it is written")
}

private func read<Value: StoredRecord>(
    _ type: Value.Type, _ reader: inout JSONReader, _ problems: inout FieldProblems
) throws(JSONError) -> Value {
    var record = Value()
    _ = try record.readFields(from: &reader, unknown: .reported(), &problems)
    return record
}
