import Bytes
import HTTP

/// What a read of the town answers, and how long that holds.
struct Shown: Sendable {
    let response: Response
    /// Until when, and with it, everybody without an account who asks for the same target gets this from the same
    /// version of the town; nil when it is not worth keeping.
    let until: Timestamp?

    /// An answer that may be kept; `record` is the digest of the record that it shows.
    static func json(_ body: [UInt8], record: ShownRecord? = nil, until: Timestamp) -> Shown {
        Shown(response: .json(body, record: record), until: until)
    }

    /// An answer that is made anew each time.
    static func once(_ response: Response) -> Shown {
        Shown(response: response, until: nil)
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
