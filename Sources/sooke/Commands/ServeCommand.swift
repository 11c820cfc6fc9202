import Bytes
import Platform
import SookeModel
import Store

extension Command {
    static let serve = Command(
        name: "serve",
        summary: "Serve the town in a data folder",
        discussion: [
            """
            It prints one line when it is ready, with its address, and then a line for each request. SIGTERM and \
            SIGINT stop it: it accepts no further connections, completes the current requests, writes a snapshot and \
            ends. SIGHUP does so only in a terminal.
            """,
            """
            Soon after the start and once a day it reads every byte of the data folder, as `sooke verify` does, and \
            reports any damage on standard error and in its status.
            """,
            "For TLS, put a proxy such as Caddy or nginx in front of it.",
        ],
        parameters: [
            Options.newData, Options.host, Options.port, Options.timeZone, Options.holidays, Options.crossOrigins,
            Options.log, Options.snapshotSize, Options.snapshotInterval, Options.keepHistory, Options.keepHistorySize,
            Options.url, Options.allowedHosts, Options.proxies, Options.sendmail,
            Options.outsideSocket, Options.mailLimit, Options.writeLimit, Options.connections,
            Options.connectionsPerAddress, Options.now, Options.nowTicks,
        ],
        examples: [
            Example("sooke serve --data /var/lib/sooke --port 8080", "Serves the town in /var/lib/sooke."),
            Example("sooke serve --port 0 --log off", "Uses a free port, without an access log."),
        ],
        exitCodes: [.success, .badData, .unavailable, .displaced, .locked, .inputOutput, .notPermitted, .configuration]
    ) { invocation in
        var settings = try TownServer.Settings(invocation, folder: try invocation[Options.data])
        settings.checksFiles = true
        if settings.sendmail != nil, settings.outsideSocket != nil {
            throw CommandError(.usage, "--sendmail and --outside-socket are two ways to send; choose one")
        }
        if settings.outsideSocket == nil, let folder = invocation.console.environment["RUNTIME_DIRECTORY"] {
            settings.outsideSocket = "\(folder)/outside.sock"
        }
        try invocation.serve(settings, serve)
    }

    private static func serve(_ settings: TownServer.Settings, _ console: Console) throws(CommandError) {
        let signals = Signals.prepare(hangUpStops: console.input.isTerminal)
        if let owner = FolderOwner(of: settings.folder) { try owner.become() }
        let server = try TownServer(settings, console: console)
        for warning in settings.warnings(at: server.now) {
            console.log(.warning, console.logsJSON ? warning : "warning: \(warning)")
        }
        try server.run(signals) { address, store throws(CommandError) in
            let zoneData = server.zoneData
            let ready = settings.ready(at: address, store.current.town, zoneData: zoneData.version)
            console.announce(ready.text(isJSON: console.logsJSON))
            if let message = zoneData.warning { console.log(.warning, message) }
            if let message = settings.crashMessage { console.log(.warning, message.withoutControls) }
            if let message = server.readOnlyMessage { console.log(.warning, message) }
            if let message = server.firstClocks { console.log(.info, message) }
            if let message = try server.setupMessage() { console.log(.info, message) }
        }
    }
}

extension Invocation {
    /// Runs a server with the console for its log: in JSON, the reason for its end is a line of the log too.
    func serve(
        _ settings: TownServer.Settings, _ body: (TownServer.Settings, Console) throws(CommandError) -> Void
    ) throws {
        var console = console
        console.logsJSON = settings.log == .json
        do throws(CommandError) {
            try body(settings, console)
        } catch {
            guard console.logsJSON else { throw error }
            console.report(error)
            throw error.code
        }
    }
}

extension TownServer.Settings {
    /// Options that the command does not have are as if they were not given.
    init(_ invocation: Invocation, folder: String) throws(CommandError) {
        self.init(
            folder: folder, host: try invocation[Options.host], port: try invocation[Options.port],
            clocks: FirstClocks(
                timeZone: try invocation[Options.timeZone], holidays: try invocation[Options.holidays]),
            crossOrigins: try invocation[Options.crossOrigins],
            now: try invocation[Options.now], clockTicks: try invocation[Options.nowTicks],
            log: try invocation[Options.log],
            snapshotBytes: try invocation[Options.snapshotSize] << 20,
            snapshotInterval: .seconds(60 * (try invocation[Options.snapshotInterval])),
            historyRetentionSeconds: try invocation[Options.keepHistory].map { 86_400 * $0 },
            historyLimitBytes: try invocation[Options.keepHistorySize].map { $0 << 20 },
            url: try invocation[Options.url], allowedHosts: try invocation[Options.allowedHosts],
            proxies: try invocation[Options.proxies], writesPerMinute: try invocation[Options.writeLimit],
            connections: try invocation[Options.connections],
            connectionsPerAddress: try invocation[Options.connectionsPerAddress],
            sendmail: try invocation[Options.sendmail], outsideSocket: try invocation[Options.outsideSocket],
            mailsPerHour: try invocation[Options.mailLimit])
        guard now != nil || !clockTicks else { throw CommandError(.usage, "--now-ticks needs --now TIME") }
    }

    fileprivate func warnings(at now: Timestamp) -> [String] {
        var warnings: [String] = []
        if self.now != nil {
            let effect =
                clockTicks
                ? "the clock runs from \(now.rfc3339) (--now), and changes get its time"
                : "the clock stands at \(now.rfc3339) (--now): nothing expires, and changes get that time"
            warnings.append("\(effect). Leave --now out to serve a town")
        }
        if FolderOwner.othersMayWrite(to: folder) {
            let command = "chmod go-w \(ShellWord.quoted(folder))"
            warnings.append("other users can write to \(folder) and replace what is in it. Run: \(command)")
        }
        return warnings
    }

    fileprivate var crashMessage: String? {
        guard let file = try? OwnedDescriptor.open(crashFile, [.read, .noFollow, .nonBlocking]),
            let report = try? file.descriptor.read(at: 0, count: 4096)
        else { return nil }
        let request = String(decoding: report, as: UTF8.self).split(separator: "\n").dropFirst().first ?? ""
        let subject = request.drop { $0 == " " }
        return "the server has crashed (\(subject)). Send \(crashFile) to whoever maintains sooke, then remove it"
    }

    fileprivate func ready(at address: String, _ town: Town, zoneData: String) -> LogMessage {
        let text = "ready at \(address) (data in \(folder), \(town.summary), zone data \(zoneData))"
        return LogMessage(.info, text) { writer in
            writer.member("address", address)
            writer.member("data", folder)
            writer.member("businesses", town.count(of: .business))
            writer.member("events", town.count(of: .event))
            writer.member("zone_data", zoneData)
        }
    }
}
