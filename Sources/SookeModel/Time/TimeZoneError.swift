import Bytes

/// There is no time zone with a name.
public struct TimeZoneError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The requested name.
    public let name: String

    /// An error for a name.
    public init(name: String) {
        self.name = name
    }

    /// `invalid time zone: "…"`, with characters escaped as by Go's `%q`.
    public var description: String {
        var text = [UInt8]("invalid time zone: \"")
        for scalar in name.unicodeScalars { Self.append(scalar, to: &text) }
        text.append("\"")
        return String(decoding: text, as: UTF8.self)
    }

    private static func append(_ scalar: Unicode.Scalar, to text: inout [UInt8]) {
        switch (scalar, scalar.properties.generalCategory) {
        case ("\"", _), ("\\", _): text.append(utf8: "\\\(scalar)")
        case ("\n", _): text.append("\\n")
        case ("\r", _): text.append("\\r")
        case ("\t", _): text.append("\\t")
        case (" ", _): text.append(" ")
        case (_, .control), (_, .format), (_, .privateUse), (_, .unassigned), (_, .surrogate), (_, .spaceSeparator),
            (_, .lineSeparator), (_, .paragraphSeparator):
            if scalar.isASCII {
                text.append("\\x")
                text.append(hex: UInt8(truncatingIfNeeded: scalar.value))
            } else if scalar.value <= 0xFFFF {
                text.append("\\u")
                text.append(hex: UInt16(truncatingIfNeeded: scalar.value))
            } else {
                text.append("\\U")
                text.append(hex: scalar.value)
            }
        default: text.append(contentsOf: scalar.utf8)
        }
    }
}
