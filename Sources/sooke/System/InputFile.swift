import Bytes
import Platform

/// Reads a file, or standard input.
enum InputFile {
    /// All bytes of a file; `-` is standard input. The progress is shown on standard error.
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
