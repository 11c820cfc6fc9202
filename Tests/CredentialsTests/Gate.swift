import Glibc
import Synchronization

/// Holds up the work of a thread until the test opens it.
final class Gate: Sendable {
    private let isOpen = Atomic<Bool>(false)

    func open() { isOpen.store(true, ordering: .releasing) }

    func pass() {
        while !isOpen.load(ordering: .acquiring) { usleep(100) }
    }
}
