import Bytes
import HTTP

/// The response to a read, and how long it may be cached.
struct CacheableResponse: Sendable {
    let response: Response
    /// The last moment when the response is valid for all clients without an account, as long as the public revision
    /// stays the same; nil when it is not worth caching.
    let until: Timestamp?

    /// A response that may be cached; `record` holds the validators of the record in it.
    static func json(_ body: [UInt8], record: RecordValidators? = nil, until: Timestamp) -> CacheableResponse {
        CacheableResponse(response: .json(body, record: record), until: until)
    }

    /// A response that is not cached.
    static func uncached(_ response: Response) -> CacheableResponse {
        CacheableResponse(response: response, until: nil)
    }
}

extension Timestamp {
    /// The last moment of the minute. No day begins within a minute, whatever the time zone.
    var endOfMinute: Timestamp {
        let microsecond = civil.microseconds % 60_000_000
        return Timestamp(microseconds: microseconds - microsecond + 59_999_999)
    }

    /// Later than any other moment.
    static let endOfTime = Timestamp(microseconds: .max)
}
