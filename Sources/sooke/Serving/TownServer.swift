import API
import Bytes
import Dispatcher
import HTTP
import Platform
import Service
import Site
import SookeModel
import Store

/// The server of `serve` and `demo`: the store in a folder, the API on it, and its sockets.
struct TownServer {
    struct Settings {
        var folder: String
        var host: String
        var port: UInt16
        var clocks: FirstClocks
        var crossOrigins: [String]
        /// Whether pages from this machine may read responses, from any port.
        var allowsThisMachine = false
        /// Where the clock of the town begins; nil for the clock of the system.
        var now: ClockStart?
        var clockTicks = false
        var log: LogFormat
        var snapshotBytes: Int
        var snapshotInterval: Duration
        /// See `JournalOptions.Pruning`; nil for the period that is stored in the folder.
        var historyRetentionSeconds: Int?
        var historyLimitBytes: Int?
        var checksFiles = false
        /// The public address of the town; nil for the address where it listens.
        var url: String?
        /// Accepted host names, besides that of `url` and the server's own.
        var allowedHosts: [String]
        var proxies: [String]
        var writesPerMinute: Int
        var connections: Int
        var connectionsPerAddress: Int
        var sendmail: String?
        /// Where `sooke outside` connects; nil for nowhere.
        var outsideSocket: String?
        var mailsPerHour: Int
        var calendars: [(path: String, text: String)] = []
    }

    private let settings: Settings
    private let console: Console
    private let store: Store
    private let service: TownService
    private let server: Server
    private let outside: Server?
    private let log: AccessLog?
    private let audit: AuditLog
    private let manager: ServiceManager?
    /// What clocks the town has got; nil when it had some.
    let firstClocks: String?
    /// Reads the time zones, concurrently with the rest of the start.
    private let zones: Task<Void, Never>

    /// Opens the store and creates the server, which does not listen yet.
    init(_ settings: Settings, console: Console) throws(CommandError) {
        Machine.returnLargeBlocks()
        let database = TimeZoneDatabase()
        let zones = TimeZones(database)
        let zone = try Self.zone(settings.clocks.likelyZone(in: database), of: zones, in: database)
        let place = ClockPlace(zone)
        let clock = try settings.now?.clock(in: place, ticks: settings.clockTicks) ?? .system
        self.zones = Task.detached { zones.load(database.allFiles()) }
        try CommandError.translating { try Server.requireFree(.tcp(host: settings.host, port: settings.port)) }
        log = try Self.log(settings.log, clock: clock, console: console)
        store = try DataFolder.open(settings.folder, clock: clock.wall, console: console) { options in
            options.snapshotBytes = settings.snapshotBytes
            options.snapshotInterval = settings.snapshotInterval
            options.journal.pruning = .olderThan(
                settings.historyRetentionSeconds, beyond: settings.historyLimitBytes)
            options.onMessage = { console.log(.warning, $0) }
        }
        CrashReport.begin(of: BuildInfo.line, inFile: settings.crashFile)
        audit = try CommandError.mapped("cannot start the audit in \(settings.folder)", .inputOutput) {
            try AuditLog(in: settings.folder, clock: clock)
        }
        service = TownService(
            store: store, clock: clock, zones: zones, zone: zone, holidays: settings.clocks.likelyHolidays(in: zone),
            url: settings.url ?? "\(BoundAddress.tcp(host: settings.host, port: settings.port))",
            limits: TownLimits(clock: clock, changesPerMinute: settings.writesPerMinute),
            followers: max(1, settings.connections / 2),
            mailer: settings.sendmail, mailsPerHour: settings.mailsPerHour, audit: audit,
            lastBackup: settings.checksFiles ? LastBackup.reading(settings.folder) : nil)
        service.uploads.keepClean()
        firstClocks = settings.clocks.fill(store, likely: zone, console)
        try CommandError.translating { [store] in try waitFor { try await store.settleTimes() } }
        place.set(service.clocks(of: store.current.town).zone)
        let folder = try CommandError.mapped("cannot look at \(settings.folder)", .inputOutput) {
            try FolderIdentity(settings.folder)
        }
        let process = ServingProcess(settings.folder)
        let dispatcher = Dispatcher(
            Site(service, calendars: settings.calendars),
            API(administration: Administration { process.facts }, stylesheet: Site.stylesheet),
            service: service,
            crossOrigin: CrossOrigin(allowing: settings.crossOrigins, thisMachine: settings.allowsThisMachine),
            hosts: settings.hosts.with(folder: folder.description), build: BuildInfo.line)
        server = Server(
            configuration: Self.configuration(settings, console), clock: clock, application: dispatcher,
            observe: { [log] record in
                dispatcher.metrics.record(record)
                log?.record(record)
            })
        process.follow(server)
        outside = settings.outsideSocket.map { [service] in OutsideSocket.server(service, at: $0) }
        manager = ServiceManager(console.environment)
        self.settings = settings
        self.console = console
    }

    /// Serves until a signal arrives, then stops gracefully; `ready` is called when the server accepts connections.
    func run(_ signals: Signals, ready: (_ address: String, _ store: Store) throws(CommandError) -> Void)
        throws(CommandError)
    {
        let scrubber = try CommandError.translating {
            let scrubber =
                settings.checksFiles ? try Scrubber(store, folder: settings.folder, console: console) : nil
            let zones = zones
            try waitFor { await zones.value }
            service.findUpcomingSeries()
            try service.followNotices()
            let address = try server.start().first.map { "\($0)" } ?? ""
            // Only now the port is known, if it is a free one.
            if settings.url == nil { service.setURL(address) }
            #if DEBUG
                console.log(.info, "debug build: for speed, swift run -c release sooke demo")
            #endif
            _ = try outside?.start()
            try ready(address, store)
            if let program = settings.sendmail {
                // Never joined: what the process leaves behind waits for the next one.
                try Thread.start(name: "sendmail") { [service, console] in
                    let mails = MailSender(service, program: program, console)
                    try? WorkLoop.run([mails.sendNext], until: .never, console)
                }
            }
            let (server, outside, feed, manager) = (server, outside, service.feed, manager)
            try signals.onFirst {
                // An error was reported at the start.
                try? manager?.notify(.stopping)
                feed.stop()
                outside?.stop()
                server.stop()
            }
            try scrubber?.start()
            try listenWhenThereIsRoom()
            store.watchFolder()
            store.readHours()
            reportReady()
            return scrubber
        }
        server.wait()
        outside?.wait()
        scrubber?.stop()
        // Connections have had 10 of the 30 seconds of the unit; slow syncs may cost the snapshot, but nothing
        // acknowledged.
        try? Thread.start { [console] in
            Thread.sleep(.seconds(15))
            console.log(.warning, "the disk is slow: ending without the last snapshot. No acknowledged change is lost")
            exitAtOnce(.success)
        }
        // One by a page runs on without a connection.
        for _ in 0..<500 where !service.limits.mayImport { Thread.sleep(.milliseconds(20)) }
        try close()
    }

    /// Creates the admin socket later when the disk has no room for it at the start.
    private func listenWhenThereIsRoom() throws(SystemError) {
        do throws(ServerError) {
            return try server.listenWhereMissing()
        } catch {
            console.log(
                .warning,
                "\(error). Clients are served, but commands cannot reach the server until there is room on the disk; "
                    + "it tries again every two seconds")
        }
        // It is never joined: the process may end before there is room.
        try Thread.start(name: "admin socket") { [server, console] in
            while true {
                Thread.sleep(.seconds(2))
                do throws(ServerError) {
                    try server.listenWhereMissing()
                    return console.log(.info, "there is room on the disk: commands can reach the server")
                } catch {
                    guard error.code == .noRoom else { return console.log(.error, "\(error)") }
                }
            }
        }
    }

    /// Without the message systemd ends the service after a while; the reason is in its log then.
    private func reportReady() {
        do throws(SystemError) {
            try manager?.notify(.ready)
        } catch {
            console.log(
                .warning, "cannot tell the service manager that the server is ready (NOTIFY_SOCKET): \(error)")
        }
    }

    func setupMessage() throws(CommandError) -> String? {
        guard store.current.town.people.count == 0, store.readOnly == nil else { return nil }
        let link = try CommandError.translating { try service.makeSetupLink() }
        let data = "--data \(ShellWord.quoted(settings.folder))"
        let warning = SetupLink.warning(about: link).map { "\n\n\($0)" } ?? ""
        return """
            there is no account yet. Open this link within 30 minutes to make the first one, of an administrator:

              \(link)

            A new link, at any time on this machine: sooke setup-link \(data)
            Without a browser: sooke user add you@town.example --role super_admin \(data)\(warning)
            """
    }

    var readOnlyMessage: String? {
        guard let state = store.readOnly else { return nil }
        let since = state.since.map { " since \($0.rfc3339)" } ?? ""
        return
            "the town is read-only\(since)\(state.reason.map { ": \($0)" } ?? ""). To accept changes: sooke read-only "
            + "off --data \(ShellWord.quoted(settings.folder))"
    }

    func fill<Value: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction, Timestamp, TimeZone) throws -> Value
    ) throws -> Value {
        let (store, service) = (store, service)
        return try waitFor {
            try await store.write(by: .local) { transaction in
                try body(&transaction, service.clock(), service.clocks(of: transaction.town).zone)
            }.result
        }
    }

    func close() throws(CommandError) {
        log?.close()
        service.audit?.flush()
        audit.close()
        let store = store
        try CommandError.translating { try waitFor { try await store.close() } }
    }

    var now: Timestamp { service.clock() }

    var zoneData: (version: String, warning: String?) { (service.zones.version, service.zoneDataWarning) }

    static func zone(_ name: String) throws(CommandError) -> TimeZone {
        let database = TimeZoneDatabase()
        return try zone(name, of: TimeZones(database), in: database)
    }

    static func zone(
        _ name: String, of zones: TimeZones, in database: TimeZoneDatabase
    ) throws(CommandError) -> TimeZone {
        let isAbbreviation = TimeZoneSuggestion.zone(abbreviated: name) != nil
        if !isAbbreviation, let zone = try? zones.zone(named: name) { return zone }
        let names = database.allFiles().keys
        if let fault = database.fault(of: name) {
            throw CommandError(.configuration, "cannot read the time zone \(name) in \(database.directory): \(fault)")
        }
        guard !names.isEmpty else {
            throw CommandError(.configuration, "\(TimeZoneError(name: name)); install the time zones (tzdata)")
        }
        let advice = TimeZoneSuggestion.advice(for: name, among: names) ?? "write a name such as America/Vancouver"
        throw CommandError(.usage, "--time-zone: \(TimeZoneError(name: name)); \(advice)")
    }

    private static func log(
        _ format: LogFormat, clock: TimeSource, console: Console
    ) throws(CommandError) -> AccessLog? {
        if format == .off { return nil }
        return try CommandError.mapped("cannot start the log", .inputOutput) {
            try AccessLog(format, to: console.output, clock: clock)
        }
    }

    private static func configuration(_ settings: Settings, _ console: Console) -> ServerConfiguration {
        var configuration = ServerConfiguration(listeners: [
            .tcp(host: settings.host, port: settings.port),
            .unix(path: "\(settings.folder)/\(AdminClient.socketName)", replacingStale: true),
        ])
        configuration.proxies = settings.proxies
        configuration.foundUnknownProxy = { address in
            console.log(
                .warning,
                "a request from \(address) has the field X-Forwarded-For, but \(address) is not a --proxy: all clients "
                    + "behind it count as one. If a proxy runs there, start with --proxy \(address)")
        }
        configuration.requiresHTTPS = settings.url?.lowercased().hasPrefix("https://") == true
        configuration.limits.connections = settings.connections
        configuration.limits.connectionsPerAddress = settings.connectionsPerAddress
        return configuration
    }
}

extension TownServer.Settings {
    var crashFile: String { "\(folder)/crash.log" }

    /// The accepted host names. On a public address without configured names the server cannot know its names, so any
    /// name is accepted.
    var hosts: AllowedHosts {
        let named = allowedHosts + [url.flatMap(Self.host(of:))].compactMap(\.self)
        let isLocal = host == "localhost" || host == "::1" || host.hasPrefix("127.")
        return named.isEmpty && !isLocal ? .all : AllowedHosts(named + [host])
    }

    private static func host(of url: String) -> String? {
        guard let scheme = ["https://", "http://"].first(where: url.hasPrefix) else { return nil }
        return url.dropFirst(scheme.count).split(separator: ":").first.map(String.init)
    }
}
