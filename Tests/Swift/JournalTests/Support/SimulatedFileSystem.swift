import Glibc
import Synchronization

@testable import Journal

/// A disk in memory that loses, tears and fails as real ones do, reproducibly for the same seed.
///
/// After a kill or a loss of power it is not used any more: `afterKill()` and `afterPowerLoss()` return the file system
/// of the next process.
final class SimulatedFileSystem: FileSystem {
    private let disk: Mutex<SimulatedDisk>

    convenience init(seed: UInt64 = 0) {
        self.init(SimulatedDisk(seed: seed))
    }

    init(_ disk: SimulatedDisk) {
        self.disk = Mutex(disk)
    }

    /// The disk as it is now.
    var image: SimulatedDisk { disk.withLock { $0 } }

    /// Injects faults, or inspects the files.
    func withDisk<Value: Sendable>(_ body: (inout SimulatedDisk) -> Value) -> Value {
        disk.withLock { body(&$0) }
    }

    /// The file system after this process was killed.
    func afterKill() -> SimulatedFileSystem {
        var disk = image
        disk.endProcess()
        return SimulatedFileSystem(disk)
    }

    /// The file system after a loss of power.
    func afterPowerLoss() -> SimulatedFileSystem {
        var disk = image
        disk.losePower()
        return SimulatedFileSystem(disk)
    }

    // MARK: - FileSystem

    func createDirectory(_ path: String) throws(FileSystemError) {
        try call(.createDirectory, path) { disk throws(FileSystemError) in
            guard disk.names[path] == nil else {
                throw FileSystemError(.createDirectory, path: path, code: EEXIST)
            }
            _ = disk.make(path, isFolder: true)
        }
    }

    func open(_ path: String) throws(FileSystemError) -> any OpenFile {
        let file = try call(.open, path) { disk throws(FileSystemError) in
            guard let file = disk.names[path] else { throw FileSystemError(.open, path: path, code: ENOENT) }
            return file
        }
        return Handle(self, path: path, file: file)
    }

    func openDirectory(_ path: String) throws(FileSystemError) -> any OpenDirectory {
        let file = try call(.open, path) { disk throws(FileSystemError) in
            guard path == "." || disk.isFolder(path) else { throw FileSystemError(.open, path: path, code: ENOENT) }
            return disk.names[path]
        }
        return Folder(self, path: path, file: file)
    }

    /// Makes a call, unless it must fail. A call during which the process ends may have been done.
    fileprivate func call<Value: Sendable>(
        _ operation: FileSystemError.Operation, _ path: String,
        _ body: (inout SimulatedDisk) throws(FileSystemError) -> Value
    ) throws(FileSystemError) -> Value {
        try disk.withLock { disk throws(FileSystemError) in
            switch disk.fate(of: operation) {
            case .done: return try body(&disk)
            case .failed(let code, let done):
                if code == SimulatedDisk.dead, done > 128 { _ = try body(&disk) }
                throw FileSystemError(operation, path: path, code: code)
            }
        }
    }

    fileprivate func append(_ bytes: [UInt8], to file: Int, _ path: String) throws(FileSystemError) {
        try disk.withLock { disk throws(FileSystemError) in
            switch disk.fate(of: .write) {
            case .done:
                let room = disk.capacity == .max ? bytes.count : max(0, disk.room) + disk[file].reserved
                disk[file].append(bytes.prefix(room))
                guard bytes.count <= room else { throw FileSystemError(.write, path: path, code: ENOSPC) }
            case .failed(let code, let done):
                disk[file].append(bytes.prefix(bytes.count * done / 256))
                throw FileSystemError(.write, path: path, code: code)
            }
        }
    }

    fileprivate func overwrite(_ bytes: [UInt8], in file: Int, _ path: String) throws(FileSystemError) {
        try disk.withLock { disk throws(FileSystemError) in
            switch disk.fate(of: .write) {
            case .done: disk[file].overwrite(bytes)
            case .failed(let code, let done):
                disk[file].overwrite(bytes.prefix(bytes.count * done / 256))
                throw FileSystemError(.write, path: path, code: code)
            }
        }
    }

    fileprivate func reserve(_ count: Int, in file: Int) {
        disk.withLock { disk in
            // A write like any other, but its failure is not reported.
            let wanted =
                switch disk.fate(of: .write) {
                case .done: count
                case .failed(_, let done): count * done / 256
                }
            let room = disk.capacity == .max ? wanted : max(0, disk.room) + disk[file].reserved
            disk[file].reserve(min(wanted, room))
        }
    }

    fileprivate func sync(_ file: Int, _ path: String) throws(FileSystemError) {
        try disk.withLock { disk throws(FileSystemError) in
            switch disk.fate(of: .sync) {
            case .done: disk[file].sync()
            case .failed(let code, _):
                if code != SimulatedDisk.dead { disk[file].failSync() }
                throw FileSystemError(.sync, path: path, code: code)
            }
        }
    }

    fileprivate func unlock(_ files: [Int]) {
        disk.withLock { $0.locks.subtract(files) }
    }
}

private final class Handle: OpenFile {
    let system: SimulatedFileSystem
    let path: String
    let file: Int

    init(_ system: SimulatedFileSystem, path: String, file: Int) {
        (self.system, self.path, self.file) = (system, path, file)
    }

    func read(at offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
        try system.call(.read, path) { disk throws(FileSystemError) in
            Array(disk[file].current.dropFirst(offset).prefix(count))
        }
    }

    func append(_ bytes: [UInt8]) throws(FileSystemError) {
        try system.append(bytes, to: file, path)
    }

    func overwrite(_ bytes: [UInt8]) throws(FileSystemError) {
        try system.overwrite(bytes, in: file, path)
    }

    var identity: String? { system.withDisk { [file] in "0-\($0[file].identity)" } }

    func reserve(_ count: Int) {
        system.reserve(count, in: file)
    }

    func sync() throws(FileSystemError) {
        try system.sync(file, path)
    }

    func truncate(to length: Int) throws(FileSystemError) {
        try system.call(.truncate, path) { disk throws(FileSystemError) in disk[file].truncate(to: length) }
    }

    func length() throws(FileSystemError) -> Int {
        try system.call(.length, path) { disk throws(FileSystemError) in disk[file].current.count }
    }
}

private final class Folder: OpenDirectory {
    let system: SimulatedFileSystem
    let path: String
    /// nil for the top.
    private let file: Int?

    init(_ system: SimulatedFileSystem, path: String, file: Int?) {
        (self.system, self.path, self.file) = (system, path, file)
    }

    func list() throws(FileSystemError) -> [String] {
        try system.call(.list, path) { [file, path] disk throws(FileSystemError) in
            disk.children(of: disk.path(of: file, openedAs: path))
        }
    }

    func create(_ name: String) throws(FileSystemError) -> any OpenFile {
        let made = try system.call(.create, path(of: name)) { [file, path] disk throws(FileSystemError) in
            let target = disk.path(of: name, in: file, openedAs: path)
            guard disk.isFolder(target.parent) else { throw FileSystemError(.create, path: target, code: ENOENT) }
            guard disk.names[target] == nil else { throw FileSystemError(.create, path: target, code: EEXIST) }
            return disk.make(target, isFolder: false)
        }
        return Handle(system, path: path(of: name), file: made)
    }

    func open(_ name: String) throws(FileSystemError) -> any OpenFile {
        Handle(system, path: path(of: name), file: try find(name))
    }

    func secure(_ name: String, length: Int, from offset: Int) throws(FileSystemError) -> Bool {
        let found = try find(name)
        // Its three calls; each may be the last.
        try system.call(.write, path(of: name)) { $0[found].touchAgain(offset..<length) }
        try system.call(.truncate, path(of: name)) { $0[found].truncate(to: length) }
        try system.sync(found, path(of: name))
        return true
    }

    func rename(_ name: String, to target: String) throws(FileSystemError) {
        try system.call(.rename, path(of: name)) { [file, path] disk throws(FileSystemError) in
            let old = disk.path(of: name, in: file, openedAs: path)
            let new = disk.path(of: target, in: file, openedAs: path)
            guard let found = disk.names[old] else { throw FileSystemError(.rename, path: old, code: ENOENT) }
            if disk[found].isFolder { return disk.move(old, to: new) }
            disk.set(new, to: found)
            disk.set(old, to: nil)
        }
    }

    func remove(_ name: String) throws(FileSystemError) {
        try system.call(.remove, path(of: name)) { [file, path] disk throws(FileSystemError) in
            let target = disk.path(of: name, in: file, openedAs: path)
            guard disk.names[target] != nil else { throw FileSystemError(.remove, path: target, code: ENOENT) }
            disk.set(target, to: nil)
        }
    }

    func createDirectory(_ name: String) throws(FileSystemError) {
        try system.call(.createDirectory, path(of: name)) { [file, path] disk throws(FileSystemError) in
            let target = disk.path(of: name, in: file, openedAs: path)
            guard disk.names[target] == nil else { throw FileSystemError(.createDirectory, path: target, code: EEXIST) }
            _ = disk.make(target, isFolder: true)
        }
    }

    func openDirectory(_ name: String) throws(FileSystemError) -> any OpenDirectory {
        Folder(system, path: path(of: name), file: try find(name))
    }

    func sync() throws(FileSystemError) {
        try system.call(.syncDirectory, path) { [file, path] disk throws(FileSystemError) in
            disk.syncNames(in: path == "." ? "" : disk.path(of: file, openedAs: path))
        }
    }

    func diskBytes() throws(FileSystemError) -> (total: Int, free: Int) {
        try system.call(.length, path) { disk throws(FileSystemError) in (disk.capacity, disk.room) }
    }

    func status(of name: String) throws(FileSystemError) -> (identity: String, length: Int) {
        let found = system.withDisk { [file, path] disk in
            disk.names[disk.path(of: name, in: file, openedAs: path)].map { found in
                (identity: "0-\(disk[found].identity)", length: disk[found].current.count)
            }
        }
        guard let found else { throw FileSystemError(.length, path: path(of: name), code: ENOENT) }
        return found
    }

    var isInPlace: Bool { system.withDisk { [file, path] in $0.names[path] == file } }

    func lock(_ name: String, shared: Bool) throws(FileSystemError) -> any FolderLock {
        let locked = try system.call(.lock, path(of: name)) { [file, path] disk throws(FileSystemError) in
            let target = disk.path(of: name, in: file, openedAs: path)
            let locked = [file, disk.names[target] ?? disk.make(target, isFolder: false)].compactMap(\.self)
            guard disk.locks.isDisjoint(with: locked) else {
                throw FileSystemError(.lock, path: target, code: EWOULDBLOCK)
            }
            disk.locks.formUnion(locked)
            return locked
        }
        return Lock(system, self, name: name, locked: locked)
    }

    fileprivate func holds(_ name: String, _ wanted: Int?) -> Bool {
        system.withDisk { [file, path] disk in disk.names[disk.path(of: name, in: file, openedAs: path)] == wanted }
    }

    private func path(of name: String) -> String { "\(path)/\(name)" }

    private func find(_ name: String) throws(FileSystemError) -> Int {
        try system.call(.open, path(of: name)) { [file, path] disk throws(FileSystemError) in
            let target = disk.path(of: name, in: file, openedAs: path)
            guard let found = disk.names[target] else { throw FileSystemError(.open, path: target, code: ENOENT) }
            return found
        }
    }
}

private final class Lock: FolderLock {
    private let system: SimulatedFileSystem
    private let folder: Folder
    private let name: String
    private let locked: [Int]

    init(_ system: SimulatedFileSystem, _ folder: Folder, name: String, locked: [Int]) {
        (self.system, self.folder, self.name, self.locked) = (system, folder, name, locked)
    }

    deinit {
        release()
    }

    var isInPlace: Bool { folder.holds(name, locked.last) }

    func release() {
        system.unlock(locked)
    }
}
