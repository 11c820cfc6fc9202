import TestSupport

/// A file or folder on the simulated disk: the state that programs see, and the state after a loss of power.
///
/// `current` is the page cache, `stable` is the platter. A sector that was written since the last sync is `unsynced`:
/// after a loss of power it has its stable bytes, the bytes of any of the writes, zeros or garbage. A sector whose sync
/// failed is `forgotten`: the page cache still returns it and treats it as clean, so no later sync writes it.
struct SimulatedFile {
    static let sectorBytes = 512

    let isFolder: Bool
    /// What distinguishes it from all other files.
    let identity: Int
    private(set) var current: [UInt8] = []
    /// The offset of the next append; reserved space follows.
    private var end = 0
    private var stable: [UInt8] = []
    private var unsynced: [Int: [[UInt8]]] = [:]
    private var forgotten: [Int: [[UInt8]]] = [:]
    /// The lengths since the last sync.
    private var lengths: [Int] = []

    init(isFolder: Bool, identity: Int) {
        (self.isFolder, self.identity) = (isFolder, identity)
    }

    mutating func append(_ bytes: some Collection<UInt8>) {
        guard !bytes.isEmpty else { return }
        let start = end
        end += bytes.count
        current.replaceSubrange(start..<min(end, current.count), with: bytes)
        touch(start..<end)
    }

    /// Overwrites the beginning.
    mutating func overwrite(_ bytes: some Collection<UInt8>) {
        guard !bytes.isEmpty else { return }
        current.replaceSubrange(0..<min(bytes.count, current.count), with: bytes)
        touch(0..<bytes.count)
    }

    mutating func reserve(_ count: Int) {
        guard end + count > current.count else { return }
        let start = current.count
        current += [UInt8](repeating: 0, count: end + count - start)
        touch(start..<current.count)
    }

    /// What can be appended without making the file longer.
    var reserved: Int { current.count - end }

    mutating func truncate(to length: Int) {
        guard length != current.count else { return }
        if length < current.count {
            // The truncated part may reappear unchanged, or as zeros.
            let sectors = length / Self.sectorBytes...(current.count - 1) / Self.sectorBytes
            current.removeSubrange(length...)
            for sector in sectors { remember(sector) }
        } else {
            current += [UInt8](repeating: 0, count: length - current.count)
        }
        end = length
        lengths.append(length)
    }

    mutating func overwrite(_ value: UInt8, at offset: Int) {
        current[offset] = value
        if offset < stable.count { stable[offset] = value }
    }

    /// Rewrites a range unchanged.
    mutating func touchAgain(_ written: Range<Int>) {
        guard !written.isEmpty else { return }
        touch(written)
    }

    mutating func sync() {
        stable.resize(to: current.count)
        for sector in unsynced.keys {
            forgotten[sector] = nil
            let start = sector * Self.sectorBytes
            guard start < current.count else { continue }
            let end = min(start + Self.sectorBytes, current.count)
            stable.replaceSubrange(start..<end, with: current[start..<end])
        }
        unsynced.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
    }

    /// The sync fails, and the pages are clean from now on, as Linux has it.
    mutating func failSync() {
        forgotten.merge(unsynced) { $0 + $1 }
        unsynced.removeAll()
    }

    /// The file after a loss of power.
    mutating func losePower(_ random: inout SplitMix64) {
        let isClean = unsynced.isEmpty && forgotten.isEmpty && lengths.isEmpty
        guard !isFolder, !isClean else { return }
        let choices = [stable.count, current.count] + lengths
        var length = choices[random.below(choices.count)]
        let longest = choices.max() ?? 0
        let shortest = choices.min() ?? 0
        if random.once(in: 4) { length = shortest + random.below(longest - shortest + 1) }

        var result = stable
        result.resize(to: longest)
        // In order, so that the same seed gives the same disk.
        for sector in Set(unsynced.keys).union(forgotten.keys).sorted() {
            let start = sector * Self.sectorBytes
            guard start < longest else { continue }
            let end = min(start + Self.sectorBytes, longest)
            let versions = (forgotten[sector] ?? []) + (unsynced[sector] ?? [])
            switch random.below(8) {
            case 0, 1: break
            case 2:
                for offset in start..<end { result[offset] = 0 }
            case 3:
                for offset in start..<end { result[offset] = UInt8(truncatingIfNeeded: random.next()) }
            case 4:
                result.replace(from: start, to: end, with: versions[random.below(versions.count)])
            default:
                result.replace(from: start, to: end, with: versions[versions.count - 1])
            }
        }
        result.resize(to: length)
        self = SimulatedFile(isFolder: false, identity: identity)
        current = result
        stable = result
        end = result.count
    }

    private mutating func touch(_ written: Range<Int>) {
        for sector in written.lowerBound / Self.sectorBytes...(written.upperBound - 1) / Self.sectorBytes {
            remember(sector)
        }
        lengths.append(current.count)
    }

    /// Records the current bytes of a sector as a possible state after a loss of power.
    private mutating func remember(_ sector: Int) {
        let start = min(sector * Self.sectorBytes, current.count)
        let end = min(start + Self.sectorBytes, current.count)
        unsynced[sector, default: []].append(Array(current[start..<end]))
    }
}

extension [UInt8] {
    fileprivate mutating func resize(to count: Int) {
        if count < self.count {
            removeSubrange(count...)
        } else if count > self.count {
            self += [UInt8](repeating: 0, count: count - self.count)
        }
    }

    /// Writes bytes into a range, padded with zeros.
    fileprivate mutating func replace(from start: Int, to end: Int, with bytes: [UInt8]) {
        for offset in start..<end { self[offset] = offset - start < bytes.count ? bytes[offset - start] : 0 }
    }
}
