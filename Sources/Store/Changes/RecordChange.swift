import JSON
import SookeModel

/// What a commit did to one record: the record before and after it.
///
/// Both are the records of the versions themselves, not copies.
public struct RecordChange: Sendable {
    /// The kind of the record.
    public let kind: RecordKind
    /// Its ID.
    public let id: Int
    /// The record before; nil for a new one.
    public let before: (any TableRecord)?
    /// The record afterwards; nil for one that was deleted.
    public let after: (any TableRecord)?

    /// What the log says of the record before an update: the members that differ; nil when nobody has found them yet.
    var was: [UInt8]?

    /// Whether everybody may read the record, or might before.
    public var isPublic: Bool { before?.isPublic == true || after?.isPublic == true }

    /// The change without what was before.
    var change: Change { after.map { .put(AnyRecord($0.value)) } ?? .delete(kind, id: id) }

    /// The record whose slug is not its own any more, if other records may refer to it.
    var lostTarget: ReferenceTarget? {
        guard let slug = before?.referenceSlug, slug != after?.referenceSlug else { return nil }
        return ReferenceTarget(kind: kind, id: id)
    }

    /// Writes the change as the log has it; see `Change`.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if let after {
            writer.key(kind.rawValue)
            after.write(to: &writer)
        } else {
            writer.member("deleted", kind.rawValue)
            writer.member("id", id)
        }
        // A secret that goes is not to be stored once more.
        if let before, RecordKind.shared.contains(kind) {
            writer.key("was")
            writer.raw(was ?? after.map { before.value.writtenDifference(fromAny: $0.value) } ?? before.written)
        }
        writer.endObject()
    }
}
