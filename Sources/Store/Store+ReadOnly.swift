import Bytes
import JSON
import Journal

package struct ReadOnlyState: Sendable, Hashable {
    /// Nil when the file with the state is damaged.
    package let since: Timestamp?
    package let reason: String?

    init(since: Timestamp?, reason: String?) {
        (self.since, self.reason) = (since, reason)
    }

    /// `{"since":"2026-11-25T09:30:00Z","reason":"moving to Postgres"}`.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("since", since?.rfc3339)
        writer.member("reason", reason)
        writer.endObject()
        return writer.bytes
    }

    /// What cannot be read is unknown; the store is read-only anyway.
    init(json: [UInt8]) {
        var (since, reason): (Timestamp?, String?)
        do throws(JSONError) {
            var reader = JSONReader(json, limits: .trusted)
            try reader.beginObject()
            while let key = try reader.nextKey() {
                switch key {
                case _ where try reader.readNull(): break
                case "since": since = Timestamp(rfc3339: try reader.readString())
                case "reason": reason = try reader.readString()
                default: try reader.skipValue()
                }
            }
        } catch {
            (since, reason) = (nil, nil)
        }
        self.init(since: since, reason: reason)
    }
}

/// A read-only store makes no commit, so that its position stays the same until another machine or database has it. The
/// state is stored in the folder.
extension Store {
    package nonisolated var readOnly: ReadOnlyState? { currentReadOnly.withLock { $0 } }

    /// Makes the store read-only, once all writes that are under way are on stable storage. If it already is, only a
    /// new reason is stored.
    ///
    /// - Parameter reason: nil for none, or for the one before.
    /// - Returns: the last version. Every acknowledged write is in it.
    /// - Throws: `StoreError`; then the state is the one before.
    @discardableResult
    package func makeReadOnly(reason: String?) throws -> Version {
        guard !isClosed else { throw StoreError.closed }
        let before = readOnly
        let state = ReadOnlyState(since: before?.since ?? options.now(), reason: reason ?? before?.reason)
        if state != before {
            flush()
            try store(state)
        }
        return current
    }

    @discardableResult
    package func endReadOnly() throws -> Version {
        guard !isClosed else { throw StoreError.closed }
        if readOnly != nil {
            try store(nil)
            observer.withLock(\.self)?()
            Task { try await settleTimes() }
        }
        return current
    }

    private func store(_ state: ReadOnlyState?) throws {
        do {
            try journal.setReadOnly(state?.json)
        } catch {
            let error = StoreError(error)
            if error.isFinal { options.onFailure(error) }
            throw error
        }
        currentReadOnly.withLock { $0 = state }
    }
}
