import CSystem
import Glibc

/// The socket calls of the server, each once. All descriptors are non-blocking and close-on-exec.
package enum Socket {
    static let stream = CInt(SOCK_STREAM.rawValue)
    static let datagram = CInt(SOCK_DGRAM.rawValue)
    private static let noSignal = CInt(MSG_NOSIGNAL)
    private static let moreToCome = CInt(MSG_MORE)

    package enum Transfer {
        case bytes(Int)
        /// The client has closed its side.
        case end
        case wouldBlock
        case failed
    }

    /// Reads the available bytes, up to the size of the buffer.
    package static func receive(_ descriptor: CInt, into buffer: inout [UInt8]) -> Transfer {
        while true {
            let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count > 0 { return .bytes(count) }
            if count == 0 { return .end }
            if errno == EAGAIN || errno == EWOULDBLOCK { return .wouldBlock }
            if errno != EINTR { return .failed }
        }
    }

    /// Writes from two buffers, one after the other: returns the number of bytes, -1 when the system accepts none now,
    /// or -2 when the connection is broken.
    package static func send(
        _ descriptor: CInt, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer, moreFollows: Bool
    ) -> Int {
        let flags = moreFollows ? noSignal | moreToCome : noSignal
        while true {
            let count = second.isEmpty ? sendOne(descriptor, first, flags) : sendTwo(descriptor, first, second, flags)
            if count >= 0 { return count }
            if errno == EAGAIN || errno == EWOULDBLOCK { return -1 }
            if errno != EINTR { return -2 }
        }
    }

    private static func sendOne(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer, _ flags: CInt) -> Int {
        Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags)
    }

    private static func sendTwo(
        _ descriptor: CInt, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer, _ flags: CInt
    ) -> Int {
        var places = (
            iovec(iov_base: UnsafeMutableRawPointer(mutating: first.baseAddress), iov_len: first.count),
            iovec(iov_base: UnsafeMutableRawPointer(mutating: second.baseAddress), iov_len: second.count)
        )
        return withUnsafeMutableBytes(of: &places) { places in
            var message = msghdr()
            message.msg_iov = places.bindMemory(to: iovec.self).baseAddress
            message.msg_iovlen = 2
            return sendmsg(descriptor, &message, flags)
        }
    }

    package static func close(_ descriptor: CInt) {
        _ = Glibc.close(descriptor)
    }

    /// A descriptor that can be closed when another one is needed; -1 when there is none.
    package static func openSpare() -> CInt {
        open("/dev/null", O_RDONLY | O_CLOEXEC)
    }

    /// Ends the output to the client.
    package static func closeOutput(_ descriptor: CInt) {
        shutdown(descriptor, CInt(SHUT_WR))
    }

    /// Makes a descriptor non-blocking and close-on-exec, after a call that cannot.
    static func setNonblocking(_ descriptor: CInt) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    package static func setOption(_ descriptor: CInt, _ level: CInt, _ option: CInt, _ value: CInt = 1) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<CInt>.size))
    }

    package static func make(_ family: CInt) throws(SystemError) -> CInt {
        let descriptor = socket(family, stream, 0)
        if descriptor < 0 { throw .last("socket") }
        setNonblocking(descriptor)
        return descriptor
    }

    package enum Accepted {
        case connection(CInt, SocketAddress)
        case none
        /// The connection has ended already; the next one may be usable.
        case gone
        /// The process or the system has no descriptor or memory left.
        case exhausted
    }

    /// Accepts the next waiting connection.
    package static func accept(from listener: CInt) -> Accepted {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let descriptor = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                accept4(listener, address, &length, CInt(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue))
            }
        }
        if descriptor >= 0 {
            return .connection(descriptor, SocketAddress(storage))
        }
        switch errno {
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
        case EAGAIN, EWOULDBLOCK, EBADF, EINVAL: return .none
        default: return .gone
        }
    }

    /// The user and process at the other end of a unix socket.
    package static func credentials(of descriptor: CInt) -> (uid: UInt32, pid: Int32) {
        // `struct ucred`: process, user, group.
        var values: [UInt32] = [0, .max, .max]
        var length = socklen_t(3 * MemoryLayout<UInt32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &values, &length)
        return (values[1], Int32(bitPattern: values[0]))
    }
}
