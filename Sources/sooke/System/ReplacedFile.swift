import Platform

/// A file that comes into place whole: written under a name beside it that no other process has, and given its own when
/// it is on disk. Whoever had a file of that name keeps it until then.
struct ReplacedFile: ~Copyable {
    /// The name under which it is written. Nothing has it any more when the owner goes away.
    let temporary: String

    private let name: String
    private let file: OwnedDescriptor
    private var isInstalled = false

    /// Begins the file.
    init(_ name: String) throws(CommandError) {
        self.name = name
        while true {
            let temporary = "\(name).\(String(UInt32.random(in: .min ... .max), radix: 16)).partial"
            do throws(SystemError) {
                file = try OwnedDescriptor.open(temporary, [.write, .create, .exclusive])
                self.temporary = temporary
                return
            } catch {
                if error.isExisting { continue }
                throw CommandError(error.codeForOpening, "cannot write \(temporary): \(error)")
            }
        }
    }

    deinit {
        if !isInstalled { try? FileDescriptor.workingFolder.remove(temporary) }
    }

    func write(_ bytes: [UInt8]) throws(CommandError) {
        try system { () throws(SystemError) in try file.descriptor.write(bytes) }
    }

    /// Brings the bytes to stable storage.
    func sync() throws(CommandError) {
        try system { () throws(SystemError) in
            try file.descriptor.sync()
        }
    }

    /// Gives the file its name, and brings that to stable storage.
    mutating func install() throws(CommandError) {
        try system { () throws(SystemError) in try FileDescriptor.workingFolder.rename(temporary, to: name) }
        isInstalled = true
        let slash = name.lastIndex(of: "/")
        let folder = slash.map { $0 == name.startIndex ? "/" : String(name[..<$0]) } ?? "."
        try system { () throws(SystemError) in
            let directory = try OwnedDescriptor.open(folder, [.read, .folder])
            try directory.descriptor.sync()
        }
    }

    private func system(_ call: () throws(SystemError) -> Void) throws(CommandError) {
        do throws(SystemError) {
            try call()
        } catch {
            throw CommandError(.inputOutput, "cannot write \(name): \(error)")
        }
    }
}
