import Bytes

@testable import Store

extension Commit {
    /// The payload in the log.
    var payload: [UInt8] {
        var text: [UInt8] = []
        appendPayload(to: &text)
        return text
    }
}
