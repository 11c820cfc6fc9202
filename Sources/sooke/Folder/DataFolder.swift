import Bytes
import HTTP
import Journal
import Platform
import Service
import Store
import Synchronization

enum DataFolder {
    /// Warnings of recovery go to standard error. `adjust` changes the options that differ from the defaults.
    static func open(
        _ path: String, clock: @escaping @Sendable () -> Timestamp, console: Console,
        adjust: (inout StoreOptions) -> Void = { _ in }
    ) throws(CommandError) -> Store {
        try requireNoServer(path)
        var options = options(path, clock: clock, console: console)
        adjust(&options)
        return try CommandError.translating {
            let (store, report) = try Store.open(path, options: options)
            for warning in report.warnings { console.log(.warning, "\(warning)") }
            return store
        }
    }

    /// Opens the store in a folder that this process has created and locked, and returns its state.
    static func check(_ copy: StoreFolder, console: Console) throws -> Version {
        let store = try Store.open(
            copy, options: options(copy.path, clock: TimeSource.system.wall, console: console))
        return try waitFor {
            try await store.close()
            return store.current
        }
    }

    private static func options(
        _ path: String, clock: @escaping @Sendable () -> Timestamp, console: Console
    ) -> StoreOptions {
        StoreOptions(now: clock) { problem in
            if case .displaced = problem {
                console.log(.error, CommandError(problem).message)
                exitAtOnce(.displaced)
            }
            // After a failed sync the kernel may treat lost pages as clean: retry nothing and acknowledge nothing.
            console.log(.error, "\(problem); ending so that the next start recovers what is on the disk")
            exitAtOnce(.inputOutput)
        }
    }

    private static func requireNoServer(_ path: String) throws(CommandError) {
        let isServed: Bool
        do throws(CommandError) {
            isServed = try AdminClient.connect(to: path) != nil
        } catch {
            // A user who may not connect gets the error of the lock.
            return
        }
        guard isServed else { return }
        throw CommandError(
            .locked,
            "a server answers at \(path)/\(AdminClient.socketName). Stop it, or name another folder with --data. "
                + "In a copy of a folder that is served, delete that socket")
    }

    /// Throws when there is no store, so that a misspelt name does not create one.
    static func requireStore(_ path: String) throws(CommandError) {
        do throws(SystemError) {
            _ = try OwnedDescriptor.open("\(path)/manifest.json", .read)
        } catch {
            guard error.isMissing else { throw CommandError(error.codeForOpening, "cannot open \(path): \(error)") }
            throw .noTown(path)
        }
    }

    static func exists(_ path: String) -> Bool {
        FileDescriptor.workingFolder.exists(path)
    }

    static func parent(of folder: String) -> String {
        let name = folder.lastIndex { $0 != "/" }.map { folder[...$0] } ?? ""
        guard let slash = name.lastIndex(of: "/") else { return "." }
        return slash == name.startIndex ? "/" : String(name[..<slash])
    }

    static func move(_ new: String, to folder: String) throws(CommandError) {
        try CommandError.mapped("cannot make \(folder), so nothing was imported", .inputOutput) {
            try FileDescriptor.workingFolder.rename(new, to: folder)
            let parent = try OwnedDescriptor.open(parent(of: folder), [.read, .folder])
            try parent.descriptor.sync()
        }
    }

    /// Runs work on a folder that no server uses. If it only `reads`, nothing in the folder is written.
    /// Root does this as the folder's owner, so that the owner's service can open the files.
    static func use<Value: Sendable>(
        _ path: String, reads: Bool, console: Console, _ work: @escaping @Sendable (Store) async throws -> Value
    ) throws -> Value {
        try FolderOwner.requirePrivate(path)
        guard let owner = FolderOwner(of: path) else { return try useOurs(path, reads, console, work) }
        return try owner.run { try useOurs(path, reads, console, work) }
    }

    private static func useOurs<Value: Sendable>(
        _ path: String, _ reads: Bool, _ console: Console, _ work: @escaping @Sendable (Store) async throws -> Value
    ) throws -> Value {
        let store = try open(path, clock: TimeSource.system.wall, console: console) { $0.journal.readsOnly = reads }
        return try waitFor {
            let value: Value
            do {
                let zones = TimeZones(TimeZoneDatabase())
                let fallback = try? zones.zone(named: FirstClocks.firstTowns)
                store.zones.set(fallback: fallback ?? .utc, version: zones.knownVersion) { name in
                    try? zones.zone(named: name)
                }
                try await store.settleTimes()
                value = try await work(store)
            } catch {
                try? await store.close()
                throw error
            }
            do {
                try await store.close()
            } catch StoreError.diskFull(let detail) {
                console.log(.warning, "all changes are stored, but the disk is too full to close \(path): \(detail)")
            }
            return value
        }
    }

    /// How long a command waits for the process that uses the folder.
    static let patience = Duration.seconds(10)

    /// Works on the town in a folder: through the server on it or, if none runs, in this process.
    /// A folder that another process has locked may get a server soon, such as one that was just started, or
    /// become free, as after an import: both ways are tried again until the time is over.
    /// `unserved` throws an error with the code `locked`, and has done nothing, when another process uses the folder.
    static func work<Value>(
        on folder: String, patience: Duration = patience,
        through served: (inout AdminClient) throws(CommandError) -> Value,
        orHere unserved: () throws(CommandError) -> Value
    ) throws(CommandError) -> Value {
        let start = TimeSource.system.monotonic()
        while true {
            if var client = try AdminClient.connect(to: folder) { return try served(&client) }
            do throws(CommandError) {
                return try unserved()
            } catch {
                let waited = Duration.nanoseconds(TimeSource.system.monotonic() - start)
                guard error.code == .locked, waited < patience else { throw error }
            }
            Thread.sleep(.milliseconds(50))
        }
    }
}

extension CommandError {
    static func noTown(_ path: String) -> CommandError {
        CommandError(.noInput, "there is no town in \(path); name its folder with --data")
    }

    init(_ error: JournalError) {
        let code: ExitCode =
            switch error.kind {
            case .locked: .locked
            case .displaced: .displaced
            case .forbidden: .notPermitted
            case .foreignFolder, .notEmpty, .wrongStore, .unknownFormat: .configuration
            case .inputOutput: error.cause?.isMissing == true ? .noInput : .inputOutput
            default: .badData
            }
        self.init(code, "\(error)".droppingFullStop)
    }

    init(_ error: any Error) {
        switch error {
        case let error as CommandError: self = error
        case let error as JournalError: self.init(error)
        case let error as ServerError:
            self.init(error.code == .permissionDenied ? .notPermitted : .unavailable, error.description)
        case StoreError.displaced(let detail):
            self.init(.displaced, "\(detail). Nothing more is written to it")
        default: self.init(.inputOutput, "\(error)".droppingFullStop)
        }
    }

    static func translating<Value>(_ body: () throws -> Value) throws(CommandError) -> Value {
        do { return try body() } catch { throw CommandError(error) }
    }
}

extension String {
    fileprivate var droppingFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}

extension Town {
    var summary: String {
        "\(Count(count(of: .business), "business")), \(Count(count(of: .event), "event"))"
    }
}

/// A data folder that was created by a restore or a repair.
enum RestoredTown {
    /// Surveys a folder and copies a state of it, once more when a server has dropped a file in between.
    static func repeating<Value>(_ attempt: () throws -> Value) throws -> Value {
        for _ in 1..<5 {
            do {
                return try attempt()
            } catch let error as JournalError where error.kind == .changed {}
        }
        return try attempt()
    }

    static func copy(
        _ sequence: Int, from survey: FolderSurvey, to target: String, keepingRest: Bool = false, _ console: Console
    ) throws(JournalError) -> FolderCopy {
        var progress = Progress("copying", unit: .things("change"), on: console)
        return try FolderCopy(
            of: sequence, from: survey, to: target, keepingRest: keepingRest, now: TimeSource.system.wall()
        ) { done, total in
            progress.update(done: done, of: total)
        }
    }

    /// Opens the copy once, as a server would, which also writes a snapshot of it; returns a summary of its contents.
    /// A copy that cannot be served is removed.
    /// A copy that root makes gets the owner of `source`, unless the new folder had an owner before.
    static func finish(_ copy: FolderCopy, ownedLike source: String?, _ console: Console) throws -> String {
        do {
            let version = try DataFolder.check(copy.lockedFolder, console: console)
            if let folder = copy.lockedFolder.descriptor,
                let owner = FolderOwner(of: folder) ?? source.flatMap({ FolderOwner(of: $0) })
            {
                try owner.take(folder, at: copy.lockedFolder.path)
            }
            try copy.complete()
            let at = version.time.clock.rfc3339
            let moment = version.sequence == 0 ? "" : ", after change \(version.sequence) of \(at)"
            return version.town.summary + moment
        } catch {
            copy.discard()
            throw error
        }
    }
}

/// Blocks this thread until asynchronous work ends. Commands run on the main thread from start to end: the signals of
/// a server are blocked there before any other thread starts, which an asynchronous `main` could not guarantee.
func waitFor<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let result = Mutex<Result<Value, any Error>?>(nil)
    let done = try Wakeup()
    Task.detached {
        let outcome: Result<Value, any Error>
        do { outcome = .success(try await work()) } catch { outcome = .failure(error) }
        result.withLock { $0 = outcome }
        done.signal()
    }
    while true {
        if let outcome = result.withLock({ $0 }) { return try outcome.get() }
        _ = done.wait(milliseconds: -1)
    }
}
