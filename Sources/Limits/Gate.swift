import Synchronization

/// Admits so many at a time for each key, and a size of all together; further ones are refused at once.
package final class Gate<Key: Hashable & Sendable>: Sendable {
    /// The permission for one. It ends when it is released, or with its last reference.
    package final class Permit: Sendable {
        private let gate: Gate
        private let key: Key
        private let size: Int
        private let isReleased = Atomic<Bool>(false)

        fileprivate init(_ gate: Gate, _ key: Key, _ size: Int) {
            (self.gate, self.key, self.size) = (gate, key, size)
        }

        deinit {
            release()
        }

        /// Called before the response is sent, so that the client may send the next request.
        package func release() {
            if isReleased.exchange(true, ordering: .relaxed) { return }
            gate.state.withLock { state in
                let count = state.counts[key] ?? 0
                state.counts[key] = count > 1 ? count - 1 : nil
                state.size -= size
            }
        }
    }

    private struct State {
        var counts: [Key: Int] = [:]
        var size = 0
    }

    private let limit: Int
    private let sizeLimit: Int
    private let state = Mutex(State())

    package init(limit: Int = 1, sizeLimit: Int = .max) {
        (self.limit, self.sizeLimit) = (limit, sizeLimit)
    }

    package func count(_ key: Key) -> Int { state.withLock { $0.counts[key] ?? 0 } }

    package func hasRoom(_ key: Key, size: Int = 0) -> Bool { state.withLock { hasRoom(key, size, $0) } }

    package func enter(_ key: Key, size: Int = 0) -> Permit? {
        state.withLock { state in
            guard hasRoom(key, size, state) else { return nil }
            state.counts[key, default: 0] += 1
            state.size += size
            return Permit(self, key, size)
        }
    }

    private func hasRoom(_ key: Key, _ size: Int, _ state: State) -> Bool {
        state.counts[key] ?? 0 < limit && size <= sizeLimit - state.size
    }
}
