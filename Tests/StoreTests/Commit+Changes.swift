import Bytes

@testable import Store

extension Commit {
    /// A commit of changes that no edit has made.
    init(at: Timestamp, by: Author, changes: [Change]) {
        self.init(at: at, by: by, steps: changes.map { Edit.Step.other($0) })
    }
}

extension Edit {
    /// What the steps changed.
    var changes: [Change] { steps.map(\.change) }
}
