import Journal
import Platform
import Synchronization

/// Reads every byte of a served data folder soon after the start and once a day, so that damage is noticed while
/// there is something left to repair it from.
///
/// A start reads the newest snapshot and the log behind it; of what only the older snapshot and the history need it
/// looks at the lengths. The rest is read here, on a thread of its own at the lowest priority, in small pieces.
///
/// The server writes meanwhile. `JournalInspector` begins again when the manifest changes under it; beyond that only
/// what a second reading finds again is believed, since the end of the log may be read in the middle of a write.
final class Scrubber: Sendable {
    /// When it reads. In milliseconds, as `poll` counts.
    struct Schedule: Sendable {
        /// From the start to the first reading: by then the first requests are answered.
        var start: Int32 = 10_000
        /// Between the end of one reading and the next.
        var pause: Int32 = 24 * 3_600_000
        /// The same after a reading that found damage: the next snapshots may make the damaged file unneeded.
        var pauseAfterDamage: Int32 = 3_600_000
        /// From a reading that found something to the one that confirms it.
        var confirmation: Int32 = 2000
    }

    typealias Inspection = @Sendable () throws(JournalError) -> [InspectionReport.Finding]

    private let inspect: Inspection
    private let schedule: Schedule
    private let report: @Sendable (ScrubResult) -> Void
    private let isStopped = Mutex(false)
    private let stopping: Wakeup

    /// Makes one that does nothing yet.
    ///
    /// - Parameters:
    ///   - inspect: reads all files and gives what is not as it was written.
    ///   - report: is told on the scrubber's thread what came of each reading, but not once it is stopped.
    init(
        schedule: Schedule = Schedule(), inspect: @escaping Inspection,
        report: @escaping @Sendable (ScrubResult) -> Void
    ) throws(SystemError) {
        (self.schedule, self.inspect, self.report) = (schedule, inspect, report)
        stopping = try Wakeup()
    }

    /// Starts the thread. Nobody waits for it: the process may end in the middle of a reading, which changes nothing.
    func start() throws(SystemError) {
        try Thread.start(name: "scrub") { [self] in
            Thread.lowerPriority()
            var delay = schedule.start
            while !stopping.wait(milliseconds: delay) {
                let isDamaged = round()
                delay = isDamaged ? schedule.pauseAfterDamage : schedule.pause
            }
        }
    }

    /// Ends it: what is being read is not reported any more.
    func stop() {
        isStopped.withLock { $0 = true }
        stopping.signal()
    }

    /// Reads everything and reports what came of it.
    ///
    /// - Returns: whether it is damage.
    @discardableResult
    func round() -> Bool {
        guard let result = check(), !isStopped.withLock({ $0 }) else { return false }
        report(result)
        return result.damage != nil
    }

    /// Reads once, and once more to confirm what was found; nil when it was stopped meanwhile.
    private func check() -> ScrubResult? {
        do throws(JournalError) {
            var findings = try inspect()
            if !findings.isEmpty {
                guard !stopping.wait(milliseconds: schedule.confirmation) else { return nil }
                let places = Set(findings.map(\.place))
                findings = try inspect().filter { places.contains($0.place) }
            }
            return findings.isEmpty ? .sound : .damaged(findings)
        } catch {
            return .unreadable(error)
        }
    }
}

extension InspectionReport.Finding {
    /// What stays the same while the log grows, which the words on what is lost may not.
    fileprivate var place: [String] {
        [file] + [line, byte, sequence].map { $0.map(String.init) ?? "" }
    }
}
