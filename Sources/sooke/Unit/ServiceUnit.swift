import CFiles
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
    var arguments: [String] = []

    /// A core file would contain what people have entered. The limits are against mistakes of the server itself: the
    /// machine stays usable, and the service starts again.
    var text: String {
        let address = (host.map { ["--host", $0] } ?? []) + (port == 8080 ? [] : ["--port", "\(port)"])
        // A start that one of them ends would end so again.
        let codes: [ExitCode] = [.usage, .badData, .displaced, .notPermitted, .configuration]
        return String(cString: sooke_service()).filled(
            [
                "network": isLoopback
                    ? "After=network.target" : "Wants=network-online.target\nAfter=network-online.target",
                "user": user, "runtime": runtime, "codes": Self.words(codes), "reach": reach(),
                "command": UnitText.commandLine(program, ["serve", "--data", folder] + address + arguments),
            ])
    }

    var outsideText: String {
        let codes: [ExitCode] = [.usage, .noInput, .configuration]
        let socket = runtime == "sooke" ? [] : ["--socket", "/run/\(runtime)/outside.sock"]
        return String(cString: sooke_outside_service()).filled(
            [
                "user": "\(user)-outside", "group": user, "codes": Self.words(codes),
                "command": UnitText.commandLine(program, ["outside", "--follow"] + socket),
                "reach": reach("InaccessiblePaths=-\(UnitText.word(folder))\nProtectHome=yes", isAnywhere: true),
            ])
    }

    private static func words(_ codes: [ExitCode]) -> String {
        codes.map { "\($0.rawValue)" }.joined(separator: " ")
    }

    /// The name of a folder that systemd creates in `/run`: two towns have two.
    private var runtime: String {
        let name = folder.split(separator: "/").last.map(String.init) ?? ""
        return Self.stateDirectory(of: "/var/lib/\(name)") ?? "sooke"
    }

    /// A backup of each minute with a change and of each day; once a day it checks whether the newest one restores.
    func backupText(to backups: String) -> String {
        let backup = { (options: [String], name: String) in
            UnitText.commandLine(program, ["backup", "--data", folder] + options + ["\(backups)/\(name).json"])
        }
        var unit = self
        (unit.host, unit.port) = (nil, 8080)
        return String(cString: sooke_backup_service()).filled(
            [
                "user": user, "backups": UnitText.word(backups), "reach": unit.reach(),
                "minutes": backup(["--if-changed", "--keep", "60"], "now-%Y-%m-%d-%H%M%S"),
                "days": backup(["--if-missing", "--keep", "14"], "town-%Y-%m-%d"),
                "check": backup(["--check", "--if-missing"], "now-%Y-%m-%d-%H%M%S"),
            ])
    }

    static var backupTimer: String { String(cString: sooke_backup_timer()) }

    /// With the system calls for its own limits and for a lower priority of work in the background.
    private func reach(_ folderLines: String? = nil, isAnywhere: Bool = false) -> String {
        let hasAddresses = isLoopback && !isAnywhere
        let needsLowPort = 1..<1024 ~= port && !isAnywhere
        let lines = String(cString: sooke_reach_conf()).filled(
            [
                "folder": folderLines ?? folderAccess,
                "addresses": hasAddresses ? "IPAddressDeny=any\nIPAddressAllow=localhost\n" : "",
                "capability": needsLowPort ? "CAP_NET_BIND_SERVICE" : "",
                // A capability of a user namespace does not count for the ports of the machine.
                "users": needsLowPort ? "no" : "yes",
            ])
        return String(lines.dropLast())
    }

    private var folderAccess: String {
        if let name = Self.stateDirectory(of: folder) {
            return "StateDirectory=\(name)\nStateDirectoryMode=0700\nProtectHome=yes"
        }
        let path = UnitText.word(folder)
        // The one folder is visible, in a home that is otherwise empty.
        if Self.homes.contains(where: folder.hasPrefix) { return "BindPaths=\(path)\nProtectHome=tmpfs" }
        return "ReadWritePaths=\(path)\nProtectHome=yes"
    }

    private var isLoopback: Bool {
        guard let host else { return true }
        return SocketAddress(host: host, port: port)?.isLoopback ?? false
    }

    /// Folders that `ProtectHome` hides.
    private static let homes = ["/home/", "/root/", "/run/user/"]
    /// Folders that `PrivateTmp` replaces.
    private static let temporary = ["/tmp/", "/var/tmp/"]

    static func hides(_ path: String) -> Bool { (homes + temporary).contains(where: path.hasPrefix) }

    /// Whether a data folder would not survive the service.
    static func forgets(_ path: String) -> Bool { temporary.contains(where: path.hasPrefix) }

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
            + arguments.map { argument in
                word(argument).split(separator: "$", omittingEmptySubsequences: false).joined(separator: "$$")
            })
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
