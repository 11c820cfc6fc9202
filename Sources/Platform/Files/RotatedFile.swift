/// A file of lines with a size limit. When it is full, it is renamed and a new file begins.
///
/// It is opened for each batch of lines, so that it can be moved away at any time. It stays in the folder that was
/// opened first, wherever that folder's path leads later.
package final class RotatedFile: Sendable {
    package let name: String
    /// In bytes.
    package let sizeLimit: Int

    private let folder: OwnedDescriptor

    package var olderName: String { "\(name).1" }

    package init(_ name: String, in folder: String, sizeLimit: Int) throws(SystemError) {
        (self.name, self.sizeLimit) = (name, sizeLimit)
        self.folder = try OwnedDescriptor.open(folder, [.read, .folder])
    }

    /// Appends whole lines. A failure may leave a part of them; a later line begins on a line of its own.
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

    /// Empty when the file does not exist.
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
