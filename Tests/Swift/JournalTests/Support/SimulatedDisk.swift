import TestSupport
import Glibc

@testable import Journal

/// The disk of a `SimulatedFileSystem`: files, names, and injected faults.
struct SimulatedDisk {
    /// A call that must fail.
    struct Fault {
        var operations: Set<FileSystemError.Operation>
        /// The index of the call, from 1.
        var at: Int
        var code: Int32
        /// All later ones fail too.
        var isPersistent = false
    }

    private(set) var files: [SimulatedFile] = []
    private var lastIdentity = 0
    /// Names as programs see them.
    private(set) var names: [String: Int] = [:]
    /// Names on the platter.
    private var stableNames: [String: Int] = [:]
    /// The files that each name has referred to since its folder was synced.
    private var unsyncedNames: [String: [Int?]] = [:]
    /// Files and folders that are locked.
    var locks: Set<Int> = []

    /// The capacity for the bytes of all files.
    var capacity = Int.max
    var fault: Fault?
    /// The process ends in the middle of the call with this index, from 1.
    var diesAt: Int?
    private(set) var calls = 0
    /// How many calls have matched the fault, or would have matched any.
    private(set) var matchingCalls = 0
    private(set) var isDead = false
    private var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// Makes another loss of power possible.
    mutating func reseed(_ seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    // MARK: - Faults

    /// The result of a call.
    enum Fate {
        case done
        /// It fails with this code; this part in 256 of a write is done.
        case failed(code: Int32, done: Int)
    }

    static let dead = ESHUTDOWN

    mutating func fate(of operation: FileSystemError.Operation) -> Fate {
        guard !isDead else { return .failed(code: Self.dead, done: 0) }
        calls += 1
        if calls == diesAt {
            isDead = true
            return .failed(code: Self.dead, done: random.below(257))
        }
        guard let fault, fault.operations.contains(operation) else { return .done }
        matchingCalls += 1
        let isHit = fault.isPersistent ? matchingCalls >= fault.at : matchingCalls == fault.at
        return isHit ? .failed(code: fault.code, done: random.below(257)) : .done
    }

    /// Free space.
    var room: Int { capacity - names.values.reduce(0) { $0 + files[$1].current.count } }

    // MARK: - Names

    func isFolder(_ path: String) -> Bool { names[path].map { files[$0].isFolder } ?? false }

    mutating func make(_ path: String, isFolder: Bool) -> Int {
        lastIdentity += 1
        files.append(SimulatedFile(isFolder: isFolder, identity: lastIdentity))
        set(path, to: files.count - 1)
        return files.count - 1
    }

    mutating func set(_ path: String, to file: Int?) {
        names[path] = file
        unsyncedNames[path, default: []].append(file)
    }

    /// The current path of a folder that was opened by a path; the path itself when it does not exist.
    func path(of folder: Int?, openedAs path: String) -> String {
        if names[path] == folder { return path }
        return names.first { $0.value == folder }?.key ?? path
    }

    /// The path of a file in such a folder; "." is the top.
    func path(of name: String, in folder: Int?, openedAs path: String) -> String {
        path == "." ? name : "\(self.path(of: folder, openedAs: path))/\(name)"
    }

    /// Moves a folder with its contents.
    mutating func move(_ folder: String, to target: String) {
        for (path, file) in names where path == folder || path.hasPrefix("\(folder)/") {
            set(path, to: nil)
            set(target + path.dropFirst(folder.utf8.count), to: file)
        }
    }

    mutating func syncNames(in folder: String) {
        for path in unsyncedNames.keys where path.parent == folder {
            stableNames[path] = names[path]
            unsyncedNames[path] = nil
        }
    }

    func children(of folder: String) -> [String] {
        names.keys.filter { $0.parent == folder }.map { String($0.dropFirst(folder.utf8.count + 1)) }
    }

    // MARK: - Files

    subscript(file: Int) -> SimulatedFile {
        get { files[file] }
        _modify { yield &files[file] }
    }

    // MARK: - Crashes

    /// The process ends: nothing is lost.
    mutating func endProcess() {
        locks = []
        (fault, diesAt, isDead, calls, matchingCalls) = (nil, nil, false, 0, 0)
    }

    /// The power fails: the state of each unsynced sector and name is random.
    mutating func losePower() {
        endProcess()
        var kept = stableNames
        for path in unsyncedNames.keys.sorted() {
            let choices = [stableNames[path]] + (unsyncedNames[path] ?? [])
            kept[path] = choices[random.below(choices.count)]
        }
        // The contents of a lost folder are lost.
        for path in kept.keys where !(kept[path.parent].map { files[$0].isFolder } ?? path.parent.isEmpty) {
            kept[path] = nil
        }
        // Files without a name are lost; two names may refer to one file.
        var survivors: [Int: Int] = [:]
        var remaining: [SimulatedFile] = []
        for file in Set(kept.values).sorted() {
            survivors[file] = remaining.count
            files[file].losePower(&random)
            remaining.append(files[file])
        }
        files = remaining
        names = kept.compactMapValues { survivors[$0] }
        stableNames = names
        unsyncedNames = [:]
    }
}

extension String {
    /// The parent of a path; empty at the top.
    var parent: String { utf8.lastIndex(of: UInt8(ascii: "/")).map { String(self[..<$0]) } ?? "" }
}
