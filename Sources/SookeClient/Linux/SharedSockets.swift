#if canImport(FoundationNetworking)
    import Foundation
    import Synchronization

    /// The open sockets of a transfer. Another thread ends it by shutting them down, never by closing them: their numbers
    /// might be those of other files by then.
    final class SharedSockets: Sendable {
        private struct State {
            var descriptors: Set<Int32> = []
            var isCancelled = false
        }

        private let state = Mutex(State())

        /// Whether the transfer must end.
        var isCancelled: Bool { state.withLock(\.isCancelled) }

        /// A new socket; -1 when there is none, or the transfer must end.
        func open(_ family: Int32, _ type: Int32, _ number: Int32) -> Int32 {
            state.withLock { state in
                guard !state.isCancelled else { return -1 }
                let descriptor = socket(family, type | Int32(SOCK_CLOEXEC.rawValue), number)
                if descriptor >= 0 { state.descriptors.insert(descriptor) }
                return descriptor
            }
        }

        /// Closes a socket.
        func close(_ descriptor: Int32) {
            state.withLock { state in
                state.descriptors.remove(descriptor)
                _ = Foundation.close(descriptor)
            }
        }

        /// Ends whatever waits for the sockets.
        func cancel() {
            state.withLock { state in
                state.isCancelled = true
                for descriptor in state.descriptors { shutdown(descriptor, Int32(SHUT_RDWR)) }
            }
        }
    }
#endif
