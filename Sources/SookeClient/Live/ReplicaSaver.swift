/// Saves the newest replica, at most once a second.
actor ReplicaSaver {
    private static let pause = Duration.seconds(1)

    private let file: ReplicaFile
    private let clock: any Clock<Duration>
    private let report: @MainActor @Sendable (ReplicaFile.Problem) -> Void
    private var unsaved: TownReplica?
    private var timer: Task<Void, Never>?

    /// - Parameter report: receives why the file could not be written.
    init(
        _ file: ReplicaFile, clock: any Clock<Duration>,
        report: @escaping @MainActor @Sendable (ReplicaFile.Problem) -> Void
    ) {
        (self.file, self.clock, self.report) = (file, clock, report)
    }

    /// Saves a replica within a second, unless a newer one follows before.
    func save(_ replica: TownReplica) {
        unsaved = replica
        guard timer == nil else { return }
        timer = Task {
            guard (try? await clock.sleep(for: Self.pause)) != nil else { return }
            timer = nil
            await write()
        }
    }

    /// Saves the newest replica now.
    func finish() async {
        timer?.cancel()
        timer = nil
        await write()
    }

    private func write() async {
        guard let replica = unsaved else { return }
        unsaved = nil
        do {
            try file.save(replica)
        } catch {
            await report(error)
        }
    }
}
