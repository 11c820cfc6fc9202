/// A file of lines that grows up to a limit; then it gets another name, and a new one is begun.
///
/// It is opened for each batch of lines, so that somebody may move it away at any time; in the folder that was opened
/// at first, whatever that folder's path leads to by now.
package struct RotatedFile: Sendable {
    /// The name of the file that the lines go to.
    package let name: String
    /// The file gets another name before it would become larger, in bytes.
    package let sizeLimit: Int

    private let folder: OpenFolder

    /// The name that a full file gets, in the place of the one before it.
    package var olderName: String { "\(name).1" }

    /// A file in a folder, which must be there.
    package init(_ name: String, in folder: String, sizeLimit: Int) throws(SystemError) {
        (self.name, self.sizeLimit) = (name, sizeLimit)
        self.folder = OpenFolder(try OwnedDescriptor.open(folder, [.read, .folder]))
    }

    /// Appends whole lines; the file is made, for its owner alone, when it is not there. When it throws, a part of them
    /// may have been written; a later line does not become part of that.
    package func append(_ lines: [UInt8]) throws(SystemError) {
        let file = try open()
        let length = file.descriptor.regularFileLength ?? 0
        if length > 0, length + lines.count > sizeLimit {
            try folder.descriptor.rename(name, to: olderName)
            let new = try open()
            return try new.descriptor.write(lines)
        }
        let lineFeed = UInt8(ascii: "\n")
        let last = length > 0 ? try? file.descriptor.read(at: length - 1, count: 1).first : nil
        try file.descriptor.write((last ?? lineFeed) == lineFeed ? lines : [lineFeed] + lines)
    }

    /// All bytes of a file in the folder; none when it is not there.
    package func contents(of name: String) throws(SystemError) -> [UInt8] {
        let file: OwnedDescriptor
        do throws(SystemError) {
            file = try OwnedDescriptor.open(name, in: folder.descriptor, .read)
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
        try OwnedDescriptor.open(name, in: folder.descriptor, [.readWrite, .append, .create])
    }
}

/// A folder that stays open as long as somebody needs it.
private final class OpenFolder: Sendable {
    private let owned: OwnedDescriptor

    var descriptor: FileDescriptor { owned.descriptor }

    init(_ owned: consuming OwnedDescriptor) {
        self.owned = owned
    }
}
