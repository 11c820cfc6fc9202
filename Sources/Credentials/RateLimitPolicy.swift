import Bytes

/// How many requests a client may make in a window of time.
public struct RateLimitPolicy: Sendable, Hashable {
    /// What the policy is called in fields.
    public let name: String
    /// So many requests at once, and as many again over a window.
    public let quota: Int
    /// Seconds in which a used-up quota is whole again.
    public let window: Int

    /// A policy; nil unless the quota is 1 to 1,000,000, the window 1 second to a day, and the name 1 to 64 letters,
    /// digits or hyphens of ASCII.
    public init?(name: String, quota: Int, window: Int) {
        guard 1...1_000_000 ~= quota, 1...86_400 ~= window, 1...64 ~= name.utf8.count,
            name.utf8.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-") })
        else { return nil }
        (self.name, self.quota, self.window) = (name, quota, window)
        fieldValue = "\"\(name)\";q=\(quota);w=\(window)"
    }

    /// The value of the field `RateLimit-Policy`, such as `"default";q=100;w=60`
    /// (draft-ietf-httpapi-ratelimit-headers-10, section 3).
    public let fieldValue: String

    /// Nanoseconds in which one request becomes free; at least 1,000.
    var interval: Int { window * 1_000_000_000 / quota }
}
