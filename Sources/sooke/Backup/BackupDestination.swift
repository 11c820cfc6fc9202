import Bytes
import Platform

/// The name pattern of a backup, with fields for parts of the time: `town-%Y-%m-%d.json`.
///
/// The fields are those of strftime(3): `%Y`, `%m`, `%d`, `%H`, `%M`, `%S` and `%a`; `%%` is a percent sign. They are
/// in UTC, so that names sort by time and no hour is repeated. Only the last component of a path has fields.
struct BackupName: Equatable {
    private static let weekdays = CivilDate.weekdayNames.map { String($0.prefix(3)) }

    let folder: String
    private let prefix: String
    private let pattern: String

    var hasFields: Bool { filled(["%": "%"]) == nil }

    /// - Returns: nil when a percent sign is followed by anything but the letter of a field.
    init?(_ path: String) {
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        (prefix, pattern) = (String(path[..<start]), String(path[start...]))
        folder = prefix.isEmpty ? "." : prefix == "/" ? "/" : String(prefix.dropLast())
        if filled(Self.values(at: Timestamp(microseconds: 0))) == nil { return nil }
    }

    func path(at moment: Timestamp) -> String { prefix + (filled(Self.values(at: moment)) ?? pattern) }

    func path(ofFile name: String) -> String { prefix + name }

    func newestFile() throws(CommandError) -> String {
        let files = try CommandError.mapped("cannot list \(folder)", .inputOutput) {
            try FileDescriptor.workingFolder.names(in: folder)
        }
        let times = files.filter(matches).map(path(ofFile:)).map { path in
            (time: (try? FileDescriptor.workingFolder.status(of: path).modified) ?? 0, path: path)
        }
        guard let newest = times.max(by: { $0 < $1 }) else {
            throw CommandError(.noInput, "there is no backup \(prefix)\(pattern)")
        }
        return newest.path
    }

    private static func values(at moment: Timestamp) -> [Unicode.Scalar: String] {
        let numbers = moment.rfc3339.split { !$0.isNumber }.map(String.init)
        let values = Dictionary(uniqueKeysWithValues: zip("YmdHMS".unicodeScalars, numbers))
        return values.merging(["a": weekdays[moment.civil.date.dayOfWeek], "%": "%"]) { first, _ in first }
    }

    /// The name with values for what follows a percent sign; nil when one has none.
    private func filled(_ values: [Unicode.Scalar: String]) -> String? {
        var (name, rest) = ("", pattern.unicodeScalars[...])
        while let scalar = rest.popFirst() {
            guard let value = scalar == "%" ? rest.popFirst().flatMap({ values[$0] }) : String(scalar) else {
                return nil
            }
            name += value
        }
        return name
    }

    func matches(_ name: String) -> Bool {
        var (rest, name) = (pattern.unicodeScalars[...], name.unicodeScalars[...])
        while let scalar = rest.popFirst() {
            guard scalar == "%", let field = rest.popFirst(), field != "%" else {
                if name.popFirst() != scalar { return false }
                continue
            }
            let text = name.prefix(field == "Y" ? 4 : field == "a" ? 3 : 2)
            name = name[text.endIndex...]
            let isWeekday = Self.weekdays.contains(String(text))
            let isNumber = text.count == (field == "Y" ? 4 : 2) && text.allSatisfy { "0"..."9" ~= $0 }
            if field == "a" ? !isWeekday : !isNumber { return false }
        }
        return name.isEmpty
    }
}

/// Where the name of a backup leads, through symbolic links.
enum BackupDestination: ~Copyable {
    /// A regular file, which the backup creates or replaces: its path, not a link.
    case file(String)
    /// A device or a pipe, which the backup is written into.
    case stream(OwnedDescriptor)

    /// As many symbolic links as Linux follows.
    private static let linkLimit = 40

    /// - Parameter folder: the data folder; a backup in it could replace a file of the town.
    init(_ name: String, outside folder: String) throws(CommandError) {
        var path = name
        for _ in 0..<Self.linkLimit {
            if let status = try Self.status(of: path, named: name) {
                self = try Self.existing(path, status, named: name, outside: folder)
                return
            }
            guard let target = FileDescriptor.target(ofLink: path) else {
                try Self.require(path, outside: folder, named: name)
                self = .file(path)
                return
            }
            path = target.hasPrefix("/") ? target : "\(DataFolder.parent(of: path))/\(target)"
        }
        throw CommandError(.usage, "\(name) leads through too many symbolic links")
    }

    private static func existing(
        _ path: String, _ status: FileStatus, named name: String, outside folder: String
    ) throws(CommandError) -> BackupDestination {
        guard !status.isFolder else { throw CommandError(.usage, "\(name) is a folder; name a file in it") }
        let isLink = FileDescriptor.target(ofLink: path) != nil
        let real = isLink ? try? FileDescriptor.realPath(of: path) : path
        try require(real ?? path, outside: folder, named: name)
        // A file that is open and was deleted has no name to replace.
        if status.isRegularFile, let real, FileDescriptor.workingFolder.leads(real, to: status.identity) {
            return .file(real)
        }
        return .stream(
            try CommandError.mapped("cannot open \(name)") { try OwnedDescriptor.open(path, [.write, .truncate]) })
    }

    /// Whether a path is below a folder, by the identity of both.
    static func isPath(_ path: String, in folder: String) throws(SystemError) -> Bool {
        guard let data = try? FileDescriptor.workingFolder.status(of: folder).identity else { return false }
        var level = try OwnedDescriptor.open(DataFolder.parent(of: path), [.name, .folder])
        while true {
            let identity = try level.descriptor.status().identity
            if identity == data { return true }
            level = try OwnedDescriptor.open("..", in: level.descriptor, [.name, .folder])
            if try level.descriptor.status().identity == identity { return false }
        }
    }

    private static func require(_ path: String, outside folder: String, named name: String) throws(CommandError) {
        let isInside = try CommandError.mapped("cannot write \(name)") { try isPath(path, in: folder) }
        guard isInside else { return }
        throw CommandError(
            .usage,
            "\(name) is in the data folder \(folder): it would be lost with the town, and could replace a file of it. "
                + "Name a file elsewhere, on another disk if there is one")
    }

    private static func status(of path: String, named name: String) throws(CommandError) -> FileStatus? {
        do throws(SystemError) {
            return try FileDescriptor.workingFolder.status(of: path)
        } catch {
            if error.isMissing { return nil }
            throw CommandError(error.codeForOpening, "cannot write \(name): \(error)")
        }
    }
}
