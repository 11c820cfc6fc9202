import API
import Service
import Synchronization

/// The letters that a server has sent.
final class Letters: Sendable {
    private let letters = Mutex<[Mail]>([])

    var all: [Mail] { letters.withLock { $0 } }

    @Sendable func add(_ letter: Mail) {
        letters.withLock { $0.append(letter) }
    }
}
