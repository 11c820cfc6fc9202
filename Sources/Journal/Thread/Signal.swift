#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Lets one thread sleep until another wakes it.
final class Signal: Sendable {
    private struct Storage {
        var mutex = pthread_mutex_t()
        var condition = pthread_cond_t()
        var isSet = false
    }

    /// The C types live at one address from their making to their end. What is behind it is touched by `pthread_`
    /// functions, and `isSet` only while the mutex is held.
    private nonisolated(unsafe) let storage: UnsafeMutablePointer<Storage>

    init() {
        storage = .allocate(capacity: 1)
        storage.initialize(to: Storage())
        pthread_mutex_init(&storage.pointee.mutex, nil)
        pthread_cond_init(&storage.pointee.condition, nil)
    }

    deinit {
        pthread_cond_destroy(&storage.pointee.condition)
        pthread_mutex_destroy(&storage.pointee.mutex)
        storage.deinitialize(count: 1)
        storage.deallocate()
    }

    /// Wakes the thread that waits, or the next that will.
    func send() {
        pthread_mutex_lock(&storage.pointee.mutex)
        storage.pointee.isSet = true
        pthread_cond_signal(&storage.pointee.condition)
        pthread_mutex_unlock(&storage.pointee.mutex)
    }

    /// Waits for `send`, unless it was called since the last time.
    func wait() {
        pthread_mutex_lock(&storage.pointee.mutex)
        while !storage.pointee.isSet { pthread_cond_wait(&storage.pointee.condition, &storage.pointee.mutex) }
        storage.pointee.isSet = false
        pthread_mutex_unlock(&storage.pointee.mutex)
    }
}
