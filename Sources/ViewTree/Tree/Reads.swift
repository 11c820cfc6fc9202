import Observation
import Synchronization

/// What one evaluation of a body read. `withObservationTracking` cannot be cancelled: the objects that were read refer to
/// the observation until one of them changes. So each evaluation reads a marker too, and ending it changes the marker.
final class Reads: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    private let ended = Atomic(false)

    /// Whether the observation belongs to an earlier evaluation.
    var haveEnded: Bool { ended.load(ordering: .relaxed) }

    private var marker: Void { () }

    func begin() {
        registrar.access(self, keyPath: \.marker)
    }

    func end() {
        ended.store(true, ordering: .relaxed)
        registrar.withMutation(of: self, keyPath: \.marker) {}
    }
}
