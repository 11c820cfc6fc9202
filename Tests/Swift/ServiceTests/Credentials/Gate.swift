import Glibc
import Synchronization

/// Blocks a thread until the test opens the gate.
final class Gate: Sendable {
    private let isOpen = Atomic<Bool>(false)

    func open() { isOpen.store(true, ordering: .releasing) }

    func pass() {
        while !isOpen.load(ordering: .acquiring) { usleep(100) }
    }
}
