import Bytes
import Platform

enum InputFile {
    static func read(_ name: String, _ console: Console) throws(CommandError) -> [UInt8] {
        if name == "-" { return try read(console.input, named: "standard input", console) }
        let file = try CommandError.mapped("cannot open \(name)") { try OwnedDescriptor.open(name, .read) }
        return try read(file.descriptor, named: name, console)
    }

    private static func read(
        _ file: FileDescriptor, named name: String, _ console: Console
    ) throws(CommandError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(file.regularFileLength ?? 0)
        try forEachPiece(of: file, named: name, console) { bytes.append(contentsOf: $0) }
        return bytes
    }

    static func forEachPiece(
        of file: FileDescriptor, named name: String, _ console: Console,
        _ body: ([UInt8]) throws(CommandError) -> Void
    ) throws(CommandError) {
        var progress = Progress("reading \(name)", unit: .bytes, on: console)
        let length = file.regularFileLength
        var done = 0
        while true {
            let piece = try CommandError.mapped("cannot read \(name)") { try file.read(upTo: 256 << 10) }
            if piece.isEmpty { return }
            try body(piece)
            done += piece.count
            progress.update(done: done, of: length)
        }
    }
}

/// Standard input as a file that can be read more than once. The file has no name, so it disappears with the process.
struct SpooledInput: ~Copyable {
    private let file: OwnedDescriptor

    /// The path that opens the file, in this process only.
    var path: String { "/proc/self/fd/\(file.descriptor.number)" }

    /// Copies standard input to its end, onto the disk of a folder, which need not exist.
    init(_ console: Console, near folder: String) throws(CommandError) {
        let file = try Self.unnamedFile(near: folder)
        try InputFile.forEachPiece(of: console.input, named: "standard input", console) {
            piece throws(CommandError) in
            try CommandError.mapped("cannot store standard input beside \(folder)", .inputOutput) {
                try file.descriptor.write(piece)
            }
        }
        self.file = file
    }

    private static func unnamedFile(near folder: String) throws(CommandError) -> OwnedDescriptor {
        let parent = DataFolder.parent(of: folder)
        return try CommandError.mapped("cannot write in \(parent)") {
            while true {
                let path = "\(parent)/.sooke-\(String(UInt64.random(in: .min ... .max), radix: 16)).partial"
                do throws(SystemError) {
                    let file = try OwnedDescriptor.open(path, [.readWrite, .create, .exclusive])
                    try FileDescriptor.workingFolder.remove(path)
                    return file
                } catch {
                    if !error.isExisting { throw error }
                }
            }
        }
    }
}

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
        try CommandError.mapped("cannot write \(name)", .inputOutput) { try file.descriptor.write(bytes) }
    }

    mutating func install() throws(CommandError) {
        try CommandError.mapped("cannot write \(name)", .inputOutput) {
            try FileDescriptor.workingFolder.rename(temporary, to: name)
            isInstalled = true
            let folder = try OwnedDescriptor.open(DataFolder.parent(of: name), [.read, .folder])
            try folder.descriptor.sync()
        }
    }

    func sync() throws(CommandError) {
        try CommandError.mapped("cannot write \(name)", .inputOutput) { try file.descriptor.sync() }
    }
}
