import Bytes
import HTTP
import Service
import Synchronization

/// A whole version as the JSON response to a poll.
final class WholeVersionBody: BodySource {
    private struct State {
        var whole: WholeVersion
        var isBegun = false
        var isFirst = true
        var isEnded = false
    }

    private static let partSize = 32 * 1024
    private let state: Mutex<State>
    private let follower: Follower
    private let viewer: Viewer

    /// - Parameter viewer: the client, as it sees the version.
    init(_ whole: WholeVersion, for viewer: Viewer, _ follower: Follower) {
        state = Mutex(State(whole: whole))
        (self.viewer, self.follower) = (viewer, follower)
    }

    func end() {}

    func next(_ wakeup: BodyWakeup) -> BodyPart {
        state.withLock { state in
            if state.isEnded { return .end }
            guard follower.hasRights(of: viewer, in: follower.town.store.current) else { return .failed }
            var text: [UInt8] = []
            if !state.isBegun { text.append("{\"reset\":true,\"changes\":[") }
            state.isBegun = true
            for _ in 0..<WholeVersion.workLimit / WholeVersion.partSize
            where text.count < Self.partSize && !state.isEnded {
                append(&text, &state)
            }
            if !text.isEmpty { return .bytes(text) }
            wakeup()
            return .pending
        }
    }

    /// Appends some records, or the end.
    private func append(_ text: inout [UInt8], _ state: inout State) {
        guard let changes = state.whole.next() else {
            text.append("],\"position\":\"")
            text.append(utf8: "\(follower.town.position(state.whole.position, for: viewer))")
            text.append("\",\"more\":false}")
            state.isEnded = true
            return
        }
        for item in changes.items {
            if !state.isFirst { text.append(",") }
            state.isFirst = false
            text += item.json
        }
    }
}
