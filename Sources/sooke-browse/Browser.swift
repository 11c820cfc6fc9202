import Foundation
import Observation
import Platform
import SookeClient
import ViewTree

/// What all screens share: the session, the town as the account may see it, and which list is shown.
@MainActor @Observable final class Browser {
    /// The session, the only owner of the token; it is not stored.
    let session = SessionViewModel()
    /// The town as the account may see it; another one after each login and logout.
    private(set) var town: LiveTown { didSet { follow() } }
    /// Whose session ended without a logout, so that the screen can say so.
    private(set) var isSessionLost = false
    let businesses = RecordList(.businesses)
    let events = RecordList(.events)
    var list: RecordList
    var size = ScreenSize()
    var isLoggingIn = false
    var isQuitting = false

    @ObservationIgnored private var following: Task<Void, Never>?
    private let client: APIClient
    let folders: BrowserFolders

    init(_ client: APIClient, _ folders: BrowserFolders) {
        (self.client, self.folders) = (client, folders)
        list = businesses
        town = LiveTown(client: client, file: folders.replica(of: nil))
        session.apiClient = client
    }

    func logIn(email: String, password: String) async -> Bool {
        let former = session.token
        await session.logIn(email: email, password: password)
        guard session.token != former, let account = session.account, let client = session.client else { return false }
        isSessionLost = false
        town = LiveTown(client: client, account: account.email, file: folders.replica(of: account.email))
        return true
    }

    func logOut() {
        Task { await session.logOut() }
        showPublicTown()
    }

    func follow() {
        let former = following
        former?.cancel()
        following = Task { [town] in
            await former?.value
            await town.follow()
            guard !Task.isCancelled, case .revoked = town.state else { return }
            isSessionLost = session.isLoggedIn
            session.end()
            showPublicTown()
        }
    }

    /// Ends what runs, when the town has been saved.
    func close() async {
        following?.cancel()
        await following?.value
    }

    func describe(_ error: any Error) -> String {
        switch error {
        case APIError.httpError(_, let response?):
            response.error.message.prefix(1).uppercased() + response.error.message.dropFirst() + "."
        case APIError.httpError(let status, nil): "The server responded with status \(status)."
        case APIError.decodingError: "The server's response is not understood; is it a Sooke server?"
        case APIError.invalidURL: "The address \(client.baseURL) is not valid."
        default: "\(client.baseURL) cannot be reached: \(error.localizedDescription)"
        }
    }

    private func showPublicTown() {
        town = LiveTown(client: client, file: folders.replica(of: nil))
    }
}

extension Browser {
    static func run(_ server: String, _ signals: Signals) async throws(SystemError) {
        let hasColors = (Environment.process["NO_COLOR"] ?? "").isEmpty && Environment.process["TERM"] != "dumb"
        guard let terminal = Terminal(hasColors: hasColors) else { throw SystemError.inputOutput }
        defer { terminal.leave() }
        let browser = Browser(APIClient(baseURL: server), BrowserFolders(server: server))
        browser.size = terminal.size
        let tree = Tree(BrowserView(browser: browser)) { terminal.show($0) }
        terminal.show(tree.screen)
        defer { tree.close() }
        browser.follow()
        try await browser.handle(terminal.events(signals), of: terminal, tree)
        await browser.close()
    }

    private func handle(_ events: AsyncStream<Terminal.Event>, of terminal: Terminal, _ tree: Tree) async {
        for await event in events {
            switch event {
            case .key(.control("c")), .signal(.stop): return
            case .key(.control("z")), .signal(.suspend): terminal.suspend()
            case .key(.control("l")), .signal(.redraw):
                size = terminal.size
                tree.redraw()
                terminal.redraw()
            case .key(let key): tree.press(key)
            }
            if isQuitting { return }
        }
    }
}

/// Where the program stores what it keeps, by the XDG Base Directory Specification.
struct BrowserFolders {
    private let cache: URL
    private let state: URL

    init(server: String, environment: [String: String] = ProcessInfo.processInfo.environment) {
        let home = URL(filePath: environment["HOME"] ?? NSTemporaryDirectory())
        func folder(_ variable: String, _ standard: String) -> URL {
            let path = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
            return (path.map { URL(filePath: $0) } ?? home.appending(path: standard)).appending(path: "sooke-browse")
                .appending(path: Self.name(server))
        }
        (cache, state) = (folder("XDG_CACHE_HOME", ".cache"), folder("XDG_STATE_HOME", ".local/state"))
    }

    func replica(of account: String?) -> URL { cache.appending(path: "\(account.map(Self.name) ?? "public").json") }

    var drafts: URL { state.appending(path: "drafts") }

    private static func name(_ text: String) -> String {
        let allowed = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyz0123456789-.")
        let name = text.lowercased().addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
        return name.hasPrefix(".") ? "%2E" + name.dropFirst() : name
    }
}
