import Bytes
import HTTP
import Journal
import Store

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A data folder as commands use it: the store in it, opened by this process.
enum DataFolder {
    /// Opens the store in a folder. What recovery had to do is told on standard error.
    ///
    /// - Parameter adjust: sets the options in which the command differs from the defaults.
    static func open(
        _ path: String, clock: @escaping @Sendable () -> Timestamp, console: Console,
        adjust: (inout StoreOptions) -> Void = { _ in }
    ) throws(CommandError) -> Store {
        var options = StoreOptions(now: clock) { problem in
            // After a failed sync the kernel may call lost pages clean: nothing may be tried again, nobody answered.
            console.note("sooke: \(problem); ending so that the next start recovers what is on the disk\n")
            exitAtOnce(.inputOutput)
        }
        adjust(&options)
        do throws(JournalError) {
            let (store, report) = try Store.open(path, options: options)
            for note in report.notes { console.note("sooke: \(note)\n") }
            return store
        } catch {
            throw CommandError(error)
        }
    }

    /// Makes sure that there is a store to read, so that a misspelt name does not make a new one.
    static func requireStore(_ path: String) throws(CommandError) {
        do throws(SystemError) {
            _ = try OwnedDescriptor.open("\(path)/manifest.json", O_RDONLY)
        } catch {
            guard error.isMissing else { throw CommandError(error.codeForOpening, "cannot open \(path): \(error)") }
            throw CommandError(.noInput, "there is no town in \(path); name its folder with --data")
        }
    }

    /// Whether there is anything of the name.
    static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }

    /// Runs work on the store of a folder that no server uses, and closes it.
    static func use<Value: Sendable>(
        _ path: String, console: Console, _ work: @escaping @Sendable (Store) async throws -> Value
    ) throws -> Value {
        let store = try open(path, clock: TimeSource.system.wall, console: console)
        return try waitFor {
            let value: Value
            do {
                value = try await work(store)
            } catch {
                try? await store.close()
                throw error
            }
            try await store.close()
            return value
        }
    }
}

extension CommandError {
    /// How a folder that cannot be opened ends a command.
    init(_ error: JournalError) {
        let code: ExitCode =
            switch error.kind {
            case .locked: .locked
            case .forbidden: .notPermitted
            case .foreignFolder, .notEmpty, .wrongStore, .newerFormat: .configuration
            case .inputOutput: error.cause?.isMissing == true ? .noInput : .inputOutput
            default: .badData
            }
        self.init(code, "\(error)".droppingFullStop)
    }

    /// How anything else that goes wrong with a store ends a command.
    init(_ error: any Error) {
        switch error {
        case let error as CommandError: self = error
        case let error as JournalError: self.init(error)
        default: self.init(.inputOutput, "\(error)".droppingFullStop)
        }
    }
}

extension String {
    fileprivate var droppingFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
