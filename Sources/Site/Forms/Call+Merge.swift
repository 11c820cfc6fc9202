import Dispatcher
import HTTP
import Service
import SookeModel
import Store

extension Call {
    /// How often a change is made anew when others were faster.
    private static let attempts = 3

    /// Merges what somebody changed in a form into the newest version of a record.
    ///
    /// - Parameters:
    ///   - find: the record in a version.
    ///   - hasMore: whether the form changes something beside these fields.
    ///   - texts: its fields as the form shows them.
    ///   - change: the change of some fields to new texts.
    /// - Throws: `FormRefusal` when somebody else changed the same fields; the errors of the use case.
    func merge<Found>(
        _ sent: Submission, hasMore: Bool = false,
        into find: (Version) throws -> (record: Found, digest: UInt64),
        _ texts: (Found) -> [(name: String, text: String)],
        _ change: (Found, [String: String], RequestContext) throws -> Transaction<Outcome>
    ) async throws {
        try await merge(
            sent, hasMore: hasMore, into: find, texts,
            running: { record, changes, context in
                _ = try await service.run(try change(record, changes, context), for: context)
            })
    }

    /// The same with a use case that runs its transaction itself.
    func merge<Found>(
        _ sent: Submission, hasMore: Bool = false,
        into find: (Version) throws -> (record: Found, digest: UInt64),
        _ texts: (Found) -> [(name: String, text: String)],
        running change: (Found, [String: String], RequestContext) async throws -> Void
    ) async throws {
        for _ in 0..<Self.attempts {
            let version = service.store.current
            let (record, digest) = try find(version)
            let merge = FormMerge(sent, into: texts(record))
            if !merge.conflicts.isEmpty { throw FormRefusal(.conflict, FormState(conflicts: merge.conflicts)) }
            if merge.changes.isEmpty, !hasMore { return }
            let context = context(in: version, requiring: digest)
            do {
                return try await change(record, merge.changes, context)
            } catch ServiceError.preconditionFailed {
                continue
            }
        }
        throw FormRefusal(.conflict, FormState(message: "Others change this at the same moment. Send it once more."))
    }
}
