import Bytes

/// What a rate limit says to a request.
public struct RateLimitDecision: Sendable, Equatable {
    /// The policy by which it was decided.
    public let policy: RateLimitPolicy
    /// Whether the request is to be answered. If not: 429 with `Retry-After` of `resetSeconds`.
    public let isAllowed: Bool
    /// The requests that could follow at once.
    public let remaining: Int
    /// Seconds, rounded up, until there is one request more than `remaining`.
    public let resetSeconds: Int

    /// The values of the fields `RateLimit` and `RateLimit-Policy`, such as `"default";r=50;t=30` and
    /// `"default";q=100;w=60` (draft-ietf-httpapi-ratelimit-headers-10, sections 3 and 4).
    public var fieldValues: (rateLimit: [UInt8], policy: String) {
        var rateLimit: [UInt8] = []
        rateLimit.reserveCapacity(96)
        rateLimit.append("\"")
        rateLimit.append(utf8: policy.name)
        rateLimit.append("\";r=")
        rateLimit.append(decimal: remaining)
        rateLimit.append(";t=")
        rateLimit.append(decimal: resetSeconds)
        return (rateLimit, policy.fieldValue)
    }
}
