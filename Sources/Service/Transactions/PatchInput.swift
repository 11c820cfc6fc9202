import SookeModel
import Store

/// The fields of a record in a request, with the problems found while they were read.
///
/// A use case adds the violations of its own rules and of the store's, so that one response lists all invalid fields.
package struct PatchInput<Value: Record>: Sendable {
    /// The valid fields.
    package var patch: Patch<Value>
    /// The problems of the others.
    package var problems: FieldProblems

    package init(_ patch: Patch<Value>, _ problems: FieldProblems = FieldProblems()) {
        (self.patch, self.problems) = (patch, problems)
    }

    /// The fields that the caller may set, and a problem for each other field.
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
    ///   - problems: the problems so far. Without any, and without a hidden business, the step continues.
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

/// The fields that a caller may set, from the descriptions of the records. The server sets all others itself.
package enum SettableFields {
    /// Super admins, in a business.
    package static let business = FieldSet<Business> { $0.isGiven }
    /// Editors, in a business.
    package static let editedBusiness = FieldSet<Business> { $0.isGivenByEditors }
    /// Owners, in a business.
    package static let ownBusiness = FieldSet<Business> { $0.contains(.setByOwner) }
    /// All who may edit it, in an event.
    package static let event = FieldSet<Event> { $0.isGiven }
    /// Super admins, in an account and in an invitation.
    package static let person = FieldSet<Person> { $0.isGiven }

    /// Super admins, in a record of a kind without rules of its own.
    package static func all<Value: Record>(of type: Value.Type) -> FieldSet<Value> { FieldSet { $0.isGiven } }
    /// Editors, in a record of a kind without rules of its own.
    package static func edited<Value: Record>(of type: Value.Type) -> FieldSet<Value> {
        FieldSet { $0.isGivenByEditors }
    }
}
