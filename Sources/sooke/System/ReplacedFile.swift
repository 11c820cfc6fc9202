import Platform

/// A file that is replaced atomically: written under a unique temporary name in the same folder, and renamed when it is
/// on disk. The previous file stays until then.
struct ReplacedFile: ~Copyable {
    /// The file of this name is removed when this value is destroyed.
    let temporary: String

    private let name: String
    private let file: OwnedDescriptor
    private var isInstalled = false

    private static let ending = ".partial"

    /// The name that a temporary file gets when it is installed; nil for another name.
    static func finalName(ofTemporary temporary: String) -> String? {
        guard temporary.hasSuffix(ending) else { return nil }
        let rest = temporary.dropLast(ending.count)
        guard let dot = rest.lastIndex(of: ".") else { return nil }
        let number = rest[rest.index(after: dot)...]
        let isNumber = 1...8 ~= number.utf8.count && UInt32(number, radix: 16) != nil && number.first != "+"
        return isNumber ? String(rest[..<dot]) : nil
    }

    init(_ name: String) throws(CommandError) {
        self.name = name
        while true {
            let temporary = "\(name).\(String(UInt32.random(in: .min ... .max), radix: 16))\(Self.ending)"
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

    func sync() throws(CommandError) {
        try system { () throws(SystemError) in
            try file.descriptor.sync()
        }
    }

    mutating func install() throws(CommandError) {
        try system { () throws(SystemError) in try FileDescriptor.workingFolder.rename(temporary, to: name) }
        isInstalled = true
        try system { () throws(SystemError) in
            let folder = try OwnedDescriptor.open(DataFolder.parent(of: name), [.read, .folder])
            try folder.descriptor.sync()
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
