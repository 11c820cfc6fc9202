import Bytes
import JSON
import Platform
import SookeModel
import Store

extension Command {
    /// `sooke demo`
    static let demo = Command(
        name: "demo",
        summary: "Serve a fictional town from a temporary folder",
        discussion: [
            """
            The town is included in the binary. Its events are moved by whole weeks so that the first one starts soon. \
            The folder is removed when the command ends; one that a killed demo has left is removed by the next.
            """,
            """
            It prints the folder, for the other commands, and a login of an administrator with a new password. Pages \
            from this machine may read the responses in a browser, from any port.
            """,
        ],
        parameters: [
            Options.host.description, Options.port.description, Options.timeZone.description,
            Options.holidays.description, Options.crossOrigins.description, Options.log.description,
            Options.now.description, Options.nowTicks.description,
        ],
        examples: [
            Example("sooke demo", "Serves at http://127.0.0.1:8080 until Control-C."),
            Example("sooke demo --now 2027-06-01 --now-ticks", "Serves the town as on a day in June, from noon on."),
        ],
        exitCodes: [.success, .unavailable, .inputOutput]
    ) { invocation throws(CommandError) in
        // Before the folder exists, so that a signal cannot leave it.
        let signals = Signals.prepare()
        let folder = try TemporaryFolder()
        var settings = try TownServer.Settings(invocation, folder: "\(folder.path)/town")
        settings.allowsThisMachine = true
        return try invocation.serve(settings) { settings, console throws(CommandError) in
            let server = try TownServer(settings, console: console)
            let login = try DemoLogin()
            try server.fill { transaction, now, zone in
                try DemoTown.fill(&transaction, now: now, zone: zone)
                try login.add(to: &transaction, at: now)
            }
            try server.run(signals) { address, _ throws(CommandError) in
                let greeting = DemoGreeting(address: address, folder: settings.folder, login: login)
                try console.print(console.logsJSON ? greeting.message.text(isJSON: true) : greeting.text)
            }
        }
    }
}

/// What the demo prints when it is ready.
private struct DemoGreeting {
    let address: String
    let folder: String
    let login: DemoLogin

    var text: String {
        """
        sooke: ready at \(address) with a made-up town; try

          curl \(address)/api/v1/businesses
          curl \(address)/api/v1/businesses/the-slack-tide-pub
          curl '\(address)/api/v1/events?search=market'

        Log in as an administrator, with the password of this run:

          curl \(address)/api/v1/session --json '{"email":"\(DemoLogin.email)","password":"\(login.password)"}'

        Pages from this machine may read it, from any port. For other commands: --data \(ShellWord.quoted(folder))
        Control-C ends it and removes its folder.

        """
    }

    var message: LogMessage {
        LogMessage(.info, "ready at \(address) with a made-up town (data in \(folder))") { writer in
            writer.member("address", address)
            writer.member("data", folder)
            writer.member("email", DemoLogin.email)
            writer.member("password", login.password)
        }
    }
}
