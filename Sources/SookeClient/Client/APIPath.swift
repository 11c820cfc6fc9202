import Foundation

/// The paths of the API. A slug may contain any character.
public enum APIPath {
    /// The businesses of the town.
    public static let businesses = "/api/v1/businesses"
    /// The events of the town.
    public static let events = "/api/v1/events"
    /// The categories of businesses.
    public static let categories = "/api/v1/categories"
    /// The types of events.
    public static let eventTypes = "/api/v1/event-types"
    /// The session of the account.
    public static let session = "/api/v1/session"
    /// The account.
    public static let account = "/api/v1/me"
    /// The feed of changes.
    public static let changes = "/api/v1/changes"

    /// A business.
    public static func business(_ slug: String) -> String { businesses + "/" + slug.percentEncodedSegment }
    /// An event.
    public static func event(_ slug: String) -> String { events + "/" + slug.percentEncodedSegment }
    /// A category.
    public static func category(_ slug: String) -> String { categories + "/" + slug.percentEncodedSegment }
    /// An event type.
    public static func eventType(_ slug: String) -> String { eventTypes + "/" + slug.percentEncodedSegment }
}

extension String {
    /// The text as one segment of a path: all but unreserved characters (RFC 3986, section 2.3) are percent-encoded.
    var percentEncodedSegment: String { percentEncoded { $0.isUnreserved } }

    /// The text as a path, whose percent-escapes are preserved.
    var percentEncodedPath: String {
        var result = ""
        var rest = self[...]
        while let percent = rest.utf8.firstIndex(of: UInt8(ascii: "%")) {
            result += String(rest[..<percent]).percentEncoded { $0.isUnreserved || Self.inPaths.contains($0) }
            rest = rest[rest.utf8.index(after: percent)...]
            let isEscape = rest.utf8.count >= 2 && rest.utf8.prefix(2).allSatisfy(\.isHexadecimalDigit)
            result += isEscape ? "%" : "%25"
        }
        return result + String(rest).percentEncoded { $0.isUnreserved || Self.inPaths.contains($0) }
    }

    /// The text as the name or the value of a parameter. A plus sign is encoded, which servers read as a space.
    fileprivate var percentEncodedParameter: String {
        percentEncoded { $0.isUnreserved || Self.inParameters.contains($0) }
    }

    private static let inPaths = Set("/:@!$'()*+,;=".utf8)
    private static let inParameters = Set("/:@?!$'()*,".utf8)

    private func percentEncoded(except isAllowed: (UInt8) -> Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in utf8 {
            if isAllowed(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension URLQueryItem {
    /// A parameter.
    init(_ name: String, _ value: String) {
        self.init(name: name, value: value)
    }

    /// A parameter; nil for an empty value.
    init?(_ name: String, unlessEmpty value: String?) {
        guard let value, !value.isEmpty else { return nil }
        self.init(name: name, value: value)
    }

    /// The parameter in a query.
    var percentEncoded: String {
        name.percentEncodedParameter + (value.map { "=" + $0.percentEncodedParameter } ?? "")
    }
}

extension UInt8 {
    /// Whether RFC 3986 calls the character unreserved.
    fileprivate var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    fileprivate var isHexadecimalDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
