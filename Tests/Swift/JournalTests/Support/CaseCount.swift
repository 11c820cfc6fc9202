import Glibc

/// Reports to a program that runs the tests how many cases a test has completed: `cases: TEST DONE/TOTAL` on standard
/// output, now and then and at the end, when `SOOKE_CASES` is set. A test that runs with several arguments adds a word
/// to its name.
struct CaseCount {
    private static let isWanted = getenv("SOOKE_CASES") != nil
    private static let tellings = 50

    let name: String
    let total: Int
    private var done = 0
    private var told = 0

    init(_ name: String, total: Int) {
        (self.name, self.total) = (name, total)
    }

    /// Counts completed cases.
    mutating func add(_ cases: Int = 1) {
        done += cases
        guard Self.isWanted, done >= total || done - told >= total / Self.tellings else { return }
        told = done
        print("cases: \(name) \(done)/\(total)")
        fflush(nil)
    }
}
