#if os(Linux)
    import CSystem

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Waits with `epoll(7)`.
    package struct EpollPoller: Poller {
        private let descriptor: CInt
        private var events = [epoll_event](repeating: epoll_event(), count: 256)

        package init() throws(SystemError) {
            descriptor = epoll_create1(CInt(EPOLL_CLOEXEC))
            if descriptor < 0 { throw SystemError(call: "epoll_create1", code: errno) }
        }

        package mutating func add(_ descriptor: CInt, token: UInt64, _ interest: Interest) throws(SystemError) {
            var event = Self.event(token, interest)
            if epoll_ctl(self.descriptor, EPOLL_CTL_ADD, descriptor, &event) < 0 {
                throw SystemError(call: "epoll_ctl", code: errno)
            }
        }

        package mutating func modify(_ descriptor: CInt, token: UInt64, _ interest: Interest) {
            var event = Self.event(token, interest)
            epoll_ctl(self.descriptor, EPOLL_CTL_MOD, descriptor, &event)
        }

        package mutating func remove(_ descriptor: CInt) {
            // Closing a descriptor takes it out of the set: a call saved.
        }

        package mutating func wait(timeout: CInt) -> Int {
            let count = events.withUnsafeMutableBufferPointer {
                epoll_wait(descriptor, $0.baseAddress, CInt($0.count), timeout)
            }
            return Int(max(0, count))
        }

        package func event(_ index: Int) -> ReadyEvent {
            let event = events[index]
            let flags = event.events
            return ReadyEvent(
                token: event.data.u64,
                isReadable: flags & (EPOLLIN.rawValue | EPOLLRDHUP.rawValue) != 0,
                isWritable: flags & EPOLLOUT.rawValue != 0,
                hasFailed: flags & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0)
        }

        package mutating func close() {
            Socket.close(descriptor)
        }

        private static func event(_ token: UInt64, _ interest: Interest) -> epoll_event {
            var event = epoll_event()
            if interest.contains(.read) { event.events |= EPOLLIN.rawValue }
            if interest.contains(.write) { event.events |= EPOLLOUT.rawValue }
            event.data.u64 = token
            return event
        }
    }
#endif
