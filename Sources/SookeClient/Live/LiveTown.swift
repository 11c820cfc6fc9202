import Bytes
import Foundation
import Observation

/// The town as it is now: one replica, which follows the feed, and from which all screens derive.
///
/// ```swift
/// let town = LiveTown(client: client, file: folder.appending(path: "town.json"))
/// list.town = town
/// await town.follow()
/// ```
@MainActor @Observable
public final class LiveTown {
    /// Whether the replica is current.
    public enum State: Sendable {
        /// The server has not responded yet.
        case starting
        /// The replica follows the feed.
        case live
        /// The server cannot be reached; the replica is as it was at `updatedAt`.
        case offline(any Error)
        /// The rights of the account have changed, or its token is not valid: sign in, and make another `LiveTown`.
        case revoked
    }

    /// All records that the client may see. It changes once per commit.
    public private(set) var replica = TownReplica()
    /// Whether the replica is current.
    public private(set) var state = State.starting
    /// When the replica was known to be current; nil before the first snapshot.
    public private(set) var updatedAt: Date?
    /// The time for which lists are derived, without events that have ended; from each commit and each minute.
    public private(set) var moment: Date
    /// What is wrong with the saved file; nil if nothing is.
    public private(set) var fileProblem: SavedFileProblem?

    private let client: APIClient
    private let file: ReplicaFile?
    private let clock: any Clock<Duration>
    private let random: @Sendable () -> Double
    private let now: @Sendable () -> Date
    /// The replica at the newest position, which may have the same records as the one that is shown.
    @ObservationIgnored private var newest = TownReplica()
    @ObservationIgnored private var isFollowing = false

    /// A town that contains nothing until `follow` runs.
    ///
    /// - Parameters:
    ///   - client: the client, with the token of the account whose rights decide which records there are.
    ///   - account: identifies the account in the file; a digest of the token if it is nil.
    ///   - file: where the replica is saved, so that the next start shows it at once.
    ///   - clock: measures delays and silence.
    ///   - random: returns numbers from 0 up to, but not including, 1.
    public init(
        client: APIClient, account: String? = nil, file: URL? = nil, clock: any Clock<Duration> = ContinuousClock(),
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) },
        now: @escaping @Sendable () -> Date = Date.init
    ) {
        (self.client, self.clock, self.random, self.now) = (client, clock, random, now)
        self.file = file.map { ReplicaFile($0, for: client, account: account) }
        moment = now()
    }

    /// Shows the saved replica and follows the feed until the task is cancelled, or the server revokes the rights.
    /// A second call does nothing while the first runs.
    public func follow() async {
        guard !isFollowing else { return }
        isFollowing = true
        defer { isFollowing = false }
        if replica.position == nil, let file { await show(file) }
        state = .starting
        let saver = file.map { file in
            ReplicaSaver(file, clock: clock) { [weak self] in self?.fileProblem = $0 }
        }
        let changes = LiveChanges(client, since: newest.position, clock: clock, random: random)
        await Self.follow(changes, from: newest, now: now, saver) { [weak self] element, replica in
            self?.show(element, replica)
        }
    }

    /// Applies the changes, and saves the result, outside the main actor.
    private nonisolated static func follow(
        _ changes: LiveChanges, from replica: TownReplica, now: @Sendable () -> Date, _ saver: ReplicaSaver?,
        show: @MainActor @Sendable (LiveChanges.Element, Update) -> Void
    ) async {
        var replica = replica
        for await element in changes {
            let hasChanged = replica.apply(element, at: now())
            await show(element, Update(replica: replica, hasChanged: hasChanged, moment: now()))
            switch element {
            case .whole, .changes, .bookmark: await saver?.save(replica)
            case .connected, .disconnected, .revoked: break
            }
        }
        await saver?.finish()
    }

    private struct Update: Sendable {
        let replica: TownReplica
        let hasChanged: Bool
        let moment: Date
    }

    private func show(_ element: LiveChanges.Element, _ update: Update) {
        newest = update.replica
        // A bookmark alone is no reason to evaluate all screens.
        if update.hasChanged { replica = newest }
        if update.hasChanged || update.moment.minute != moment.minute { moment = update.moment }
        if newest.updatedAt != updatedAt { updatedAt = newest.updatedAt }
        switch element {
        case .connected: if newest.position != nil { setLive() }
        case .whole, .changes, .bookmark: setLive()
        case .disconnected(let error, _): state = .offline(error)
        case .revoked: state = .revoked
        }
    }

    private func setLive() {
        if case .live = state { return }
        state = .live
    }

    private func show(_ file: ReplicaFile) async {
        do throws(SavedFileProblem) {
            let saved = try await Self.load(file)
            if let saved { (replica, newest, updatedAt) = (saved, saved, saved.updatedAt) }
        } catch {
            fileProblem = error
        }
        moment = now()
    }

    @concurrent private nonisolated static func load(
        _ file: ReplicaFile
    ) async throws(SavedFileProblem) -> TownReplica? {
        try file.load()
    }
}

extension LiveTown {
    /// Whether there is nothing to show yet.
    public var isLoading: Bool {
        if case .starting = state { replica.position == nil } else { false }
    }

    /// Why there is nothing to show; nil if there is something, or it is on its way.
    public var error: (any Error)? {
        if case .offline(let error) = state, replica.position == nil { error } else { nil }
    }

    /// How old the replica is, as text: "updated 3 minutes ago"; nil before the first snapshot.
    public func updatedText(at now: Date = Date()) -> String? {
        guard let updatedAt else { return nil }
        let minutes = Int(clamping: max(0, now.timeIntervalSince(updatedAt))) / 60
        let (count, unit) =
            switch minutes {
            case ..<1: (0, "")
            case ..<60: (minutes, "minute")
            case ..<(48 * 60): (minutes / 60, "hour")
            default: (minutes / (24 * 60), "day")
            }
        return count == 0 ? "updated just now" : "updated \(count) \(unit)\(count == 1 ? "" : "s") ago"
    }
}

extension Date {
    fileprivate var minute: Int { Int(clamping: (timeIntervalSince1970 / 60).rounded(.down)) }
}
