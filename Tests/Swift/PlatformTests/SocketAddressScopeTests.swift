import Testing

@testable import Platform

@Suite struct SocketAddressScopeTests {
    @Test(arguments: [
        "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255",
        "192.0.0.1", "192.168.1.1", "198.18.0.1", "224.0.0.1", "255.255.255.255", "::", "::1", "fc00::1", "fd12::1",
        "fe80::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "64:ff9b::7f00:1",
        "64:ff9b:1::1", "2001:db8::1", "2001::1", "2002:7f00:1::", "::127.0.0.1",
    ])
    func isNotOfTheInternet(text: String) throws {
        #expect(try #require(SocketAddress(host: text, port: 80)).isOfInternet == false)
    }

    @Test(arguments: [
        "1.1.1.1", "93.184.216.34", "172.15.0.1", "172.32.0.1", "100.63.0.1", "192.1.0.1", "2606:4700::1111",
        "::ffff:1.1.1.1", "64:ff9b::101:101", "2a00:1450::1",
    ])
    func isOfTheInternet(text: String) throws {
        #expect(try #require(SocketAddress(host: text, port: 80)).isOfInternet)
    }
}
