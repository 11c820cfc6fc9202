import Bytes
import Journal
import Platform
import Store
import Synchronization

/// Reads every byte of a served data folder soon after the start and once a day, so that damage is detected while it
/// can still be repaired.
///
/// A start reads the newest snapshot and the log after it; of files that only the older snapshot and the history need
/// it checks the lengths. The rest is read here, on a thread of its own at the lowest priority, in small pieces.
///
/// The server writes meanwhile. `FolderSurvey` starts again when the manifest changes; in addition, damage is
/// reported only if a second reading confirms it, since the end of the log may be read in the middle of a write.
final class Scrubber: Sendable {
    /// The times of scrubs, in milliseconds, as in `poll`.
    struct Schedule: Sendable {
        /// From the start to the first scrub, after the first requests.
        var start: Int32 = 10_000
        var pause: Int32 = 24 * 3_600_000
        /// The same after damage: later snapshots may make the damaged file unnecessary.
        var pauseAfterDamage: Int32 = 3_600_000
        /// From a scrub that found damage to the one that confirms it.
        var confirmation: Int32 = 2000
    }

    typealias Inspection = @Sendable () throws(JournalError) -> [InspectionReport.Finding]

    private let inspect: Inspection
    private let schedule: Schedule
    private let report: @Sendable (ScrubResult) -> Void
    private let isStopped = Mutex(false)
    private let stopping: Wakeup

    /// - Parameter report: receives the result of each scrub, on the scrubber's thread, unless it is stopped.
    init(
        schedule: Schedule = Schedule(), inspect: @escaping Inspection,
        report: @escaping @Sendable (ScrubResult) -> Void
    ) throws(SystemError) {
        (self.schedule, self.inspect, self.report) = (schedule, inspect, report)
        stopping = try Wakeup()
    }

    /// Starts the thread. It is never joined: the process may end in the middle of a scrub, which changes nothing.
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

    /// Stops it: a running scrub is not reported.
    func stop() {
        isStopped.withLock { $0 = true }
        stopping.signal()
    }

    /// Scrubs once, and returns whether there is damage.
    @discardableResult
    func round() -> Bool {
        guard let result = check(), !isStopped.withLock({ $0 }) else { return false }
        report(result)
        return result.damage != nil
    }

    /// Reads the files, and once more to confirm damage; nil when it was stopped meanwhile.
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

    /// Damage is reported in the store's problems and on standard error, there once and not every day.
    convenience init(_ store: Store, folder: String, console: Console) throws(SystemError) {
        try self.init(inspect: { () throws(JournalError) in try FolderSurvey(of: folder).report.findings }) { result in
            Self.take(result, for: store, folder: folder, console: console)
        }
    }

    /// Publishes the result of a scrub. An incomplete one does not change what is known already.
    static func take(_ result: ScrubResult, for store: Store, folder: String, console: Console) {
        let earlier = store.problems.files?.detail
        var messages = result.messages(folder: folder)
        var isSound = false
        switch result {
        case .sound:
            isSound = true
            if earlier != nil { messages = ["the files in \(folder) are sound again"] }
            store.recordDamage(nil)
        case .damaged, .unreadable:
            guard let damage = result.damage else { break }
            if damage == earlier { messages = [] }
            store.recordDamage(damage)
        }
        for message in messages { console.log(isSound ? .info : .error, message) }
    }
}

extension InspectionReport.Finding {
    /// The part of a finding that stays the same while the log grows; its message may change.
    fileprivate var place: [String] {
        [file] + [line, byte, sequence].map { $0.map(String.init) ?? "" }
    }
}

enum ScrubResult: Sendable {
    case sound
    case damaged([InspectionReport.Finding])
    case unreadable(JournalError)

    /// One line without a full stop; nil when no damage is known.
    /// An unreadable file counts as damage only if the disk fails: a lack of descriptors may be temporary.
    var damage: String? {
        switch self {
        case .sound: nil
        case .damaged(let findings):
            "\(findings[0])" + (findings.count > 1 ? "; and \(Count.grouped(findings.count - 1)) more" : "")
        case .unreadable(let error): error.cause?.isFatal == true ? error.message : nil
        }
    }

    func messages(folder: String) -> [String] {
        let nextStep = "the town is served as before; look with: sooke verify --data \(ShellWord.quoted(folder))"
        switch self {
        case .sound: return []
        case .damaged(let findings):
            let shown = findings.prefix(Self.shownFindings).map { "damaged: \($0)" }
            let rest = findings.count - shown.count
            return shown + (rest > 0 ? ["damaged: \(Count(rest, "more place"))"] : []) + [nextStep]
        case .unreadable(let error):
            return ["the files in \(folder) could not be checked: \(error.message)", nextStep]
        }
    }

    private static let shownFindings = 10
}
