#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A stream socket that is connected to a path on this machine.
struct LocalSocket: ~Copyable {
    private let owned: OwnedDescriptor

    var descriptor: FileDescriptor { owned.descriptor }

    /// Connects to a socket in a folder. The path may be of any length.
    ///
    /// - Throws: `ENOENT` or `ECONNREFUSED` when nobody listens there.
    init(folder: String, name: String) throws(SystemError) {
        let path = "\(folder)/\(name)"
        if path.utf8.count < Self.pathLimit {
            owned = try Self.connect(to: path)
            return
        }
        #if os(Linux)
            // The address has room for 107 bytes only; the descriptor of the folder makes a short name for it.
            let directory = try OwnedDescriptor.open(folder, O_RDONLY | O_DIRECTORY)
            owned = try Self.connect(to: "/proc/self/fd/\(directory.descriptor.number)/\(name)")
        #else
            throw SystemError(code: ENAMETOOLONG)
        #endif
    }

    /// Sends bytes, and stops early when the other side has something to say already.
    ///
    /// - Returns: whether all were sent.
    func send(_ bytes: [UInt8]) throws(SystemError) -> Bool {
        var done = 0
        while done < bytes.count {
            let ready = try descriptor.wait(for: Int16(POLLIN | POLLOUT))
            if ready & Int16(POLLIN) != 0 { return false }
            do throws(SystemError) {
                done += try SystemError.retryingInterrupts {
                    // A C call that reads memory takes a pointer.
                    bytes.withUnsafeBytes {
                        Self.send(descriptor.number, $0.baseAddress.map { $0 + done }, $0.count - done)
                    }
                }
            } catch {
                // The other side may have answered before it closed.
                if error.isBrokenPipe { return false }
                if error.code != EAGAIN { throw error }
            }
        }
        return true
    }

    /// Room in `sun_path`, with the closing zero.
    private static var pathLimit: Int { MemoryLayout.size(ofValue: sockaddr_un().sun_path) }

    private static func connect(to path: String) throws(SystemError) -> OwnedDescriptor {
        let socket = OwnedDescriptor(try SystemError.retryingInterrupts { makeSocket() })
        _ = fcntl(socket.descriptor.number, F_SETFD, FD_CLOEXEC)
        #if canImport(Darwin)
            var on: Int32 = 1
            setsockopt(socket.descriptor.number, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // The path is a C array inside the address, which Swift sees as a tuple.
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let number = socket.descriptor.number
        _ = try SystemError.retryingInterrupts {
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { libcConnect(number, $0, size) }
            }
        }
        return socket
    }

    private static func makeSocket() -> Int32 {
        #if canImport(Glibc)
            socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #else
            socket(AF_UNIX, SOCK_STREAM, 0)
        #endif
    }

    /// A closed peer is an error here and no signal.
    private static func send(_ number: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        #if canImport(Darwin)
            libcSend(number, bytes, count, Int32(MSG_DONTWAIT))
        #else
            libcSend(number, bytes, count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        #endif
    }
}

// The methods above have the names of the C functions they call.
private func libcConnect(_ number: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Int32 {
    connect(number, address, size)
}
private func libcSend(_ number: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
    send(number, bytes, count, flags)
}
