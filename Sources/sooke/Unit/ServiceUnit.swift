import Platform

/// The hardened systemd units that serve a town and back it up.
struct ServiceUnit {
    /// The absolute path of the binary.
    var program: String
    var user: String
    /// The absolute path of the data folder.
    var folder: String
    /// nil for the loopback address.
    var host: String?
    var port: UInt16
    /// Further arguments of `sooke serve`.
    var arguments: [String] = []

    /// The text of the unit that serves the town.
    var text: String {
        Self.text(
            ["[Unit]"] + unit + ["", "[Service]"] + service + ["", "# What the service can reach."] + files + network
                + privileges + Self.mail + ["", "[Install]", "WantedBy=multi-user.target"])
    }

    /// The text of the unit that writes backups into a folder: of each minute with a change, and of each day.
    func backupText(to backups: String) -> String {
        let backup = { (options: [String], name: String) in
            let words = ["backup", "--data", folder] + options + ["\(backups)/\(name).json"]
            return "ExecStart=\(UnitText.commandLine(program, words))"
        }
        var unit = self
        (unit.host, unit.port) = (nil, 8080)
        return Self.text(
            [
                "[Unit]", "Description=Backups of the town", "After=sooke.service", "", "[Service]", "Type=oneshot",
                "User=\(user)", backup(["--if-changed", "--keep", "60"], "now-%Y-%m-%d-%H%M%S"),
                backup(["--if-missing", "--keep", "14"], "town-%Y-%m-%d"),
                "# Nothing in the journal but what is wrong.", "StandardOutput=null", "StandardError=journal",
                "SyslogLevel=notice", "LogLevelMax=notice", "LimitCORE=0", "UMask=0077", "",
                "# What it can reach. A missing folder of backups is its error, in the status of the town too.",
                "ReadWritePaths=-\(UnitText.word(backups))",
            ] + unit.files + unit.network + unit.privileges)
    }

    /// The text of the timer for that.
    static let backupTimer = text([
        "[Unit]", "Description=A backup of the town every minute", "", "[Timer]", "OnCalendar=minutely",
        "AccuracySec=1s", "", "[Install]", "WantedBy=timers.target",
    ])

    private static func text(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

    private var unit: [String] {
        let network =
            isLoopback ? ["After=network.target"] : ["Wants=network-online.target", "After=network-online.target"]
        return ["Description=Sooke, the town's directory and calendar"] + network + ["StartLimitIntervalSec=0"]
    }

    private var service: [String] {
        let address = (host.map { ["--host", $0] } ?? []) + (port == 8080 ? [] : ["--port", "\(port)"])
        let command = UnitText.commandLine(program, ["serve", "--data", folder] + address + arguments)
        // A start that a code below ends would end so again.
        let hopeless: [ExitCode] = [.usage, .badData, .displaced, .notPermitted, .configuration]
        return [
            "Type=notify",
            "User=\(user)",
            // SOOKE_OPTIONS has further options.
            "Environment=SOOKE_OPTIONS=",
            "EnvironmentFile=-/etc/default/sooke",
            "ExecStart=\(command) $SOOKE_OPTIONS",
            "Restart=always",
            "RestartSec=2",
            "RestartPreventExitStatus=\(hopeless.map { "\($0.rawValue)" }.joined(separator: " "))",
            "TimeoutStartSec=600",
            "TimeoutStopSec=30",
            "LimitNOFILE=16384",
            // A core file would contain what people have entered.
            "LimitCORE=0",
            // Against mistakes of the server itself: the machine stays usable, and the service starts again.
            "MemoryMax=75%",
            "TasksMax=512",
            "UMask=0077",
        ]
    }

    private var files: [String] {
        folderAccess + [
            "ProtectSystem=strict",
            "PrivateMounts=yes",
            "PrivateTmp=yes",
            "PrivateDevices=yes",
            "ProtectProc=invisible",
            "ProcSubset=pid",
            "ProtectKernelTunables=yes",
            "ProtectKernelModules=yes",
            "ProtectKernelLogs=yes",
            "ProtectControlGroups=yes",
            "ProtectClock=yes",
            "ProtectHostname=yes",
        ]
    }

    private var folderAccess: [String] {
        if let name = Self.stateDirectory(of: folder) {
            return ["StateDirectory=\(name)", "StateDirectoryMode=0700", "ProtectHome=yes"]
        }
        let path = UnitText.word(folder)
        guard Self.homes.contains(where: folder.hasPrefix) else {
            return ["ReadWritePaths=\(path)", "ProtectHome=yes"]
        }
        // The one folder is visible, in a home that is otherwise empty.
        return ["BindPaths=\(path)", "ProtectHome=tmpfs"]
    }

    private var network: [String] {
        ["RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX"]
            + (isLoopback ? ["IPAddressDeny=any", "IPAddressAllow=localhost"] : [])
    }

    private var privileges: [String] {
        let needsLowPort = 1..<1024 ~= port
        let capability = needsLowPort ? "CAP_NET_BIND_SERVICE" : ""
        return [
            "CapabilityBoundingSet=\(capability)",
            "AmbientCapabilities=\(capability)",
            "NoNewPrivileges=yes",
            // A capability of a user namespace does not count for the ports of the machine.
            "PrivateUsers=\(needsLowPort ? "no" : "yes")",
            "RestrictNamespaces=yes",
            "RestrictRealtime=yes",
            "RestrictSUIDSGID=yes",
            "LockPersonality=yes",
            "MemoryDenyWriteExecute=yes",
            "RemoveIPC=yes",
            "KeyringMode=private",
            "SystemCallArchitectures=native",
            "SystemCallFilter=@system-service",
            "SystemCallFilter=~@privileged @resources",
            // Its own limits, and a lower priority for work in the background.
            "SystemCallFilter=prlimit64 setpriority",
            "SystemCallErrorNumber=EPERM",
        ]
    }

    /// What the sendmail of Postfix needs: its postdrop is setgid, which a filter of system calls turns off.
    private static let mail = [
        "",
        "# --sendmail with a program that speaks SMTP, such as msmtp, needs nothing more. For the sendmail of Postfix, on",
        "# Debian 13, run `systemctl edit sooke` and enter these lines without their #:",
        "#[Service]",
        "#NoNewPrivileges=no",
        "#PrivateUsers=no",
        "#SystemCallFilter=",
        "#RestrictAddressFamilies=AF_NETLINK",
        "#ReadWritePaths=-/var/spool/postfix",
    ]

    private var isLoopback: Bool {
        guard let host else { return true }
        return SocketAddress(host: host, port: port)?.isLoopback ?? false
    }

    /// Folders that `ProtectHome` hides.
    private static let homes = ["/home/", "/root/", "/run/user/"]
    /// Folders that `PrivateTmp` replaces.
    private static let temporary = ["/tmp/", "/var/tmp/"]

    /// Whether the service does not see what is at the path on the machine.
    static func hides(_ path: String) -> Bool { (homes + temporary).contains(where: path.hasPrefix) }

    /// Whether a data folder would not survive the service.
    static func forgets(_ path: String) -> Bool { temporary.contains(where: path.hasPrefix) }

    /// The name of a folder that systemd creates in `/var/lib`; nil for a folder elsewhere.
    private static func stateDirectory(of folder: String) -> String? {
        let states = "/var/lib/"
        guard folder.hasPrefix(states) else { return nil }
        let name = String(folder.dropFirst(states.count))
        // Colons, blanks and specifiers have a meaning of their own there.
        let isPlain = name == UnitText.word(name) && !name.contains(where: ":%$".contains)
        return isPlain ? name : nil
    }
}

/// Values as systemd reads them in a unit (systemd.syntax(7), systemd.service(5)).
enum UnitText {
    /// A word of a setting: quoted if needed, and with no specifier in it.
    static func word(_ text: String) -> String {
        let escaped = text.unicodeScalars.map(escaped).joined()
        return text.utf8.allSatisfy(isPlain) ? escaped : "\"\(escaped)\""
    }

    /// A command line. Variables are replaced in the arguments, but not in the program's path.
    static func commandLine(_ program: String, _ arguments: [String]) -> String {
        ([word(program)]
            + arguments.map { word($0).split(separator: "$", omittingEmptySubsequences: false).joined(separator: "$$") })
            .joined(separator: " ")
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\\", "\"": "\\\(scalar)"
        case "%": "%%"
        case "\0"..."\u{1F}", "\u{7F}": "\\x\(scalar.value < 16 ? "0" : "")\(String(scalar.value, radix: 16))"
        default: String(scalar)
        }
    }

    /// Whether the byte means itself without quotes. A `%` is doubled and a `$` too, in quotes and without.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "_-+=:,./@%$".utf8.contains(byte)
        }
    }
}
