import SookeModel
import Store

/// The fields of a record that a request gives, with what was found wrong while they were read.
///
/// A use case adds what its own rules and the town find wrong, so that one response names every invalid field.
public struct PatchInput<Value: Record>: Sendable {
    /// The fields that could be read.
    public var patch: Patch<Value>
    /// What is wrong with the others.
    public var problems: FieldProblems

    /// The fields of a request.
    public init(_ patch: Patch<Value>, _ problems: FieldProblems = FieldProblems()) {
        (self.patch, self.problems) = (patch, problems)
    }

    /// The fields that the caller may set, and the problems with those that they may not.
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
    /// Refuses a step with which something is wrong already, after a trial that finds what else is wrong with it.
    ///
    /// - Parameters:
    ///   - problems: what is wrong already. The step goes on when that is nothing and nothing is hidden.
    ///   - place: where the fields that are invalid already are in the record, such as `menus[0].`.
    ///   - hidden: a business that does not exist for the caller: what refers to it is refused in the words for one
    ///     that never was.
    /// - Throws: `invalid` with everything that is wrong; not whether a slug is taken, which may be a secret.
    func requireNone(
        of problems: FieldProblems, in place: String = "", hiding hidden: BusinessRecord? = nil,
        trying step: (inout WriteTransaction) throws(WriteError) -> Void
    ) throws(ServiceError) {
        if problems.isEmpty, hidden == nil { return }
        var trial = hidden.map(without) ?? WriteTransaction(community)
        var problems = problems
        do {
            try step(&trial)
        } catch {
            if case .invalid(let found) = error { problems.add(consequences: found, in: place) }
        }
        throw .invalid(problems)
    }
}

extension FieldProblems {
    /// Adds problems that were found later, except for those of fields, or of their parts, that are invalid already.
    ///
    /// - Parameter place: where the fields that are invalid already are in the record, such as `menus[0].`.
    mutating func add(consequences later: FieldProblems, in place: String = "") {
        let fields = all.map(\.field)
        for problem in later.all {
            let field = problem.field.hasPrefix(place) ? String(problem.field.dropFirst(place.count)) : problem.field
            if !fields.contains(where: field.isPart(of:)) { add(problem.field, problem.message) }
        }
    }
}

extension String {
    /// Whether a field is another one or a part of it. Every field is a part of the record, which has no name.
    fileprivate func isPart(of other: String) -> Bool {
        other.isEmpty || self == other || hasPrefix("\(other).") || hasPrefix("\(other)[")
    }
}
