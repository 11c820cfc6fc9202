import Foundation

/// Where the program stores what it keeps, by the XDG Base Directory Specification.
struct BrowserFolders {
    private let cache: URL
    private let state: URL
    private let server: String

    /// The folders of a server.
    init(server: String, environment: [String: String] = ProcessInfo.processInfo.environment) {
        let home = URL(filePath: environment["HOME"] ?? NSTemporaryDirectory())
        func folder(_ variable: String, _ standard: String) -> URL {
            let path = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
            return (path.map { URL(filePath: $0) } ?? home.appending(path: standard)).appending(path: "sooke-browse")
        }
        (cache, state) = (folder("XDG_CACHE_HOME", ".cache"), folder("XDG_STATE_HOME", ".local/state"))
        self.server = Self.name(server)
    }

    /// The file of the town as an account may see it, or everybody.
    func replica(of account: String?) -> URL {
        cache.appending(path: server).appending(path: "\(account.map(Self.name) ?? "public").json")
    }

    /// The folder of the drafts.
    var drafts: URL { state.appending(path: server).appending(path: "drafts") }

    /// A text as the name of a file: other characters than letters, digits, dots and minus signs are percent-encoded.
    private static func name(_ text: String) -> String {
        let allowed = CharacterSet(charactersIn: "a"..."z").union(.init(charactersIn: "0123456789-."))
        let name = text.lowercased().addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
        return name.hasPrefix(".") ? "%2E" + name.dropFirst() : name
    }
}
