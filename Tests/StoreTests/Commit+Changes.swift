import Bytes
import JSON

@testable import Store

extension Commit {
    /// A commit of changes that no edit has written for the text.
    init(at: Timestamp, by: Author, changes: [Change]) {
        var text = JSONWriter()
        text.beginArray()
        for change in changes { change.write(to: &text) }
        text.endArray()
        self.init(at: at, by: by, changes: text.bytes)
    }
}
