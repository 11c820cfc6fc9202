import JSON
import SookeModel

/// The effect of a commit on one record: the record before and after it.
///
/// Both are references to the records of the versions, not copies.
public struct RecordChange: Sendable {
    /// The kind of the record.
    public let kind: RecordKind
    /// Its ID.
    public let id: Int
    /// The record before; nil for a new one.
    public let before: (any TableRecord)?
    /// The record after; nil for a deletion.
    public let after: (any TableRecord)?

    /// The before-image of an update in the log: the members that differ; nil when it has not been computed yet.
    var was: [UInt8]?

    /// Whether the record is or was public.
    public var isPublic: Bool { before?.isPublic == true || after?.isPublic == true }

    /// The change without its before-image.
    var change: Change { after.map { .put(AnyRecord($0.value)) } ?? .delete(kind, id: id) }

    /// The record that lost its slug, if other records may refer to it.
    var lostTarget: ReferenceTarget? {
        guard let slug = before?.referenceSlug, slug != after?.referenceSlug else { return nil }
        return ReferenceTarget(kind: kind, id: id)
    }

    /// Writes the change in the form of the log; see `Change`.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if let after {
            writer.key(kind.rawValue)
            after.write(to: &writer)
        } else {
            writer.member("deleted", kind.rawValue)
            writer.member("id", id)
        }
        // The log must not store a deleted secret again.
        if let before, RecordKind.shared.contains(kind) {
            writer.key("was")
            writer.raw(was ?? after.map { before.value.writtenDifference(fromAny: $0.value) } ?? before.written)
        }
        writer.endObject()
    }
}
