import Bytes
import Platform

/// The owner of a data folder, for commands that root runs on it: the owner's service could not open files of root.
struct FolderOwner: Equatable, CustomStringConvertible {
    private let identity: UserIdentity

    /// The owner of a folder; nil when it is the user of this process, when this process is not root's, or when the
    /// folder does not exist.
    init?(of folder: String) {
        self.init(status: try? FileDescriptor.workingFolder.status(of: folder))
    }

    init?(of folder: FileDescriptor) {
        self.init(status: try? folder.status())
    }

    private init?(status: FileStatus?) {
        guard UserIdentity.isRoot, let status, status.user != 0 else { return nil }
        identity = UserIdentity(owning: status)
    }

    var description: String { "user \(identity.user)" }

    /// Makes this process act as the owner permanently.
    func become() throws(CommandError) {
        do throws(SystemError) {
            try identity.become()
        } catch {
            throw cannotAct(error)
        }
    }

    /// Does some work as the owner, then as root again, so that files of root are accessible before and after it.
    func run<Value>(_ work: () throws -> Value) throws -> Value {
        let root: UserIdentity.Suspended
        do throws(SystemError) {
            root = try identity.actFor()
        } catch {
            throw cannotAct(error)
        }
        defer { if !root.resume() { exitAtOnce(.notPermitted) } }
        do {
            return try work()
        } catch let error as CommandError where error.code == .notPermitted {
            throw CommandError(.notPermitted, "\(error.message). For root, sooke works there as the owner, \(self)")
        }
    }

    static func othersMayWrite(to folder: String) -> Bool {
        (try? FileDescriptor.workingFolder.status(of: folder))?.othersMayWrite ?? false
    }

    /// Throws when every user can write to a folder: anyone could listen on its socket, or replace its files, and get
    /// what a command sends or stores.
    static func requirePrivate(_ folder: String) throws(CommandError) {
        guard (try? FileDescriptor.workingFolder.status(of: folder))?.everyoneMayWrite == true else { return }
        throw CommandError(
            .notPermitted,
            "every user can write to \(folder) and replace what is in it. Run: chmod go-w \(ShellWord.quoted(folder))")
    }

    /// Changes the owner of an open folder that root created, and of its contents. A file that gets a name in it
    /// meanwhile, such as a link to another one, is left alone.
    func take(_ folder: FileDescriptor, at path: String) throws(CommandError) {
        do throws(SystemError) {
            try takeAll(folder)
        } catch {
            throw CommandError(
                .notPermitted, "cannot give \(path) to its owner, \(self): \(error); do it with chown -R")
        }
    }

    private func takeAll(_ folder: FileDescriptor) throws(SystemError) {
        for name in try folder.names() {
            let file = try OwnedDescriptor.open(name, in: folder, [.name, .noFollow])
            let status = try file.descriptor.status()
            // Files of other users, and files with further names, were not created here.
            guard status.user == 0 else { continue }
            if status.isFolder {
                try takeAll(file.descriptor)
            } else if status.isRegularFile, status.linkCount == 1 {
                try identity.takeOwnership(of: file.descriptor)
            }
        }
        try identity.takeOwnership(of: folder)
    }

    private func cannotAct(_ error: SystemError) -> CommandError {
        CommandError(
            .notPermitted,
            "the folder belongs to \(self), as whom root cannot work here (\(error)); run this as that user")
    }
}
