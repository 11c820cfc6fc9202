import SookeModel
import Store

/// Names the places of the directory as people do, and finds them by what people write.
struct PlaceNames {
    let town: Town

    /// The most names that a page offers: a phone does not load more.
    private static let mostNames = 300

    init(_ town: Town) { self.town = town }

    enum Found {
        case found(BusinessRecord)
        case unclear(String)
    }

    /// The name of a place, if that finds it, else its slug.
    func text(of business: BusinessRecord) -> String {
        if case .found(let found) = find(business.name), found.id == business.id { return business.name }
        return business.slug.text
    }

    /// The listed place that a text names: by its slug, or by its name.
    func find(_ text: String) -> Found {
        if let business = listed(Slug(text)) { return .found(business) }
        let same = self.same(as: text)
        if same.count == 1 { return .found(same[0]) }
        if let business = listed(Slug.make(from: text)), same.isEmpty { return .found(business) }
        if same.isEmpty { return .unclear("is not in the directory; leave it empty, and say below where it is") }
        let names = same.prefix(5).map { "\($0.slug.text) (\($0.streetAddress))" }
        return .unclear("is the name of several places; write one of \(names.joined(separator: ", "))")
    }

    private func listed(_ slug: Slug) -> BusinessRecord? {
        town.businesses[slug].flatMap { $0.categoryID == nil ? nil : $0 }
    }

    /// The listed places with a name, whatever its case. Few have it.
    private func same(as name: String) -> [BusinessRecord] {
        let folded = CaseFolding.fold(name)
        let page = town.page(PageRequest(number: 1, size: 50), of: BusinessQuery(search: name))
        return page.records.filter { CaseFolding.fold($0.name) == folded }
    }

    /// The names that a browser offers while somebody types, the slugs of those that share a name; none in a large town.
    var offered: [String] {
        if town.listedCount > Self.mostNames { return [] }
        let places = town.listedBusinesses(in: 0..<Self.mostNames)
        var counts: [[UInt8]: Int] = [:]
        for place in places { counts[CaseFolding.fold(place.name), default: 0] += 1 }
        return places.map { counts[CaseFolding.fold($0.name)] == 1 ? $0.name : $0.slug.text }
    }
}
