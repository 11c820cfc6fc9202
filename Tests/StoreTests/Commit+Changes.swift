import Bytes

@testable import Store

extension Commit {
    /// What the log has of it.
    var payload: [UInt8] {
        var text: [UInt8] = []
        appendPayload(to: &text)
        return text
    }
}
