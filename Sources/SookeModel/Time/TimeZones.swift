import Bytes
import Synchronization

/// The time zones of a tz database, whose files somebody else reads.
///
/// A command reads a zone when it needs it. A server calls `load` with all files before it answers anybody: from then
/// on no name that a client sends, known or not, opens a file.
public final class TimeZones: Sendable {
    private let file: @Sendable (_ name: String) -> [UInt8]?
    private let limit: Int
    private let known = Mutex(Known())

    /// Zones that were read, and their names from the one read first.
    private struct Known {
        var zones: [String: TimeZone] = [:]
        var names: [String] = []
        /// The files of the whole database by the names of their zones; nil until they are loaded.
        var files: [String: [UInt8]]?
    }

    /// The zones of a database, of which at most `limit` (1 or more) are kept in memory, each of a few kilobytes.
    ///
    /// - Parameter file: the bytes of the file of a zone; nil when there is none. It is asked for no name that would
    ///   lead out of the database.
    public init(limit: Int = 100, file: @escaping @Sendable (_ name: String) -> [UInt8]?) {
        self.limit = limit
        self.file = file
    }

    /// Takes the files of all zones, by the names of these; no other file is read from then on.
    public func load(_ files: [String: [UInt8]]) {
        known.withLock { $0.files = files }
    }

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
                self.file(name)
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
}
