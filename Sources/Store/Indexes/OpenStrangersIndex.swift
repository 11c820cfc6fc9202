import BTree
import SookeModel

/// The open proposals of senders without an account, by the larger network (`Proposal.site`) that they came from. It
/// knows at any time which one yields to a new one: the oldest one of the site that has the most.
///
/// It counts sites, since one customer of a provider may have thousands of networks.
struct OpenStrangersIndex: Index {
    /// A proposal of a site. IDs ascend, so the lowest is the oldest, whatever the clock was set to.
    private struct Key: Comparable, Sendable {
        let site: ByteText
        let id: Int

        static func range(of site: ByteText) -> Range<Key> { Key(site: site, id: .min)..<Key(site: site, id: .max) }

        static func < (left: Key, right: Key) -> Bool { (left.site, left.id) < (right.site, right.id) }
    }

    /// A site with its number of proposals and the oldest of them. The first one has the most; of those with the same
    /// number, it has the oldest one.
    private struct Load: Comparable, Sendable {
        let count: Int
        let oldest: Int

        static func < (left: Load, right: Load) -> Bool {
            left.count == right.count ? left.oldest < right.oldest : left.count > right.count
        }
    }

    private var proposals = BTree<Key, Int>()
    /// The loads of all sites. An ID is one of a single site, so no two of them are equal.
    private var loads = BTree<Load, Int>()

    init() {}

    init(_ records: [Proposal]) {
        for record in records { insert(record) }
    }

    /// The number of proposals.
    var count: Int { proposals.count }

    /// The ID of the proposal that yields; nil without one.
    var yielding: Int? { loads.elements.first { _ in true }?.value }

    mutating func insert(_ record: Proposal, among records: BTree<Int, Proposal>) { insert(record) }

    mutating func remove(_ record: Proposal, among records: BTree<Int, Proposal>) {
        guard let key = Self.key(of: record) else { return }
        change(key.site) { $0.removeValue(forKey: key) }
    }

    private mutating func insert(_ record: Proposal) {
        guard let key = Self.key(of: record) else { return }
        change(key.site) { $0.updateValue(record.id, forKey: key) }
    }

    private static func key(of record: Proposal) -> Key? {
        guard record.isOpen, record.isOfStranger else { return nil }
        return Key(site: ByteText(record.site ?? ""), id: record.id)
    }

    private mutating func change(_ site: ByteText, _ change: (inout BTree<Key, Int>) -> Void) {
        if let load = load(of: site) { loads.removeValue(forKey: load) }
        change(&proposals)
        if let load = load(of: site) { loads.updateValue(load.oldest, forKey: load) }
    }

    private func load(of site: ByteText) -> Load? {
        let run = proposals.elements(in: Key.range(of: site))
        return run.first { _ in true }.map { Load(count: run.count, oldest: $0.value) }
    }
}
