import Observation

@testable import SookeClient

/// A client of the feed that tolerates nothing: no change twice, no change of a record that it does not know.
@MainActor @Observable
final class StrictFollower {
    private struct Key: Hashable {
        let kind: Change.Kind
        let id: Int64
    }

    private(set) var position = ""
    private(set) var wholeVersions = 0
    private(set) var problems: [String] = []
    /// The records as they were written.
    private var records: [Key: [UInt8]] = [:]

    func follow(_ client: APIClient) async {
        for await element in LiveChanges(client) { receive(element) }
    }

    private func receive(_ element: LiveChanges.Element) {
        switch element {
        case .connected, .disconnected: break
        case .revoked: problems.append("revoked")
        case .bookmark(let position): self.position = position
        case .whole(let changes, let position):
            records = [:]
            wholeVersions += 1
            receive(changes, position)
        case .changes(let changes, let position):
            if position == self.position { problems.append("the commit \(position) twice") }
            receive(changes, position)
        }
    }

    private func receive(_ changes: [Change], _ position: String) {
        self.position = position
        for change in changes {
            let key = Key(kind: change.kind, id: change.id)
            let isKnown = records[key] != nil
            if isKnown == (change.action == .created) {
                problems.append("\(change.action) of \(key), known: \(isKnown)")
            }
            let written = change.record?.written
            if isKnown, written == records[key] { problems.append("no difference of \(key)") }
            records[key] = written
        }
    }
}
