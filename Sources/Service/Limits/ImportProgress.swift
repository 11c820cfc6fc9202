import JSON
import Synchronization

/// How far the import that runs has come, for those who wait for it.
public final class ImportProgress: Sendable {
    private struct State {
        let phase: String
        let done: Int
        let total: Int
    }

    private let state = Mutex<State?>(nil)

    /// No import.
    public init() {}

    /// The import has come this far in a phase, such as `checking`; the numbers are those of records or bytes.
    public func update(_ phase: String, done: Int, of total: Int) {
        state.withLock { $0 = State(phase: phase, done: done, total: total) }
    }

    /// The import has ended.
    public func clear() {
        state.withLock { $0 = nil }
    }

    /// `{"phase":"checking","done":1024,"total":200000}`; the phase is null when no import runs.
    public var json: [UInt8] {
        let state = state.withLock(\.self)
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("phase", state?.phase)
        writer.member("done", state?.done ?? 0)
        writer.member("total", state?.total ?? 0)
        writer.endObject()
        return writer.bytes
    }
}
