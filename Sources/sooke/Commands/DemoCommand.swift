import Bytes
import Exchange
import JSON
import Platform
import Service
import SookeModel
import Store

extension Command {
    private static let password = Parameter<String?>.optional(
        "password", "PASSWORD", ValueSyntax.text("a password"),
        help: "The password of the logins, for apps that know it; without this option a new one.")
    private static let files = Parameter<[String]>.operands(
        "FILE", ValueSyntax.file, isRequired: false,
        help: "Data to serve instead of the fictional town: files as for `sooke import`; - is standard input.")

    static let demo = Command(
        name: "demo",
        summary: "Serve a fictional town, or files, from a temporary folder",
        discussion: [
            """
            The town is included in the binary. Its events come near today and keep their meaning: Canada Day is on 1 \
            July, and what is weekly on its day. Those of a library and a hall come from their calendars, which \
            `sooke outside` fetches with curl. \
            The folder is removed when the command ends; one that a killed demo has left is removed by the next.
            """,
            """
            With files it serves their records as they are, and creates the categories and event types that they name.
            """,
            """
            It prints the folder, for the other commands, and logins with one password: of an administrator, of the \
            owner of a business and of a resident. Pages from this machine may read the responses in a browser, from \
            any port.
            """,
        ],
        parameters: [
            Options.host, Options.port, Options.timeZone, Options.holidays, Options.center, Options.crossOrigins,
            Options.log, Options.now, Options.nowTicks, password, files,
        ],
        examples: [
            Example("sooke demo", "Serves at http://127.0.0.1:8080 until Control-C."),
            Example(
                "sooke demo --password 'a long walk to the spit' town.csv", "Serves a table, for an app with a login."),
            Example("sooke demo --now 2027-06-01 --now-ticks", "Serves the town as on a day in June, from noon on."),
        ],
        exitCodes: [.success, .badData, .noInput, .unavailable, .inputOutput]
    ) { invocation in
        // Before the folder exists, so that a signal cannot leave it.
        let signals = Signals.prepare()
        let folder = try TemporaryFolder()
        var settings = try TownServer.Settings(invocation, folder: "\(folder.path)/town")
        settings.allowsThisMachine = true
        settings.clocks.mayBeHere = false
        let socket = "\(folder.path)/outside.sock"
        settings.outsideSocket = socket
        let logins = try DemoLogins(password: try invocation[password])
        let records = try records(invocation, settings)
        if records == nil { settings.calendars = DemoCalendars.files }
        try invocation.serve(settings) { settings, console throws(CommandError) in
            let server = try TownServer(settings, console: console)
            let accounts = try fill(server, with: records, logins, console)
            try server.run(signals) { address, store throws(CommandError) in
                let greeting = DemoGreeting(
                    address: address, folder: settings.folder, town: store.current.town,
                    isFictional: records == nil, password: logins.password, accounts: accounts)
                console.announce(console.logsJSON ? greeting.message.text(isJSON: true) : greeting.text)
                try DemoCalendars.start(on: server, at: address, by: socket, isFictional: records == nil, console)
            }
        }
    }

    private static func records(
        _ invocation: Invocation, _ settings: TownServer.Settings
    ) throws(CommandError) -> Import? {
        let names = try invocation[files]
        if names.isEmpty { return nil }
        let database = TimeZoneDatabase()
        let zones = TimeZones(database)
        let zone = try TownServer.zone(settings.clocks.likelyZone(in: database), of: zones, in: database)
        var options = ImportOptions(zone: zone) { name in try? zones.zone(named: name) }
        options.createsTerms = true
        options.center = try invocation[Options.center]
        return Import(files: try read(names, invocation.console), options: options)
    }

    /// Fills the town with the records or, without any, as the fictional one; returns those who can log in.
    private static func fill(
        _ server: TownServer, with records: Import?, _ logins: DemoLogins, _ console: Console
    ) throws(CommandError) -> [DemoLogins.Login] {
        do {
            let (accounts, report) = try server.fill { transaction, now, zone in
                let report = try records?.apply(to: &transaction)
                if records == nil { try DemoTown.fill(&transaction, now: now, zone: zone) }
                return (try logins.add(to: &transaction, at: now), report)
            }
            if let report { console.report(report.lines) }
            return accounts
        } catch let problems as ImportProblems {
            throw CommandError(refusing: problems.findings, console, "nothing is served")
        } catch {
            throw CommandError(error)
        }
    }
}
