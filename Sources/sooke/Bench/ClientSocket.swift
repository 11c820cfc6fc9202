import CSystem
import HTTP

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Connections to a server over TCP that never wait.
enum ClientSocket {
    /// Begins to connect.
    ///
    /// - Returns: whether it is connected already; else the descriptor becomes writable when it is, or has failed.
    static func connect(to address: SocketAddress) throws(SystemError) -> (descriptor: Int32, isOpen: Bool) {
        let descriptor: Int32
        do throws(HTTP.SystemError) {
            descriptor = try Socket.make(address.family)
        } catch {
            throw SystemError(code: error.code)
        }
        Socket.setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY)
        do throws(SystemError) {
            _ = try SystemError.retryingInterrupts { address.withPointer { libcConnect(descriptor, $0, $1) } }
            return (descriptor, true)
        } catch {
            if error.code == EINPROGRESS { return (descriptor, false) }
            Socket.close(descriptor)
            throw error
        }
    }

    /// What came of connecting; nil when it is connected.
    static func failure(of descriptor: Int32) -> SystemError? {
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
        return code == 0 ? nil : SystemError(code: code)
    }

    /// Connects and closes again.
    ///
    /// - Throws: why it cannot.
    static func probe(_ address: SocketAddress) throws(SystemError) {
        let socket = OwnedDescriptor(try connect(to: address).descriptor)
        let ready = try socket.descriptor.wait(for: Int16(POLLOUT), milliseconds: 5_000)
        if let failure = failure(of: socket.descriptor.number) { throw failure }
        if ready == 0 { throw SystemError(code: ETIMEDOUT) }
    }
}

// The method above has the name of the C function that it calls.
private func libcConnect(_ number: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Int32 {
    connect(number, address, size)
}

extension LoadFailure {
    /// How a failed call of the system counts.
    init(_ error: SystemError) {
        switch error.code {
        case EMFILE, ENFILE, EADDRNOTAVAIL, ENOBUFS, ENOMEM: self = .local
        case ETIMEDOUT: self = .timeout
        case ECONNRESET, EPIPE: self = .reset
        default: self = .refused
        }
    }
}
