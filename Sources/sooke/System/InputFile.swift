import Bytes
import Platform

enum InputFile {
    /// All bytes of a file; `-` is standard input.
    static func read(_ name: String, _ console: Console) throws(CommandError) -> [UInt8] {
        if name == "-" { return try read(console.input, named: "standard input", console) }
        let file: OwnedDescriptor
        do throws(SystemError) {
            file = try OwnedDescriptor.open(name, .read)
        } catch {
            throw CommandError(error.codeForOpening, "cannot open \(name): \(error)")
        }
        return try read(file.descriptor, named: name, console)
    }

    private static func read(
        _ file: FileDescriptor, named name: String, _ console: Console
    ) throws(CommandError) -> [UInt8] {
        var progress = Progress("reading \(name)", unit: .bytes, on: console)
        let length = file.regularFileLength
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length ?? 0)
        while true {
            let piece = try piece(of: file, named: name)
            if piece.isEmpty { return bytes }
            bytes.append(contentsOf: piece)
            progress.update(done: bytes.count, of: length)
        }
    }

    /// The next bytes of a file; none at its end.
    static func piece(of file: FileDescriptor, named name: String) throws(CommandError) -> [UInt8] {
        do throws(SystemError) {
            return try file.read(upTo: 256 << 10)
        } catch {
            throw CommandError(error.codeForOpening, "cannot read \(name): \(error)")
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
        var progress = Progress("reading standard input", unit: .bytes, on: console)
        var done = 0
        while true {
            let piece = try InputFile.piece(of: console.input, named: "standard input")
            if piece.isEmpty { break }
            do throws(SystemError) {
                try file.descriptor.write(piece)
            } catch {
                throw CommandError(.inputOutput, "cannot store standard input beside \(folder): \(error)")
            }
            done += piece.count
            progress.update(done: done, of: nil)
        }
        self.file = file
    }

    private static func unnamedFile(near folder: String) throws(CommandError) -> OwnedDescriptor {
        let parent = DataFolder.parent(of: folder)
        do throws(SystemError) {
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
        } catch {
            throw CommandError(error.codeForOpening, "cannot write in \(parent): \(error)")
        }
    }
}
