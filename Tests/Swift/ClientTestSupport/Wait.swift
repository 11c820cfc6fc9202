import Observation

/// Returns when observation has reported changes after which a condition holds.
@MainActor
func wait(until condition: @MainActor () -> Bool) async {
    var isDone = false
    while !isDone, !Task.isCancelled {
        let changed = AsyncStream<Void>.makeStream()
        withObservationTracking {
            isDone = condition()
        } onChange: {
            changed.continuation.finish()
        }
        // It is called before the change, which is complete when the main actor is free again.
        if !isDone { for await _ in changed.stream {} }
    }
}
