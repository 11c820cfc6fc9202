extension SocketAddress {
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
