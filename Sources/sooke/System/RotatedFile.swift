import Bytes

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file of lines that grows up to a limit; then it gets another name, and a new one is begun.
///
/// It is opened for each batch of lines, so that somebody may move it away at any time; in the folder that was opened
/// at first, whatever that folder's path leads to by now.
struct RotatedFile: Sendable {
    /// The name of the file that the lines go to.
    let name: String
    /// The file gets another name before it would become larger, in bytes.
    let sizeLimit: Int

    private let folder: OpenFolder

    /// The name that a full file gets, in the place of the one before it.
    var olderName: String { "\(name).1" }

    /// A file in a folder, which must be there.
    init(_ name: String, in folder: String, sizeLimit: Int) throws(SystemError) {
        (self.name, self.sizeLimit) = (name, sizeLimit)
        self.folder = OpenFolder(try OwnedDescriptor.open(folder, O_RDONLY | O_DIRECTORY))
    }

    /// Appends whole lines; the file is made, for its owner alone, when it is not there. When it throws, a part of them
    /// may have been written; a later line does not become part of that.
    func append(_ lines: [UInt8]) throws(SystemError) {
        let file = try open()
        let length = file.descriptor.regularFileLength ?? 0
        if length > 0, length + lines.count > sizeLimit {
            _ = try SystemError.retryingInterrupts { renameat(folder.number, name, folder.number, olderName) }
            let new = try open()
            return try new.descriptor.write(lines)
        }
        var last = ASCII.lineFeed
        if length > 0 { _ = pread(file.descriptor.number, &last, 1, off_t(length - 1)) }
        try file.descriptor.write(last == ASCII.lineFeed ? lines : [ASCII.lineFeed] + lines)
    }

    /// All bytes of a file in the folder; none when it is not there.
    func contents(of name: String) throws(SystemError) -> [UInt8] {
        let file: OwnedDescriptor
        do throws(SystemError) {
            file = try OwnedDescriptor.open(name, in: folder.number, O_RDONLY)
        } catch {
            if error.isMissing { return [] }
            throw error
        }
        var bytes: [UInt8] = []
        while true {
            let piece = try file.descriptor.read(upTo: 256 << 10)
            if piece.isEmpty { return bytes }
            bytes += piece
        }
    }

    private func open() throws(SystemError) -> OwnedDescriptor {
        try OwnedDescriptor.open(name, in: folder.number, O_RDWR | O_APPEND | O_CREAT)
    }
}

/// A folder that stays open as long as somebody needs it.
private final class OpenFolder: Sendable {
    private let owned: OwnedDescriptor

    var number: Int32 { owned.descriptor.number }

    init(_ owned: consuming OwnedDescriptor) {
        self.owned = owned
    }
}
