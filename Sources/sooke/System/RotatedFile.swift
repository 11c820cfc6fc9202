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
/// It is opened for each batch of lines, so that somebody may move it away at any time.
struct RotatedFile: Sendable {
    /// Where the lines go.
    let path: String
    /// The file gets another name before it would become larger, in bytes.
    let sizeLimit: Int

    /// The name that a full file gets, in the place of the one before it.
    var olderPath: String { "\(path).1" }

    /// Appends whole lines; the file is made, for its owner alone, when it is not there. When it throws, a part of them
    /// may have been written; a later line does not become part of that.
    func append(_ lines: [UInt8]) throws(SystemError) {
        let file = try open()
        let length = file.descriptor.regularFileLength ?? 0
        if length > 0, length + lines.count > sizeLimit {
            _ = try SystemError.retryingInterrupts { rename(path, olderPath) }
            let new = try open()
            return try new.descriptor.write(lines)
        }
        var last = ASCII.lineFeed
        if length > 0 { _ = pread(file.descriptor.number, &last, 1, off_t(length - 1)) }
        try file.descriptor.write(last == ASCII.lineFeed ? lines : [ASCII.lineFeed] + lines)
    }

    /// All bytes of a file; none when it is not there.
    static func contents(_ path: String) throws(SystemError) -> [UInt8] {
        let file: OwnedDescriptor
        do throws(SystemError) {
            file = try OwnedDescriptor.open(path, O_RDONLY)
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
        try OwnedDescriptor.open(path, O_RDWR | O_APPEND | O_CREAT)
    }
}
