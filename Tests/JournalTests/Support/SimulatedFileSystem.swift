import Glibc
import Synchronization

@testable import Journal

/// A disk in memory that forgets, tears and fails as real ones do, always in the same way for the same seed.
///
/// A process that has died, or a disk without power, is left behind: `afterKill()` and `afterPowerLoss()` give the
/// file system that the next process finds.
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

    /// Orders faults, or looks at the files.
    func withDisk<Value: Sendable>(_ body: (inout SimulatedDisk) -> Value) -> Value {
        disk.withLock { body(&$0) }
    }

    /// What the next process finds after this one was killed.
    func afterKill() -> SimulatedFileSystem {
        var disk = image
        disk.endProcess()
        return SimulatedFileSystem(disk)
    }

    /// What is left when the power has gone.
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

    func list(_ path: String) throws(FileSystemError) -> [String] {
        try call(.list, path) { disk throws(FileSystemError) in
            guard disk.isFolder(path) else { throw FileSystemError(.list, path: path, code: ENOENT) }
            return disk.children(of: path)
        }
    }

    func create(_ path: String) throws(FileSystemError) -> any OpenFile {
        let file = try call(.create, path) { disk throws(FileSystemError) in
            guard disk.isFolder(path.parent) else { throw FileSystemError(.create, path: path, code: ENOENT) }
            guard disk.names[path] == nil else { throw FileSystemError(.create, path: path, code: EEXIST) }
            return disk.make(path, isFolder: false)
        }
        return Handle(self, path: path, file: file)
    }

    func open(_ path: String) throws(FileSystemError) -> any OpenFile {
        let file = try call(.open, path) { disk throws(FileSystemError) in
            guard let file = disk.names[path] else { throw FileSystemError(.open, path: path, code: ENOENT) }
            return file
        }
        return Handle(self, path: path, file: file)
    }

    func openDirectory(_ path: String) throws(FileSystemError) -> any OpenDirectory {
        try call(.open, path) { disk throws(FileSystemError) in
            guard path == "." || disk.isFolder(path) else { throw FileSystemError(.open, path: path, code: ENOENT) }
        }
        return Folder(self, path: path)
    }

    func rename(_ path: String, to target: String) throws(FileSystemError) {
        try call(.rename, path) { disk throws(FileSystemError) in
            guard let file = disk.names[path] else { throw FileSystemError(.rename, path: path, code: ENOENT) }
            disk.set(target, to: file)
            disk.set(path, to: nil)
        }
    }

    func remove(_ path: String) throws(FileSystemError) {
        try call(.remove, path) { disk throws(FileSystemError) in
            guard disk.names[path] != nil else { throw FileSystemError(.remove, path: path, code: ENOENT) }
            disk.set(path, to: nil)
        }
    }

    func lock(_ path: String) throws(FileSystemError) -> any HeldLock {
        try call(.lock, path) { disk throws(FileSystemError) in
            if disk.names[path] == nil { _ = disk.make(path, isFolder: false) }
            guard disk.locks.insert(path).inserted else {
                throw FileSystemError(.lock, path: path, code: EWOULDBLOCK)
            }
        }
        return Lock(self, path: path)
    }

    /// Makes a call, unless it is to fail. A call that dies may have been done all the same.
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

    fileprivate func reserve(_ count: Int, in file: Int) {
        disk.withLock { disk in
            // A write as any other, but that nobody is told when it fails.
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

    fileprivate func unlock(_ path: String) {
        disk.withLock { _ = $0.locks.remove(path) }
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

    init(_ system: SimulatedFileSystem, path: String) {
        (self.system, self.path) = (system, path)
    }

    func sync() throws(FileSystemError) {
        try system.call(.syncDirectory, path) { disk throws(FileSystemError) in
            disk.syncNames(in: path == "." ? "" : path)
        }
    }
}

private final class Lock: HeldLock {
    let system: SimulatedFileSystem
    let path: String

    init(_ system: SimulatedFileSystem, path: String) {
        (self.system, self.path) = (system, path)
    }

    deinit {
        system.unlock(path)
    }
}
