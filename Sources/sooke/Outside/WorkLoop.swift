import Platform

/// Takes steps again and again, on the caller's thread.
enum WorkLoop {
    /// Returns whether there was something to do, and may be more.
    typealias Step = () throws(CommandError) -> Bool

    enum End {
        /// Waits for more.
        case never
        /// When nothing is left to do; after a problem it tries again.
        case done
        /// Or by the first problem.
        case doneOrFailed
    }

    private static let pause = Duration.seconds(2)

    /// - Throws: also what somebody has to change first.
    static func run(_ steps: [Step], until end: End, _ console: Console) throws(CommandError) {
        // A problem that lasts is reported once.
        var lastProblem = ""
        while true {
            var isBusy = false
            do throws(CommandError) {
                for step in steps where try step() { isBusy = true }
                lastProblem = ""
                if isBusy { continue }
                if end != .never { return }
            } catch {
                if end == .doneOrFailed || error.code == .configuration { throw error }
                if error.message != lastProblem { console.log(.warning, error.message) }
                lastProblem = error.message
            }
            Thread.sleep(pause)
        }
    }
}
