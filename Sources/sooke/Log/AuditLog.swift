import Bytes
import HTTP
import JSON
import Platform
import Service

/// The audit log of a data folder: `audit.log` for actions of people with an account and `audit-strangers.log` for
/// attempts of others, a JSON object per line, readable by its owner only.
///
/// Lines are not synced one by one: a power failure loses the last seconds. At 8 MB a file becomes `audit.log.1`, which
/// replaces the previous one. A file is created with its first line. Each file has its own buffer, so that a flood of
/// attempts drops no other lines.
final class AuditLog: AuditTrail {
    private struct Book {
        let file: RotatedFile
        let lines: LineWriter
    }

    private let people, strangers: Book

    static let sizeLimit = 8_000_000

    init(in folder: String, clock: TimeSource = .system, sizeLimit: Int = sizeLimit) throws(SystemError) {
        people = try Self.open("audit.log", in: folder, sizeLimit, clock)
        strangers = try Self.open("audit-strangers.log", in: folder, sizeLimit, clock)
    }

    private static func open(
        _ name: String, in folder: String, _ sizeLimit: Int, _ clock: TimeSource
    ) throws(SystemError) -> Book {
        let file = try RotatedFile(name, in: folder, sizeLimit: sizeLimit)
        let lines = try LineWriter { batch throws(SystemError) in
            try file.append(batch)
        } dropped: { count, bytes in
            bytes.append(utf8: #"{"at":"\#(clock.wall().rfc3339)","action":"dropped","count":\#(count)}"#)
            bytes.append(ASCII.lineFeed)
        }
        return Book(file: file, lines: lines)
    }

    private func storage(of book: AuditBook) -> Book {
        switch book {
        case .people: people
        case .strangers: strangers
        }
    }

    /// Never blocks.
    func append(_ line: [UInt8], to book: AuditBook) {
        storage(of: book).lines.append { $0 += line }
    }

    func flush() {
        for book in [people, strangers] { book.lines.flush() }
    }

    /// The newest entries of the books, the newest first. A torn line is skipped.
    func newest(_ limit: Int, of books: [AuditBook]) throws(SystemError) -> [[UInt8]] {
        flush()
        var lines: [(at: Timestamp, line: [UInt8])] = []
        for book in books {
            lines += try Self.newest(limit, of: storage(of: book).file).map { (Self.moment(of: $0), $0) }
        }
        let sorted = lines.enumerated().sorted { left, right in
            (right.element.at, left.offset) < (left.element.at, right.offset)
        }
        return sorted.prefix(limit).map(\.element.line)
    }

    private static func newest(_ limit: Int, of file: RotatedFile) throws(SystemError) -> [[UInt8]] {
        var found: [[UInt8]] = []
        for name in [file.name, file.olderName] where found.count < limit {
            var rest = try file.contents(of: name)[...]
            while found.count < limit, let end = rest.lastIndex(of: ASCII.lineFeed) {
                rest = rest[..<end]
                let start = rest.lastIndex(of: ASCII.lineFeed).map { $0 + 1 } ?? rest.startIndex
                let line = Array(rest[start...])
                if JSONReader.isObject(line) { found.append(line) }
            }
        }
        return found
    }

    private static func moment(of line: [UInt8]) -> Timestamp {
        let text = line.dropFirst(#"{"at":""#.utf8.count).prefix { $0 != UInt8(ascii: "\"") }
        return Timestamp(rfc3339: String(decoding: text, as: UTF8.self)) ?? Timestamp.epoch
    }

    func close() {
        for book in [people, strangers] { book.lines.close() }
    }
}
