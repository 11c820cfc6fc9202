import Glibc

package struct SocketAddress {
    private(set) var storage: sockaddr_storage
    let length: socklen_t

    init(_ storage: sockaddr_storage) {
        self.storage = storage
        length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    }

    package init?(host: String, port: UInt16) {
        let text = host == "localhost" ? "127.0.0.1" : host
        storage = sockaddr_storage()
        var v4 = sockaddr_in()
        var v6 = sockaddr_in6()
        if inet_pton(AF_INET, text, &v4.sin_addr) == 1 {
            v4.sin_family = sa_family_t(AF_INET)
            v4.sin_port = port.bigEndian
            length = socklen_t(MemoryLayout<sockaddr_in>.size)
            withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: v4, as: sockaddr_in.self) }
        } else if inet_pton(AF_INET6, text, &v6.sin6_addr) == 1 {
            v6.sin6_family = sa_family_t(AF_INET6)
            v6.sin6_port = port.bigEndian
            length = socklen_t(MemoryLayout<sockaddr_in6>.size)
            withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: v6, as: sockaddr_in6.self) }
        } else {
            return nil
        }
    }

    /// nil when the path is too long for the system (107 bytes on Linux).
    package init?(path: String) {
        self.init(unixName: Array(path.utf8) + [0], length: MemoryLayout<sockaddr_un>.size)
    }

    /// Calls `body` with the address of a unix socket at a path of any length: one that is too long for an address is
    /// shortened with the descriptor of its folder.
    static func withUnix<Result: ~Copyable>(
        path: String, _ body: (SocketAddress) throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        if let address = SocketAddress(path: path) { return try body(address) }
        let slash = path.lastIndex(of: "/")
        let folder = try OwnedDescriptor.open(slash.map { String(path[...$0]) } ?? ".", [.read, .folder])
        let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
        guard let address = SocketAddress(path: "/proc/self/fd/\(folder.descriptor.number)/\(name)") else {
            throw SystemError(code: ENAMETOOLONG)
        }
        return try body(address)
    }

    /// A unix socket that is not in the file system (unix(7)).
    init?(abstractName name: Substring) {
        let prefix = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0
        self.init(unixName: [0] + Array(name.utf8), length: prefix + 1 + name.utf8.count)
    }

    /// With the bytes of `sun_path`: one end of them is the only zero.
    private init?(unixName bytes: [UInt8], length: Int) {
        storage = sockaddr_storage()
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard bytes.count <= room.count, bytes.count > 1, bytes.count(where: { $0 == 0 }) == 1 else { return false }
            room.copyBytes(from: bytes)
            return true
        }
        guard fits else { return nil }
        self.length = socklen_t(length)
        withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: address, as: sockaddr_un.self) }
    }

    package var family: CInt { CInt(storage.ss_family) }

    package func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }

    package static func bound(to descriptor: CInt) -> SocketAddress {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        withUnsafeMutablePointer(to: &storage) {
            _ = $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return SocketAddress(storage)
    }

    /// 4 or 16; IPv4 in IPv6 as IPv4. Empty for a unix socket.
    package var addressBytes: [UInt8] {
        withUnsafeBytes(of: storage) { bytes in
            switch family {
            case AF_INET: return Array(withUnsafeBytes(of: bytes.load(as: sockaddr_in.self).sin_addr, Array.init))
            case AF_INET6:
                let address = withUnsafeBytes(of: bytes.load(as: sockaddr_in6.self).sin6_addr, Array.init)
                let isMapped = address.prefix(10).allSatisfy { $0 == 0 } && address[10] == 0xFF && address[11] == 0xFF
                return isMapped ? Array(address.suffix(4)) : address
            default: return []
            }
        }
    }

    package var port: UInt16 {
        withUnsafeBytes(of: storage) { bytes in
            switch family {
            case AF_INET: UInt16(bigEndian: bytes.load(as: sockaddr_in.self).sin_port)
            case AF_INET6: UInt16(bigEndian: bytes.load(as: sockaddr_in6.self).sin6_port)
            default: 0
            }
        }
    }

    package var host: String {
        let address = addressBytes
        guard !address.isEmpty else { return "" }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = address.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, address, &text, socklen_t(text.count)) != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    package var isLoopback: Bool {
        let address = addressBytes
        return address.first == 127 && address.count == 4
            || address.count == 16 && address.dropLast().allSatisfy { $0 == 0 } && address.last == 1
    }

    /// Whether it is one of the Internet, and not of a private network, of this machine or of none (the registries of
    /// RFC 6890). An IPv4 address in IPv6 (RFC 4291, RFC 6052) counts as that address.
    package var isOfInternet: Bool {
        let bytes = addressBytes
        if bytes.count == 4 { return Self.isOfInternet(v4: bytes) }
        guard bytes.count == 16 else { return false }
        // NAT64.
        if bytes.prefix(12).elementsEqual([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) {
            return Self.isOfInternet(v4: Array(bytes.suffix(4)))
        }
        let isGlobal = bytes[0] & 0xE0 == 0x20
        let isTunnel = bytes[0...1] == [0x20, 0x02] || bytes[0...1] == [0x20, 0x01] && bytes[2] < 2
        return isGlobal && !isTunnel && bytes[0...3] != [0x20, 0x01, 0x0D, 0xB8]
    }

    private static func isOfInternet(v4 bytes: [UInt8]) -> Bool {
        switch (bytes[0], bytes[1], bytes[2]) {
        case (0, _, _), (10, _, _), (127, _, _), (224..., _, _): false
        case (100, 64...127, _), (169, 254, _), (172, 16...31, _), (192, 168, _), (198, 18...19, _): false
        case (192, 0, 0), (192, 0, 2), (192, 88, 99), (198, 51, 100), (203, 0, 113): false
        default: true
        }
    }
}
