import Bytes
import Foundation

/// The paths of the API. A slug may contain any character.
public enum APIPath {
    /// The businesses of the town.
    public static let businesses = "/api/v1/businesses"
    /// The events of the town.
    public static let events = "/api/v1/events"
    /// The notices that hold now.
    public static let notices = "/api/v1/notices"
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
    var percentEncodedSegment: String { PercentCoding.encode(utf8) }

    /// The text as a path, whose percent-escapes are preserved.
    var percentEncodedPath: String {
        let parts = utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
        return parts.indices.map { index in
            let encoded = PercentCoding.encode(parts[index], except: Self.inPaths)
            if index == 0 { return encoded }
            let digits = parts[index].prefix(2)
            return (digits.count == 2 && digits.allSatisfy { ASCII.hexValue($0) != nil } ? "%" : "%25") + encoded
        }.joined()
    }

    /// The text as the name or the value of a parameter. A plus sign is encoded, which servers read as a space.
    fileprivate var percentEncodedParameter: String { PercentCoding.encode(utf8, except: Self.inParameters) }

    private static let inPaths = Array("/:@!$'()*+,;=".utf8)
    private static let inParameters = Array("/:@?!$'()*,".utf8)
}

extension URLQueryItem {
    init(_ name: String, _ value: String) {
        self.init(name: name, value: value)
    }

    init?(_ name: String, unlessEmpty value: String?) {
        guard let value, !value.isEmpty else { return nil }
        self.init(name: name, value: value)
    }

    var percentEncoded: String {
        name.percentEncodedParameter + (value.map { "=" + $0.percentEncodedParameter } ?? "")
    }
}
