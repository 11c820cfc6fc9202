#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Lets one thread sleep until another wakes it.
final class Signal: Sendable {
    #if canImport(Glibc)
        // A semaphore: a condition variable and its mutex cost who is woken another call.
        private typealias Storage = sem_t
    #else
        private struct Storage {
            var mutex = pthread_mutex_t()
            var condition = pthread_cond_t()
            var isSet = false
        }
    #endif

    /// The C types live at one address from their making to their end. What is behind it is touched by their functions,
    /// and `isSet`, where there is one, only while the mutex is held.
    private nonisolated(unsafe) let storage: UnsafeMutablePointer<Storage>

    init() {
        storage = .allocate(capacity: 1)
        storage.initialize(to: Storage())
        #if canImport(Glibc)
            sem_init(storage, 0, 0)
        #else
            pthread_mutex_init(&storage.pointee.mutex, nil)
            pthread_cond_init(&storage.pointee.condition, nil)
        #endif
    }

    deinit {
        #if canImport(Glibc)
            sem_destroy(storage)
        #else
            pthread_cond_destroy(&storage.pointee.condition)
            pthread_mutex_destroy(&storage.pointee.mutex)
        #endif
        storage.deinitialize(count: 1)
        storage.deallocate()
    }

    /// Wakes the thread that waits, or the next that will.
    func send() {
        #if canImport(Glibc)
            sem_post(storage)
        #else
            pthread_mutex_lock(&storage.pointee.mutex)
            storage.pointee.isSet = true
            pthread_cond_signal(&storage.pointee.condition)
            pthread_mutex_unlock(&storage.pointee.mutex)
        #endif
    }

    /// Waits for `send`, unless it was called since the last time; sometimes for less than that.
    func wait() {
        #if canImport(Glibc)
            // A signal of the system may end it early.
            sem_wait(storage)
        #else
            pthread_mutex_lock(&storage.pointee.mutex)
            while !storage.pointee.isSet { pthread_cond_wait(&storage.pointee.condition, &storage.pointee.mutex) }
            storage.pointee.isSet = false
            pthread_mutex_unlock(&storage.pointee.mutex)
        #endif
    }
}
