/// The key by which limits count clients without an account: the bytes of an address, which can have several texts.
///
/// An IPv4 address counts alone, inside IPv6 (`::ffff:192.0.2.1`) too. Of an IPv6 address the first 64 bits count,
/// since one customer has 2⁶⁴ addresses.
package struct ClientNetwork: Sendable, Hashable, CustomStringConvertible {
    private enum Family: UInt8 {
        case unknown, v4, v6, local
    }

    private let family: Family
    private let length: UInt8
    /// From the highest on; the others are 0.
    private let value: UInt64

    private init(_ family: Family, _ value: UInt64, length: UInt8) {
        self.family = family
        self.length = length
        self.value = length == 0 ? 0 : value & (.max << UInt64(64 - length))
    }

    /// Of 4 or 16 bytes; all others are one network.
    package init(addressBytes bytes: [UInt8]) {
        let first = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let isMapped = bytes.count == 16 && first == 0 && bytes[8..<12].elementsEqual([0, 0, 0xFF, 0xFF])
        switch bytes.count {
        case 4: self.init(.v4, first << 32, length: 32)
        case 16 where isMapped: self.init(addressBytes: Array(bytes[12...]))
        case 16: self.init(.v6, first, length: 64)
        default: self.init(.unknown, 0, length: 0)
        }
    }

    package init(localUser user: UInt32) {
        self.init(.local, UInt64(user) << 32, length: 32)
    }

    /// As a provider or a company has one: /24 of IPv4, /48 of IPv6.
    package var site: ClientNetwork {
        switch family {
        case .v4: ClientNetwork(.v4, value, length: min(length, 24))
        case .v6: ClientNetwork(.v6, value, length: min(length, 48))
        case .unknown, .local: self
        }
    }

    /// The same ten bytes in later versions: a digest of them may be stored.
    package var bytes: [UInt8] {
        [family.rawValue, length] + (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(56 - 8 * $0)) }
    }

    /// `192.0.2.1`, `192.0.2.0/24`, `2001:db8:0:1::/64` or `uid:1000`.
    package var description: String {
        switch family {
        case .unknown: return "unknown"
        case .local: return "uid:\(value >> 32)"
        case .v4:
            let address = stride(from: 56, through: 32, by: -8).map { "\(value >> UInt64($0) & 0xFF)" }
            return address.joined(separator: ".") + (length == 32 ? "" : "/\(length)")
        case .v6:
            let shifts = stride(from: 48, through: 64 - UInt64(length), by: -16)
            let groups = shifts.map { String(value >> $0 & 0xFFFF, radix: 16) }
            return groups.joined(separator: ":") + "::/\(length)"
        }
    }
}
