import CSystem
import Glibc

/// All descriptors are non-blocking and close-on-exec.
package enum Socket {
    static let stream = CInt(SOCK_STREAM.rawValue)
    static let datagram = CInt(SOCK_DGRAM.rawValue)
    private static let noSignal = CInt(MSG_NOSIGNAL)
    private static let moreToCome = CInt(MSG_MORE)

    package enum Transfer {
        case bytes(Int)
        case end
        case wouldBlock
        case failed
    }

    package static func receive(_ descriptor: CInt, into buffer: inout [UInt8]) -> Transfer {
        while true {
            let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count > 0 { return .bytes(count) }
            if count == 0 { return .end }
            if errno == EAGAIN || errno == EWOULDBLOCK { return .wouldBlock }
            if errno != EINTR { return .failed }
        }
    }

    /// The number of bytes, -1 when the system accepts none now, or -2 when the connection is broken.
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

    package static func closeOutput(_ descriptor: CInt) {
        shutdown(descriptor, CInt(SHUT_WR))
    }

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
        case exhausted
    }

    package static func accept(from listener: CInt) -> Accepted {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let descriptor = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                accept4(listener, address, &length, CInt(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue))
            }
        }
        if descriptor >= 0 { return .connection(descriptor, SocketAddress(storage)) }
        switch errno {
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
        case EAGAIN, EWOULDBLOCK, EBADF, EINVAL: return .none
        default: return .gone
        }
    }

    package static func credentials(of descriptor: CInt) -> (uid: UInt32, pid: Int32) {
        // `struct ucred`: process, user, group.
        var values: [UInt32] = [0, .max, .max]
        var length = socklen_t(3 * MemoryLayout<UInt32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &values, &length)
        return (values[1], Int32(bitPattern: values[0]))
    }
}

extension Socket {
    private static let backlog: CInt = 1024

    /// Bytes of one connection that the system buffers; the server buffers the rest.
    private static let unsentLimit: CInt = 64 * 1024

    package static func listen(host: String, port: UInt16) throws(SystemError) -> CInt {
        guard let address = SocketAddress(host: host, port: port) else { throw SystemError(code: EAFNOSUPPORT) }
        let descriptor = try make(address.family)
        setOption(descriptor, SOL_SOCKET, SO_REUSEADDR)
        // Accepted sockets inherit it. Responses are sent in one write, so a delay would gain nothing.
        setOption(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY)
        // They inherit this too. Without it the system would buffer megabytes outside of the server's limits.
        setOption(descriptor, CInt(IPPROTO_TCP), TCP_NOTSENT_LOWAT, unsentLimit)
        if address.family == AF_INET6 { setOption(descriptor, CInt(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
        try bindAndListen(descriptor, address)
        return descriptor
    }

    /// At a path of any length, for this user alone or for its group too. `replacingStale`: a socket that no process
    /// listens on is removed first.
    package static func listen(path: String, replacingStale: Bool, forGroup: Bool) throws(SystemError) -> CInt {
        let mode: mode_t = forGroup ? 0o660 : 0o600
        return try SocketAddress.withUnix(path: path) { address throws(SystemError) in
            let descriptor = try make(AF_UNIX)
            // The file gets the mode of the socket, so no other user can connect at any time.
            fchmod(descriptor, mode)
            if replacingStale, isStale(path, address) { unlink(path) }
            try bindAndListen(descriptor, address)
            chmod(path, mode)
            return descriptor
        }
    }

    private static func bindAndListen(_ descriptor: CInt, _ address: SocketAddress) throws(SystemError) {
        let isBound = address.withPointer { bind(descriptor, $0, $1) } == 0
        if isBound, Glibc.listen(descriptor, backlog) == 0 { return }
        let code = errno
        close(descriptor)
        throw SystemError(code: code)
    }

    private static func isStale(_ path: String, _ address: SocketAddress) -> Bool {
        guard let status = try? FileDescriptor.workingFolder.status(of: path, followingLinks: false), status.isSocket,
            let probe = try? make(AF_UNIX)
        else { return false }
        defer { close(probe) }
        return address.withPointer { connect(probe, $0, $1) } < 0 && errno == ECONNREFUSED
    }
}

package struct UnixSocket: ~Copyable {
    private let owned: OwnedDescriptor

    package var descriptor: FileDescriptor { owned.descriptor }

    package var listeningUser: UInt32 { Socket.credentials(of: descriptor.number).uid }

    /// The path may be of any length.
    ///
    /// - Throws: `ENOENT` or `ECONNREFUSED` when no process listens there.
    package init(folder: String, name: String) throws(SystemError) {
        owned = try SocketAddress.withUnix(path: "\(folder)/\(name)") { address throws(SystemError) in
            let kind = Socket.stream | CInt(SOCK_CLOEXEC.rawValue)
            let owned = OwnedDescriptor(try SystemError.retryingInterrupts { socket(AF_UNIX, kind, 0) })
            let number = owned.descriptor.number
            try SystemError.retryingInterrupts { address.withPointer { connect(number, $0, $1) } }
            return owned
        }
    }

    /// False when not all were sent, because the other side has sent something.
    package func send(_ bytes: [UInt8]) throws(SystemError) -> Bool {
        var done = 0
        while done < bytes.count {
            let ready = try descriptor.wait(for: [.readable, .writable])
            if ready.contains(.readable) { return false }
            do throws(SystemError) {
                done += try SystemError.retryingInterrupts {
                    // A closed connection is an error here, not a signal.
                    let flags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
                    return bytes.withUnsafeBytes {
                        Glibc.send(descriptor.number, $0.baseAddress.map { $0 + done }, $0.count - done, flags)
                    }
                }
            } catch {
                // The other side may have responded before it closed.
                if error.isBrokenPipe { return false }
                if !error.wouldBlock { throw error }
            }
        }
        return true
    }
}
