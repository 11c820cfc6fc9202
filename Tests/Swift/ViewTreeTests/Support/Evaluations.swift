/// Counts evaluations, creations or calls by name. It is not observable, so that counting invalidates nothing.
@MainActor final class Evaluations {
    private var counts: [String: Int] = [:]

    func record(_ name: String) {
        counts[name, default: 0] += 1
    }

    subscript(name: String) -> Int { counts[name] ?? 0 }
}
