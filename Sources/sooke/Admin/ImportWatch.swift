import Bytes
import Exchange
import HTTP
import Platform
import Service
import Store
import Synchronization

/// How far the import of a command has come, wherever it runs. In this process it also gives a town without clocks its
/// first ones.
final class ImportWatch: Sendable {
    static let sending = "sending"
    private static let waiting = "waiting for the server"
    /// The phase after those of `Import.Phase`: the records go to the disk.
    static let writing = "writing"

    let clocks: FirstClocks
    private let isDryRun: Bool
    /// Whether nothing in the folder changes.
    let onlyReads: Bool
    private let folder: String
    private let progress: PhasedProgress
    private let isStopped = Atomic<Bool>(false)
    private let stopping: Wakeup
    private let isSent = Atomic<Bool>(false)
    private let hasClocks = Mutex<String?>(nil)
    /// In milliseconds.
    private static let interval: Int32 = 200

    init(
        _ folder: String, _ clocks: FirstClocks, isDryRun: Bool, onlyReads: Bool, _ progress: PhasedProgress
    ) throws(CommandError) {
        (self.folder, self.clocks, self.progress) = (folder, clocks, progress)
        (self.isDryRun, self.onlyReads) = (isDryRun, onlyReads)
        stopping = try CommandError.mapped("cannot start a thread", .inputOutput) { try Wakeup() }
        try CommandError.mapped("cannot start a thread", .inputOutput) {
            try Thread.start { [self] in
                while !isStopped.load(ordering: .relaxed) {
                    _ = stopping.wait(milliseconds: Self.interval)
                    // Before, the import of another client may be under way.
                    guard isSent.load(ordering: .relaxed) else { continue }
                    // Without an answer the progress stays as it is: the import itself reports what is wrong.
                    try? ask()
                }
            }
        }
    }

    func stop() {
        isStopped.store(true, ordering: .relaxed)
        stopping.signal()
    }

    func isSending(_ done: Int, of total: Int) {
        progress.isServed = true
        progress.update(Self.sending, .bytes, done: done, of: total)
    }

    func hasSent() {
        progress.update(Self.waiting, .things("record"), done: 0, of: nil)
        isSent.store(true, ordering: .relaxed)
    }

    func update(_ phase: String, done: Int, of total: Int) {
        let isReading = phase == Import.Phase.reading.rawValue
        progress.update(phase, isReading ? .bytes : .things("record"), done: done, of: total)
    }

    private func ask() throws {
        guard let client = try AdminClient.connect(to: folder) else { return }
        var response = try client.send(AdminCall(.get, "/api/v1/admin/import"))
        let state = try ResponseMembers(try response.body())
        guard let phase = state["phase"], !isStopped.load(ordering: .relaxed) else { return }
        update(phase, done: state.number("done") ?? 0, of: state.number("total") ?? 0)
    }

    /// What clocks the town has got; nil when it had some, or a server has it.
    var firstClocks: String? { hasClocks.withLock(\.self) }

    func fillClocks(_ transaction: inout WriteTransaction, likely zone: String) throws {
        if isDryRun { return }
        guard try clocks.fill(&transaction, likely: zone) else { return }
        let words = FirstClocks.words(transaction.town.settings)
        hasClocks.withLock { $0 = words }
    }
}
