import SookeModel
import Store

/// The fields of a record in a request, with the problems found while they were read.
///
/// A use case adds the violations of its own rules and of the store's, so that one response lists all invalid fields.
package struct PatchInput<Value: Record>: Sendable {
    package var patch: Patch<Value>
    package var problems: FieldProblems

    package init(_ patch: Patch<Value>, _ problems: FieldProblems = FieldProblems()) {
        (self.patch, self.problems) = (patch, problems)
    }

    func restricted(to allowed: FieldSet<Value>) -> (patch: Patch<Value>, problems: FieldProblems) {
        if patch.fields.isSubset(of: allowed) { return (patch, problems) }
        var (patch, problems) = (patch, problems)
        let refused = patch.fields.subtracting(allowed)
        for field in refused.names.sorted() { problems.add(field, "cannot be given here") }
        patch.fields = patch.fields.subtracting(refused)
        return (patch, problems)
    }
}

extension WriteTransaction {
    /// Throws if there are problems, after a trial that finds further ones.
    ///
    /// - Parameters:
    ///   - place: the path of the invalid fields in the record, such as `menus[0].`.
    ///   - hidden: a business that is not visible to the caller: references to it get the same message as references to
    ///     one that does not exist.
    /// - Throws: `invalid` with all problems; not whether a slug is taken, which may be a secret.
    func requireNone(
        of problems: FieldProblems, in place: String = "", hiding hidden: BusinessRecord? = nil,
        trying step: (inout WriteTransaction) throws(WriteError) -> Void
    ) throws(ServiceError) {
        if problems.isEmpty, hidden == nil { return }
        var trial = hidden.map(without) ?? WriteTransaction(town)
        var problems = problems
        do {
            try step(&trial)
        } catch {
            if case .invalid(let found) = error { problems.add(consequences: found, in: place) }
        }
        throw .invalid(problems)
    }
}

/// From the descriptions of the records. The server sets all other fields itself.
package enum SettableFields {
    package static let business = FieldSet<Business> { $0.isGiven }
    package static let editedBusiness = FieldSet<Business> { $0.isGivenByEditors }
    package static let ownBusiness = FieldSet<Business> { $0.contains(.setByOwner) }
    package static let event = FieldSet<Event> { $0.isGiven }
    package static let person = FieldSet<Person> { $0.isGiven }

    /// The values of an input that no transaction checks.
    package static func checked<Value: Record>(_ input: PatchInput<Value>) throws(ServiceError) -> Value {
        let (patch, problems) = input.restricted(to: all(of: Value.self))
        guard problems.isEmpty else { throw .invalid(problems) }
        return patch.values
    }

    /// Of a kind without rules of its own.
    package static func all<Value: Record>(of type: Value.Type) -> FieldSet<Value> { FieldSet { $0.isGiven } }
    package static func edited<Value: Record>(of type: Value.Type) -> FieldSet<Value> {
        FieldSet { $0.isGivenByEditors }
    }
}
