import Platform
import Testing

@testable import HTTP

@Suite struct ClientNetworkTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let address: String
        let network: String
        let site: String
        var testDescription: String { address }

        init(_ address: String, _ network: String, site: String) {
            (self.address, self.network, self.site) = (address, network, site)
        }
    }

    static let rows = [
        Row("192.0.2.1", "192.0.2.1", site: "192.0.2.0/24"),
        Row("255.255.255.255", "255.255.255.255", site: "255.255.255.0/24"),
        Row("::ffff:192.0.2.1", "192.0.2.1", site: "192.0.2.0/24"),
        Row("::ffff:c000:201", "192.0.2.1", site: "192.0.2.0/24"),
        Row("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", site: "2001:db8:1::/48"),
        // The text of these leaves out zeros in different places, so a key made from text had them differ.
        Row("2001:db8::1:2:3", "2001:db8:0:0::/64", site: "2001:db8:0::/48"),
        Row("2001:db8:0:0:9:1:2:3", "2001:db8:0:0::/64", site: "2001:db8:0::/48"),
        Row("2001:db8:0:0:a:1:2:3", "2001:db8:0:0::/64", site: "2001:db8:0::/48"),
        Row("fe80::1", "fe80:0:0:0::/64", site: "fe80:0:0::/48"),
        Row("fe80::9:1:1:1", "fe80:0:0:0::/64", site: "fe80:0:0::/48"),
        Row("fe80::a:1:1:1", "fe80:0:0:0::/64", site: "fe80:0:0::/48"),
        Row("::1", "0:0:0:0::/64", site: "0:0:0::/48"),
        Row("", "unknown", site: "unknown"),
    ]

    @Test(arguments: rows)
    func isTheAddressOrItsFirst64Bits(row: Row) {
        let network = Self.network(row.address)
        #expect(network.description == row.network)
        #expect(network.site.description == row.site)
        #expect(network.site.site == network.site)
    }

    @Test func differsForEveryOtherNetwork() {
        let texts = Set(Self.rows.flatMap { [$0.network, $0.site] })
        let networks = Set(Self.rows.map { Self.network($0.address) }.flatMap { [$0, $0.site] })
        #expect(networks.count == texts.count)
        #expect(Set(networks.map(\.bytes)).count == texts.count)
        #expect(networks.allSatisfy { $0.bytes.count == 10 })
    }

    @Test func ofAUnixSocketIsTheUser() {
        #expect(ClientNetwork(.local(uid: 1000, pid: 1)) == ClientNetwork(.local(uid: 1000, pid: 2)))
        #expect(ClientNetwork(.local(uid: 1000, pid: 1)).site.description == "uid:1000")
        #expect(ClientNetwork(.local(uid: 0, pid: 1)) != ClientNetwork(.local(uid: 1, pid: 1)))
    }

    private static func network(_ address: String) -> ClientNetwork {
        ClientNetwork(.inet(address: address, port: 1, isLoopback: false))
    }

    @Test func isNoIPv4AddressWhenItsBytesLookLikeOne() {
        let v4 = ClientNetwork(addressBytes: [10, 0, 0, 1])
        #expect(v4 != ClientNetwork(addressBytes: [10, 0, 0, 1] + [UInt8](repeating: 0, count: 12)))
        #expect(v4 != ClientNetwork(addressBytes: [0, 0, 0, 4, 10, 0, 0, 1] + [UInt8](repeating: 0, count: 8)))
    }
}
