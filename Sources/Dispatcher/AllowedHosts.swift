import Bytes
import HTTP

/// What the server serves: its host names, and the data folder behind its local socket.
///
/// Another site can make its own name resolve to this machine's address, so that its pages count as pages of this
/// server (DNS rebinding). That is impossible with an address instead of a name, so addresses are always allowed.
///
/// A copy of the folder with hard links (`cp -al`) contains the socket of the original one. So a command states the
/// identity of its folder, and a server on another folder refuses.
package struct AllowedHosts: Sendable {
    private let names: [[UInt8]]
    private let allowsAll: Bool
    private var folder: String?

    package static let folderField: StaticString = "Sooke-Folder"

    package static let all = AllowedHosts(names: [], allowsAll: true)

    /// Ignoring case and without ports; and `localhost`.
    package init(_ names: [String]) {
        self.init(names: (names + ["localhost"]).map { Array($0.utf8) }, allowsAll: false)
    }

    private init(names: [[UInt8]], allowsAll: Bool) {
        (self.names, self.allowsAll) = (names, allowsAll)
    }

    package func with(folder identity: String) -> AllowedHosts {
        var hosts = self
        hosts.folder = identity
        return hosts
    }

    /// - Throws: 421 `misdirected_request` (RFC 9110, section 15.5.20) or `other_folder`.
    func check(_ request: Request) throws(HTTPError) {
        if request.isLocal { return try checkFolder(of: request) }
        if allowsAll { return }
        let host = Self.host(in: request.authority)
        if host.isEmpty || Self.isAddress(host) { return }
        guard names.contains(where: { ASCII.equalIgnoringCase($0, host) }) else {
            throw HTTPError(
                .misdirectedRequest, code: "misdirected_request",
                message: "this server does not answer to that name; its owner can add it with --url or --allow-host")
        }
    }

    /// One without the field, such as one of curl, is accepted.
    private func checkFolder(of request: Request) throws(HTTPError) {
        guard let folder, let named = request.headers.text(Self.folderField), named != folder else { return }
        throw HTTPError(
            .misdirectedRequest, code: "other_folder",
            message: """
                the server behind admin.sock in this folder serves another folder, of which this may be a copy with \
                hard links: nothing was changed; copy it with `cp -a`, or restore a backup
                """)
    }

    private static func host(in authority: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        if authority.first == UInt8(ascii: "[") { return authority }
        let host = authority.prefix { $0 != UInt8(ascii: ":") }
        return host.last == UInt8(ascii: ".") ? host.dropLast() : host
    }

    /// The last label of a name is never a number.
    private static func isAddress(_ host: ArraySlice<UInt8>) -> Bool {
        if host.first == UInt8(ascii: "[") { return true }
        return host.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }
    }
}
