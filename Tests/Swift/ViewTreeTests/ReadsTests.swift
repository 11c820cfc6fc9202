import Observation
import Testing

@testable import ViewTree

@Suite struct ReadsTests {
    @Test func endedReadsAreReleasedByWhatWasRead() {
        let model = Model()
        let reads = Reads()
        weak var token: Token?
        do {
            let owned = Token()
            token = owned
            withObservationTracking {
                reads.begin()
                _ = model.name
            } onChange: {
                owned.use()
            }
        }
        #expect(token != nil)
        reads.end()
        #expect(token == nil)
        #expect(reads.haveEnded)
    }
}

@Observable private final class Model {
    var name = ""
}

private final class Token: Sendable {
    func use() {}
}
