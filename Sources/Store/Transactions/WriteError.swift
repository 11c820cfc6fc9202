import SookeModel

/// Why a transaction rejects a step. The step then has no effect.
public enum WriteError: Error, Sendable, Equatable {
    /// The record is invalid.
    case invalid(FieldProblems)
    /// Another record of its kind has the slug.
    case taken(slug: Slug)
    /// Another record of its kind has the name, which must be unique.
    case nameTaken(String)
    /// So many records refer to the record to be deleted.
    case inUse(count: Int)
    /// There is no such record.
    case notFound
}
