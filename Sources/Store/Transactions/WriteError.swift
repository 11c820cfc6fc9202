import SookeModel

/// Why a transaction refuses a step. The town is then as it was before the step.
public enum WriteError: Error, Sendable, Equatable {
    /// Something is wrong with the record.
    case invalid(FieldProblems)
    /// Another record of its kind has the slug that is asked for.
    case taken(slug: Slug)
    /// Another record of its kind has the name, of which there can be one.
    case nameTaken(String)
    /// So many records refer to the one that is to go.
    case inUse(count: Int)
    /// There is no such record.
    case notFound
}
