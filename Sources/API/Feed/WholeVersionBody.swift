import Bytes
import HTTP
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

    init(_ whole: WholeVersion) {
        state = Mutex(State(whole: whole))
    }

    func end() {}

    func next(_ wakeup: BodyWakeup) -> BodyPart {
        state.withLock { state in
            if state.isEnded { return .end }
            var text: [UInt8] = []
            if !state.isBegun { text.append("{\"reset\":true,\"changes\":[") }
            state.isBegun = true
            while text.count < Self.partSize {
                guard let changes = state.whole.next() else {
                    text.append("],\"position\":\"")
                    text.append(utf8: "\(state.whole.position)")
                    text.append("\",\"more\":false}")
                    state.isEnded = true
                    break
                }
                for item in changes.items {
                    if !state.isFirst { text.append(",") }
                    state.isFirst = false
                    text += item.json
                }
            }
            return .bytes(text)
        }
    }
}
