import Bytes

/// The blocks of `COPY` in a plain dump, and the last values of its sequences. Other statements are skipped.
struct PostgresDump {
    struct Row {
        let line: Int
        let range: Range<Int>
    }

    struct Block {
        let line: Int
        let columns: [String]
        var rows: [Row] = []
    }

    let text: [UInt8]
    private(set) var blocks: [String: Block] = [:]
    private(set) var sequences: [String: Int] = [:]
    private(set) var problem: (line: Int, message: String)?

    private var hasInserts = false
    private var isComplete = false
    private var isWhole = false

    static let command = "pg_dump --encoding=UTF8 \"$DATABASE_URL\" > town.sql"

    init(_ text: [UInt8], _ progress: (Int) -> Void = { _ in }) {
        self.text = text
        read(progress)
        guard problem == nil else { return }
        if blocks.isEmpty, hasInserts {
            problem = (1, "has INSERT instead of COPY; make it without --inserts: \(Self.command)")
        } else if blocks.isEmpty {
            problem = (1, "has no rows of tables; make a plain dump with data: \(Self.command)")
        } else if !isComplete {
            problem = (lineCount, "ends too early: it is not whole; make it again: \(Self.command)")
        }
    }

    private var lineCount = 0

    private mutating func read(_ progress: (Int) -> Void) {
        var (start, number) = (0, 0)
        var table: String?
        while start < text.count, problem == nil {
            let end = text[start...].firstIndex(of: ASCII.lineFeed) ?? text.count
            number += 1
            var range = start..<end
            start = end + 1
            // As after a transfer as text from Windows; a carriage return in a value is written as \r.
            if range.last.map({ text[$0] }) == ASCII.carriageReturn { range = range.lowerBound..<(end - 1) }
            if number.isMultiple(of: 4096) { progress(end) }
            guard let name = table else {
                table = statement(String(decoding: text[range].prefix(4096), as: UTF8.self), number)
                continue
            }
            if text[range].elementsEqual("\\.".utf8) {
                table = nil
            } else {
                blocks[name]?.rows.append(Row(line: number, range: range))
            }
        }
        lineCount = number
        if table != nil { isComplete = false }
    }

    /// Returns the table of the block that begins.
    private mutating func statement(_ line: String, _ number: Int) -> String? {
        if line.hasPrefix("-- PostgreSQL database dump complete") || line == "COMMIT;" {
            isComplete = true
        } else if line.hasPrefix("INSERT INTO ") {
            hasInserts = true
        } else if line.hasPrefix("SELECT pg_catalog.setval(") {
            readSequence(line)
        } else if line.hasPrefix("SET client_encoding = "), line != "SET client_encoding = 'UTF8';" {
            problem = (number, "is not in UTF-8; make it so: \(Self.command)")
        } else if line.hasPrefix("COPY "), line.hasSuffix(" FROM stdin;") {
            return beginBlock(line.dropFirst(5).dropLast(12), number)
        }
        return nil
    }

    private mutating func beginBlock(_ text: Substring, _ number: Int) -> String? {
        let parts = text.split(separator: "(", maxSplits: 1)
        guard parts.count == 2, text.last == ")" else { return nil }
        let name = Self.name(parts[0])
        let columns = parts[1].dropLast().split(separator: ",").map(Self.name)
        if blocks[name] != nil {
            problem = (number, "has the table \(name.excerpt()) twice; dump the schema of the town alone, with -n")
            return nil
        }
        blocks[name] = Block(line: number, columns: columns)
        return name
    }

    private static func name(_ text: Substring) -> String {
        String((text.split(separator: ".").last ?? "").filter { $0 != "\"" && $0 != " " })
    }

    /// Reads `SELECT pg_catalog.setval('public.users_id_seq', 12, true);`.
    private mutating func readSequence(_ line: String) {
        let parts = line.split(separator: "'", maxSplits: 2)
        guard parts.count == 3 else { return }
        let values = parts[2].split { ", );".contains($0) }
        guard let value = values.first.flatMap({ Int($0) }) else { return }
        // A sequence that was not used yet gives its value next.
        sequences[Self.name(parts[1])] = values.last == "false" ? value - 1 : value
    }

    func values(of row: Row) -> [String?] {
        text[row.range].split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map { value in
            if value.elementsEqual("\\N".utf8) { return nil }
            guard value.contains(UInt8(ascii: "\\")) else { return String(decoding: value, as: UTF8.self) }
            return String(decoding: Self.unescaped(value), as: UTF8.self)
        }
    }

    private static func unescaped(_ value: ArraySlice<UInt8>) -> [UInt8] {
        var (bytes, rest) = ([UInt8](), value)
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() else {
                bytes.append(byte)
                continue
            }
            bytes.append(escapes[escaped] ?? escaped)
        }
        return bytes
    }

    private static let escapes = Dictionary(
        uniqueKeysWithValues: zip("bfnrtv".utf8, [0x08, 0x0C, ASCII.lineFeed, ASCII.carriageReturn, 0x09, 0x0B]))
}
