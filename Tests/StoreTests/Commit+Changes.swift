import Bytes

@testable import Store

extension Commit {
    /// A commit of changes that no edit has made.
    init(at: Timestamp, by: Author, changes: [Change]) {
        self.init(at: at, by: by, steps: changes.map { Edit.Step(after: .other($0), was: nil) })
    }

    /// What the log has of it.
    var payload: [UInt8] {
        var text: [UInt8] = []
        appendPayload(to: &text)
        return text
    }
}

extension Edit {
    /// What the steps changed.
    var changes: [Change] { steps.map(\.change) }
}
