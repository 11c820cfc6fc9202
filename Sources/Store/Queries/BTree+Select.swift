import BTree
import SookeModel

/// A page of a stretch of an index: by rank when all records match, by walking when names have to be looked at.
func select<Key>(
    _ index: BTree<Key, BusinessRecord>, ranks: Range<Int>, search: String?, _ request: PageRequest
) -> Page<BusinessRecord> {
    let stretch = index.elements(at: ranks.lowerBound).lazy.prefix(ranks.count).map(\.value)
    if let needle = search.map(CaseFolding.fold) {
        return Page(of: stretch.filter { CaseFolding.contains($0.foldedName, needle) }, request)
    }
    let wanted = request.ranks(in: ranks.count)
    var records: [BusinessRecord] = []
    records.reserveCapacity(wanted.count)
    for element in index.elements(at: ranks.lowerBound + wanted.lowerBound).prefix(wanted.count) {
        records.append(element.value)
    }
    return Page(records: records, request: request, total: ranks.count)
}
