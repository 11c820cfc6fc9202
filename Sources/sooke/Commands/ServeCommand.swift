import Platform
import SookeModel
import Store

extension Command {
    /// `sooke serve`
    static let serve = Command(
        name: "serve",
        summary: "Serve the town in a data folder",
        discussion: [
            """
            It prints one line when it is ready, with its address, and then a line for each request. SIGTERM and SIGINT \
            stop it: it accepts no further connections, completes the current requests, writes a snapshot and ends.
            """,
            """
            Soon after the start and once a day it reads every byte of the data folder, as `sooke verify` does, and \
            reports any damage on standard error and in its status.
            """,
            "For TLS, put a proxy such as Caddy or nginx in front of it.",
        ],
        parameters: [
            Options.data.description, Options.host.description, Options.port.description,
            Options.timeZone.description, Options.holidays.description, Options.crossOrigins.description,
            Options.log.description,
            Options.snapshotSize.description, Options.snapshotInterval.description, Options.keepHistory.description,
            Options.url.description, Options.allowedHosts.description, Options.proxies.description,
            Options.sendmail.description, Options.writeLimit.description, Options.connections.description,
            Options.connectionsPerAddress.description, Options.now.description,
        ],
        examples: [
            Example("sooke serve --data /var/lib/sooke --port 8080", "Serves the town in /var/lib/sooke."),
            Example("sooke serve --port 0 --log off", "Uses a free port, without an access log."),
        ],
        exitCodes: [
            .success, .badData, .unavailable, .displaced, .locked, .inputOutput, .notPermitted, .configuration,
        ]
    ) { invocation throws(CommandError) in
        let signals = Signals.prepare()
        var settings = try TownServer.Settings(invocation, folder: try invocation[Options.data])
        settings.checksFiles = true
        settings.url = try invocation[Options.url]
        settings.allowedHosts = try invocation[Options.allowedHosts]
        settings.proxies = try invocation[Options.proxies]
        settings.writesPerMinute = try invocation[Options.writeLimit]
        settings.connections = try invocation[Options.connections]
        settings.connectionsPerAddress = try invocation[Options.connectionsPerAddress]
        settings.sendmail = try invocation[Options.sendmail]
        let console = invocation.console
        if let owner = FolderOwner(of: settings.folder) { try owner.become() }
        let server = try TownServer(settings, console: console)
        for warning in settings.warnings { console.report("sooke: warning: \(warning)\n") }
        try server.run(signals) { address, store throws(CommandError) in
            let town = store.current.community.summary
            try console.print("sooke: ready at \(address) (data in \(settings.folder), \(town))\n")
            if let message = try server.setupMessage(address) { console.report(message) }
        }
        return .success
    }
}

extension TownServer.Settings {
    /// The settings from the options.
    init(_ invocation: Invocation, folder: String) throws(CommandError) {
        self.init(
            folder: folder, host: try invocation[Options.host], port: try invocation[Options.port],
            timeZone: try invocation[Options.timeZone], holidays: try invocation[Options.holidays],
            crossOrigins: try invocation[Options.crossOrigins],
            now: try invocation[Options.now], log: try invocation[Options.log],
            snapshotBytes: try invocation[Options.snapshotSize] << 20,
            snapshotInterval: .seconds(60 * (try invocation[Options.snapshotInterval])),
            historyRetentionSeconds: try invocation[Options.keepHistory].map { 86_400 * $0 })
    }
}

extension TownServer.Settings {
    /// Warnings about dangerous settings, with advice.
    fileprivate var warnings: [String] {
        var warnings: [String] = []
        if let now {
            warnings.append(
                "the clock stands at \(now.rfc3339) (--now): nothing expires, and changes get that time. Leave --now out "
                    + "to serve a town")
        }
        if FolderOwner.othersMayWrite(to: folder) {
            warnings.append("other users can write to \(folder) and replace what is in it. Run: chmod go-w \(folder)")
        }
        return warnings
    }
}
