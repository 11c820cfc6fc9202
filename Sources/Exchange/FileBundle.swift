import Bytes
import JSON

/// Several files in one body, for an import from the command line into a running server.
///
/// A line stands before the bytes of each file; `format` is null when the name or the first bytes determine it, and
/// there is a `warning` where one comes from the workbook that was unpacked:
///
/// ```
/// {"name":"businesses.csv","format":"csv","bytes":1234}
/// ```
package enum FileBundle {
    private static let maximumHeader = 1 << 16

    package static func bytes(of files: [ImportFile]) -> [UInt8] {
        files.flatMap(pieces(of:)).reduce([], +)
    }

    package static func pieces(of file: ImportFile) -> [[UInt8]] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("name", file.name)
        writer.member("format", file.format?.rawValue)
        writer.member("bytes", file.bytes.count)
        if let warning = file.warning { writer.member("warning", warning) }
        writer.endObject()
        return [writer.bytes + [ASCII.lineFeed], file.bytes]
    }

    package static func files(in body: [UInt8]) throws(FileBundleError) -> [ImportFile] {
        var files: [ImportFile] = []
        var position = 0
        while position < body.count {
            let number = files.count + 1
            guard let lineEnd = body[position...].prefix(maximumHeader).firstIndex(of: ASCII.lineFeed) else {
                throw FileBundleError(description: "file \(number) of the bundle does not begin with a line of JSON")
            }
            var (file, count) = try header(Array(body[position..<lineEnd]), number)
            let start = lineEnd + 1
            guard 0...(body.count - start) ~= count else {
                throw FileBundleError(
                    description:
                        "file \(number) of the bundle has \(Count(body.count - start, "byte")), not the "
                        + "\(Count.grouped(count)) it says"
                )
            }
            file.bytes = Array(body[start..<start + count])
            files.append(file)
            position = start + count
        }
        return files
    }

    private static func header(_ line: [UInt8], _ number: Int) throws(FileBundleError) -> (ImportFile, count: Int) {
        var file = ImportFile(name: "", bytes: [])
        var count: Int?
        do throws(JSONError) {
            var reader = JSONReader(line)
            try reader.beginObject()
            while let key = try reader.nextKey() {
                switch key {
                case "name": file.name = try reader.readString()
                case "format": file.format = try readFormat(from: &reader)
                case "bytes": count = try reader.readInt()
                case "warning": file.warning = try reader.readString()
                default: throw reader.error("a file of a bundle has no \"\(key)\"")
                }
            }
            guard let count, !file.name.isEmpty else {
                throw reader.error("the name or the number of bytes is missing")
            }
            try reader.finish()
            return (file, count)
        } catch {
            throw FileBundleError(
                description:
                    "the line before file \(number) of the bundle is wrong: column \(error.column): \(error.message)")
        }
    }

    private static func readFormat(from reader: inout JSONReader) throws(JSONError) -> ImportFormat? {
        if try reader.readNull() { return nil }
        guard let format = ImportFormat(named: try reader.readString()) else {
            throw reader.error("must be one of \(ImportFormat.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return format
    }
}

package struct FileBundleError: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String
}
