#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Waits with `poll(2)`, for systems without anything better.
package struct PollPoller: Poller {
    private var entries: [pollfd] = []
    private var tokens: [UInt64] = []
    /// Where a descriptor stands in `entries`.
    private var places: [CInt: Int] = [:]
    private var readyEvents: [ReadyEvent] = []

    package init() {}

    package mutating func add(_ descriptor: CInt, token: UInt64, _ interest: Interest) throws(SystemError) {
        places[descriptor] = entries.count
        entries.append(pollfd(fd: descriptor, events: Self.flags(interest), revents: 0))
        tokens.append(token)
    }

    package mutating func modify(_ descriptor: CInt, token: UInt64, _ interest: Interest) {
        guard let place = places[descriptor] else { return }
        entries[place].events = Self.flags(interest)
        tokens[place] = token
    }

    package mutating func remove(_ descriptor: CInt) {
        guard let place = places.removeValue(forKey: descriptor) else { return }
        let last = entries.count - 1
        if place < last {
            entries[place] = entries[last]
            tokens[place] = tokens[last]
            places[entries[place].fd] = place
        }
        entries.removeLast()
        tokens.removeLast()
    }

    package mutating func wait(timeout: CInt) -> Int {
        let count = entries.withUnsafeMutableBufferPointer {
            poll($0.baseAddress, nfds_t($0.count), timeout)
        }
        guard count > 0 else { return 0 }
        readyEvents.removeAll(keepingCapacity: true)
        for index in entries.indices where entries[index].revents != 0 {
            let flags = CInt(entries[index].revents)
            readyEvents.append(
                ReadyEvent(
                    token: tokens[index], isReadable: flags & POLLIN != 0, isWritable: flags & POLLOUT != 0,
                    hasFailed: flags & (POLLERR | POLLHUP | POLLNVAL) != 0))
        }
        return readyEvents.count
    }

    package func event(_ index: Int) -> ReadyEvent { readyEvents[index] }

    package mutating func close() {}

    private static func flags(_ interest: Interest) -> CShort {
        CShort((interest.contains(.read) ? POLLIN : 0) | (interest.contains(.write) ? POLLOUT : 0))
    }
}
