import Platform
import SookeClient
import ViewTree

extension Browser {
    /// Shows the town of a server on the terminal of the process until the program ends.
    ///
    /// - Throws: `SystemError` when there is no terminal.
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
