import Bytes
import Platform

/// The options of `sooke unit`. Those that `serve` has too do not take their defaults from the environment here.
private enum UnitOptions {
    static let user = Parameter.option(
        "user", "NAME", ValueSyntax.user, default: "sooke", help: "The user that the service runs as; it must exist.")
    static let data = Parameter.option(
        "data", "DIR", ValueSyntax.servedFolder, default: "/var/lib/sooke",
        help: "The data folder. In /var/lib systemd creates it; elsewhere it must exist and belong to the user.")
    static let binary = Parameter<String?>.optional(
        "binary", "FILE", ValueSyntax.program, help: "The binary that the service runs, without it this one.")
    static let backups = Parameter<BackupUnit?>.optional(
        "backups", "UNIT", ValueSyntax<BackupUnit>.choice(),
        help: "Prints the service that makes backups instead, or the timer that starts it every minute.")
    static let outside = Parameter.flag("outside", help: "Prints the service that sends e-mail instead.")
    static let backupFolder = Parameter.option(
        "backup-dir", "DIR", ValueSyntax.servedFolder, default: "/var/backups/sooke",
        help: "With --backups: the folder of the backups, which must exist and belong to the user.")
    static let host = Parameter<String?>.optional(
        "host", "ADDRESS", ValueSyntax.address,
        help: "The address to listen on, without it 127.0.0.1; 0.0.0.0 and :: take connections from anywhere.")
    static let port = Parameter.option(
        "port", "PORT", ValueSyntax.fixedPort, default: "8080", help: "The port.")
    static let url = Parameter<String?>.optional(
        "url", "URL", ValueSyntax.url, help: Options.url.description.help)
    static let proxies = Parameter.repeated(
        "proxy", "ADDRESS", ValueSyntax.address, default: ["127.0.0.1"], help: Options.proxies.description.help)
    static let crossOrigins = Parameter.repeated(
        "cors-origin", "ORIGIN", ValueSyntax.origin,
        help: "\(Options.crossOrigins.description.help) Without it, those of --url.")
}

private enum BackupUnit: String, CaseIterable {
    case service, timer
}

extension Command {
    static let unit = Command(
        name: "unit",
        summary: "Print a hardened systemd unit for this machine",
        discussion: [
            """
            The unit starts this binary, as a user that can reach nothing but the data folder and the network. systemd \
            reports it as started when it accepts connections.
            """,
            """
            In /etc/default/sooke, SOOKE_OPTIONS has further options of `sooke serve`; SOOKE_URL, PORT and \
            CORS_ALLOWED_ORIGINS count where this command has no such option.
            """,
        ],
        parameters: [
            UnitOptions.user, UnitOptions.data, UnitOptions.binary, UnitOptions.backups, UnitOptions.backupFolder,
            UnitOptions.outside,
            UnitOptions.host, UnitOptions.port, UnitOptions.url, UnitOptions.proxies, Options.timeZone,
            UnitOptions.crossOrigins,
        ],
        examples: [
            Example(
                "sooke unit --url https://town.example > /etc/systemd/system/sooke.service",
                "Installs it, behind a proxy on this machine."),
            Example("sooke unit --host 0.0.0.0 --port 80", "Without a proxy, for everyone."),
            Example(
                "sooke unit --backups timer > /etc/systemd/system/sooke-backup.timer",
                "Starts sooke-backup.service, which --backups service prints."),
            Example(
                "sooke unit --outside > /etc/systemd/system/sooke-outside.service",
                "Sends e-mail, as the user sooke-outside; its options are in /etc/default/sooke-outside."),
        ],
        exitCodes: [.success, .inputOutput]
    ) { invocation in
        let given = try invocation[UnitOptions.binary]
        let program = try CommandError.mapped("cannot read /proc/self/exe; is /proc mounted?", .inputOutput) {
            try given ?? Machine.executable
        }
        let unit = try ServiceUnit(invocation, program: program)
        let backups = try invocation[UnitOptions.backupFolder].droppingSlashes
        guard !ServiceUnit.hides(backups) else {
            throw CommandError(.usage, "the service does not see \(backups); name a folder elsewhere with --backup-dir")
        }
        switch try invocation[UnitOptions.backups] {
        case nil:
            let isOutside = try invocation[UnitOptions.outside]
            try invocation.console.print(isOutside ? unit.outsideText : unit.text)
        case .service: try invocation.console.print(unit.backupText(to: backups))
        case .timer: try invocation.console.print(ServiceUnit.backupTimer)
        }
        if ServiceUnit.hides(program) {
            invocation.console.report(
                "sooke: warning: the service does not see \(program). "
                    + "Copy the binary first, and run that: install \(program) /usr/local/bin/\n")
        }
    }
}

extension ServiceUnit {
    init(_ invocation: Invocation, program: String) throws(CommandError) {
        self.init(
            program: program, user: try invocation[UnitOptions.user],
            folder: try invocation[UnitOptions.data].droppingSlashes,
            host: try invocation[UnitOptions.host], port: try invocation[UnitOptions.port])
        let url = try invocation[UnitOptions.url]
        let origins = try invocation[UnitOptions.crossOrigins]
        let options: [(String, [String])] = [
            ("--url", [url].compactMap(\.self)),
            ("--proxy", try invocation[UnitOptions.proxies]),
            ("--time-zone", [try invocation[Options.timeZone]].compactMap(\.self)),
            ("--cors-origin", origins.isEmpty ? [url].compactMap(\.self) : origins),
        ]
        for (name, values) in options { arguments += values.flatMap { [name, $0] } }
    }
}

extension ValueSyntax where Value == String {
    fileprivate static let user = Self(expectation: "the name of a user other than root", completion: .none) { text in
        let isValid = text.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || "_-".utf8.contains($0) }
        return isValid && text != "root"
            && text.utf8.first.map { ASCII.isLetter($0) || $0 == UInt8(ascii: "_") } == true
            ? text : nil
    }

    fileprivate static let program = Self(expectation: "the path of a program from / on", completion: .files) {
        $0.hasPrefix("/") && $0.withoutControls == $0 ? $0 : nil
    }

    fileprivate static let servedFolder = Self(
        expectation: "the path of a folder from / on, outside of /tmp", completion: .folders
    ) { text in
        let parts = text.droppingSlashes.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let isPath = text.hasPrefix("/") && !parts.isEmpty && !parts.contains { ["", ".", ".."].contains($0) }
        // systemd takes a colon in the path of a home for a separator.
        if ServiceUnit.hides(text), text.contains(":") { return nil }
        return isPath && text.withoutControls == text && !ServiceUnit.forgets("\(text)/") ? text : nil
    }
}

extension ValueSyntax where Value == UInt16 {
    fileprivate static let fixedPort = Self(expectation: "a number from 1 to 65535", completion: .none) { text in
        port.read(text).flatMap { $0 == 0 ? nil : $0 }
    }
}

extension String {
    fileprivate var droppingSlashes: String {
        var path = self[...]
        while path.last == "/" { path.removeLast() }
        return String(path)
    }
}
