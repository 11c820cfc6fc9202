import Bytes
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The time zones of the system's tz database.
///
/// A command reads a zone when it needs it. A server calls `loadAll` before it answers anybody: from then on no name
/// that a client sends, known or not, opens a file.
public final class TimeZones: Sendable {
    private let directory: String
    private let limit: Int
    private let known = Mutex(Known())

    /// Zones that were read, and their names from the one read first.
    private struct Known {
        var zones: [String: TimeZone] = [:]
        var names: [String] = []
        /// The files of the whole database by the names of their zones; nil until they are loaded.
        var files: [String: [UInt8]]?
    }

    /// The zones in a folder, of which at most `limit` (1 or more) are kept in memory, each of a few kilobytes.
    public init(directory: String = "/usr/share/zoneinfo", limit: Int = 100) {
        self.directory = directory
        self.limit = limit
    }

    /// A file longer than this is no zone.
    private static let largestFile = 1 << 20

    /// Reads the files of all zones into memory, about a megabyte.
    ///
    /// - Parameter names: the names in a folder; nil when it is none.
    public func loadAll(listing names: (_ folder: String) -> [String]?) {
        var files: [String: [UInt8]] = [:]
        var folders = [""]
        while let folder = folders.popLast() {
            for name in names(directory + "/" + folder) ?? [] {
                let name = folder + name
                guard Self.isAcceptable(name), !Self.variants.contains(name) else { continue }
                if let bytes = Self.contents(of: "\(directory)/\(name)") {
                    if bytes.starts(with: "TZif".utf8) { files[name] = bytes }
                } else if name.utf8.count(where: { $0 == UInt8(ascii: "/") }) < Self.deepestFolder {
                    folders.append(name + "/")
                }
            }
        }
        known.withLock { $0.files = files }
    }

    /// Folders with all zones once more: `posix` has the same, `right` those of clocks that count leap seconds, which
    /// ours do not.
    private static let variants = ["posix", "right"]

    /// Folders in folders further down are not looked at: a link may lead back up.
    private static let deepestFolder = 4

    /// The zone of a name; letter case counts. `UTC` is there even without a database.
    ///
    /// Asking for many names that are not in the database does not fill the memory.
    /// - Throws: `TimeZoneError` when there is none, also for a name that would lead out of the database.
    public func zone(named name: String) throws(TimeZoneError) -> TimeZone {
        // First of all: to a dictionary of strings some other spellings in Unicode are the same key.
        guard Self.isAcceptable(name) else { throw TimeZoneError(name: name) }
        if let zone = known.withLock({ $0.zones[name] }) { return zone }
        guard let zone = read(name) else { throw TimeZoneError(name: name) }
        known.withLock { known in
            guard known.zones.updateValue(zone, forKey: name) == nil else { return }
            known.names.append(name)
            if known.names.count > limit { known.zones[known.names.removeFirst()] = nil }
        }
        return zone
    }

    /// How many zones are in memory.
    var countInMemory: Int { known.withLock { $0.zones.count } }

    private func read(_ name: String) -> TimeZone? {
        let file =
            if let files = known.withLock({ $0.files }) {
                files[name.hasPrefix("posix/") ? String(name.dropFirst(6)) : name]
            } else {
                Self.contents(of: "\(directory)/\(name)")
            }
        if let file, let zone = try? TZifReader.read(file, name: name) { return zone }
        return name == "UTC" ? TimeZone(name: name, fixedOffset: 0) : nil
    }

    /// Letters, digits and `_ + - . /` in parts that are neither empty nor dots, as in the database.
    private static func isAcceptable(_ name: String) -> Bool {
        name.utf8.count <= 100 && name != "Local"
            && name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
                !part.isEmpty && part != "." && part != ".."
                    && part.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || "_+-.".utf8.contains($0) }
            }
    }

    private static func contents(of path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { _ = close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            1...largestFile ~= Int(status.st_size)
        else { return nil }
        var contents: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16 << 10)
        while contents.count <= largestFile {
            let count = libcRead(file, &piece, piece.count)
            if count == 0 { return contents }
            if count < 0 {
                if errno == EINTR { continue }
                return nil
            }
            contents += piece[..<count]
        }
        return nil
    }
}

// The class has a method of the name of the C function.
private func libcRead(_ file: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int { read(file, bytes, count) }
