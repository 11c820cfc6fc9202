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
