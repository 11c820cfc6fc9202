import Bytes
import SookeModel

enum OutputFormat: String, CaseIterable {
    case text, json
}

enum Options {
    /// The member `format` of a command whose answer is an object, or lines of them.
    static func format(
        text: String = "a terminal", json: String = "gives one object"
    ) -> Parameter<OutputFormat> {
        .option(
            "format", "FORMAT", ValueSyntax.choice(), default: "text", help: "text for \(text); json \(json).")
    }

    static let data = data("The data folder.")

    static let newData = data("The data folder; it is created if it does not exist.")

    private static func data(_ help: String) -> Parameter<String> {
        .option(
            "data", "DIR", ValueSyntax.folder, default: "sooke-data", environment: "SOOKE_DATA", help: help)
    }

    static let timeZone = Parameter<String?>.optional(
        "time-zone", "ZONE", ValueSyntax.timeZone,
        help: "The clocks of a town that has none yet, instead of the machine's; `sooke town` changes them.")

    static let holidays = Parameter<String?>.optional(
        "holidays", "REGION", ValueSyntax.holidays,
        help: "The public holidays of a town that has none yet; `sooke town` changes them.")

    static let center = Parameter<Coordinates?>.optional(
        "center", "PLACE", ValueSyntax.place,
        help: "Where the town is, if it has no center: LAT,LON or a link to a map. Places without a location are there."
    )

    static let host = Parameter.option(
        "host", "ADDRESS", ValueSyntax.address, default: "127.0.0.1",
        environment: "HOST", help: "The address to listen on; 0.0.0.0 and :: take connections from anywhere.")

    static let port = Parameter.option(
        "port", "PORT", ValueSyntax.port, default: "8080", environment: "PORT", help: "The port; 0 takes a free one.")

    static let crossOrigins = Parameter.repeated(
        "cors-origin", "ORIGIN", ValueSyntax.origin,
        default: ["http://localhost:8080"], environment: "CORS_ALLOWED_ORIGINS",
        help: "A site whose pages may read responses and send changes in a browser; * for all sites.")

    static let url = Parameter<String?>.optional(
        "url", "URL", ValueSyntax.url, environment: "SOOKE_URL",
        help: "The public address of the town, such as https://town.example: links in e-mails begin with it.")

    static let allowedHosts = Parameter.repeated(
        "allow-host", "NAME", ValueSyntax.text("a name such as town.example"),
        help: "A host name that the server accepts, besides that of --url, localhost and addresses; others get 421.")

    static let proxies = Parameter.repeated(
        "proxy", "ADDRESS", ValueSyntax.text("an address such as 127.0.0.1"),
        help: "A proxy that is trusted to name the client in X-Forwarded-For.")

    static let sendmail = Parameter<String?>.optional(
        "sendmail", "PROGRAM", ValueSyntax.file,
        help: "Sends e-mail by this program, run like `sendmail -t`, instead of `sooke outside`.")

    static let outsideSocket = Parameter<String?>.optional(
        "outside-socket", "PATH", ValueSyntax.file,
        help: "Where `sooke outside` connects; without it outside.sock in the folder that systemd makes in /run.")

    static let mailLimit = Parameter.option(
        "mail-limit", "COUNT", ValueSyntax.count(of: "messages", in: 1...100_000), default: "100",
        help: "How many messages are sent in an hour; the others wait.")

    static let writeLimit = Parameter.option(
        "write-limit", "COUNT", ValueSyntax.count(of: "requests", in: 1...1_000_000), default: "120",
        help: "The number of writes per minute and account; further ones get 429.")

    static let connections = Parameter.option(
        "max-connections", "COUNT", ValueSyntax.count(of: "connections", in: 1...1_000_000), default: "4096",
        help: "The maximum number of connections; further ones get 503.")

    static let connectionsPerAddress = Parameter.option(
        "max-connections-per-address", "COUNT", ValueSyntax.count(of: "connections", in: 1...1_000_000),
        default: "256",
        help: """
            The connections from one address, or from one IPv6 network; further ones get 429. The larger network \
            around it (/24, /48) may have four times as many, this machine and proxies any number.
            """)

    static let now = Parameter<ClockStart?>.optional(
        "now", "TIME", ValueSyntax.clockStart,
        help: """
            Stops the clock at this time, for tests and demonstrations; a date such as 2027-06-01 is noon of that \
            day in the town's time zone.
            """)

    static let nowTicks = Parameter.flag("now-ticks", help: "Lets the clock run on from the time of --now.")

    static let log = Parameter.option(
        "log", "FORMAT", ValueSyntax<LogFormat>.choice(), default: "text",
        help: "The format of the access log on standard output; with json all messages are JSON objects, too.")

    static let snapshotSize = Parameter.option(
        "snapshot-size", "MIB", ValueSyntax.count(of: "MiB", in: 1...65_536), default: "64",
        help: "Write a snapshot when the log has grown by this many MiB since the last one.")

    static let snapshotInterval = Parameter.option(
        "snapshot-interval", "MINUTES", ValueSyntax.count(of: "minutes", in: 1...525_600), default: "60",
        help: "Write a snapshot when a change has been in none for this many minutes.")

    static let keepHistory = Parameter<Int?>.optional(
        "keep-history", "DAYS", ValueSyntax.count(of: "days", in: 0...36_500),
        help: """
            How long the log is stored after snapshots have made it unnecessary, as long as --keep-history-size allows \
            it; 0 drops it at once. The number is stored in the folder; without this option the stored number is used, \
            or 30.
            """)

    static let keepHistorySize = Parameter<Int?>.optional(
        "keep-history-size", "MIB", ValueSyntax.count(of: "MiB", in: 256...1_073_741_824),
        help: """
            How large the log and the snapshots before the newest two may be in all; beyond it the oldest are dropped. \
            The number is stored in the folder; without this option the stored number is used, or a tenth of the disk, \
            at least 256.
            """)
}

extension Invocation {
    /// ` --data DIR` for the commands that a message recommends; empty when the default folder is used.
    var dataHint: String {
        get throws(CommandError) {
            let isGiven = given[Options.data.description.spelling] != nil
            return isGiven ? " --data \(ShellWord.quoted(try self[Options.data]))" : ""
        }
    }
}
