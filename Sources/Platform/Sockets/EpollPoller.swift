import CSystem
import Glibc

/// Waits for many descriptors, with `epoll(7)`; level-triggered.
package struct EpollPoller: Sendable {
    private let descriptor: CInt
    private var events = [epoll_event](repeating: epoll_event(), count: 256)

    package init() throws(SystemError) {
        descriptor = epoll_create1(CInt(EPOLL_CLOEXEC))
        if descriptor < 0 { throw .last("epoll_create1") }
    }

    /// Closing the descriptor removes it.
    package mutating func add(_ descriptor: CInt, token: UInt64, _ events: FileDescriptor.Events) throws(SystemError) {
        var event = Self.event(token, events)
        if epoll_ctl(self.descriptor, EPOLL_CTL_ADD, descriptor, &event) < 0 { throw .last("epoll_ctl") }
    }

    package mutating func modify(_ descriptor: CInt, token: UInt64, _ events: FileDescriptor.Events) {
        var event = Self.event(token, events)
        epoll_ctl(self.descriptor, EPOLL_CTL_MOD, descriptor, &event)
    }

    /// Returns the number of events, after at most `timeout` milliseconds (-1: for ever).
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
            isReadable: flags & EPOLLIN.rawValue != 0,
            isWritable: flags & EPOLLOUT.rawValue != 0,
            hasHungUp: flags & EPOLLRDHUP.rawValue != 0,
            hasFailed: flags & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0)
    }

    package mutating func close() {
        Socket.close(descriptor)
    }

    private static func event(_ token: UInt64, _ events: FileDescriptor.Events) -> epoll_event {
        var event = epoll_event()
        if events.contains(.readable) { event.events |= EPOLLIN.rawValue }
        if events.contains(.writable) { event.events |= EPOLLOUT.rawValue }
        if events.contains(.hangUp) { event.events |= EPOLLRDHUP.rawValue }
        event.data.u64 = token
        return event
    }
}

package struct ReadyEvent {
    package let token: UInt64
    package let isReadable: Bool
    package let isWritable: Bool
    package let hasHungUp: Bool
    package let hasFailed: Bool
}
