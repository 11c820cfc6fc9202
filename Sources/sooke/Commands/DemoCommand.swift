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
            The town is included in the binary. Its events are moved by whole weeks so that the first one starts soon. The folder is \
            removed when the command ends.
            """
        ],
        parameters: [
            Options.host.description, Options.port.description, Options.timeZone.description,
            Options.holidays.description, Options.crossOrigins.description, Options.log.description,
            Options.now.description,
        ],
        examples: [Example("sooke demo", "Serves at http://127.0.0.1:8080 until Control-C.")],
        exitCodes: [.success, .unavailable, .inputOutput]
    ) { invocation throws(CommandError) in
        let signals = Signals.prepare()
        let folder = try TemporaryFolder()
        let settings = try TownServer.Settings(invocation, folder: folder.path)
        let console = invocation.console
        let server = try TownServer(settings, console: console)
        try server.fill { transaction, now, zone in try DemoTown.fill(&transaction, now: now, zone: zone) }
        try server.run(signals) { address, _ throws(CommandError) in
            try console.print(
                """
                sooke: ready at \(address) with a made-up town; try

                  curl \(address)/api/v1/businesses
                  curl \(address)/api/v1/businesses/the-slack-tide-pub
                  curl '\(address)/api/v1/events?search=market'

                Control-C ends it and removes its folder.

                """)
        }
        return .success
    }
}
