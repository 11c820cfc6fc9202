import SookeModel

extension SookeModel.Business {
    /// What the server's `q` searches.
    func searchTexts(category: String) -> [SearchText] {
        let about: [(SearchField, String?)] = [
            (.name, name), (.term, category), (.address, address), (.description, description),
        ]
        let onMenus = menus.flatMap { menu in
            [menu.name, menu.description] + menu.items.flatMap { item -> [String?] in [item.name, item.description] }
        }
        return (about + onMenus.map { (SearchField.menu, $0) }).texts
    }
}

extension EventDetails {
    /// What the server's `q` searches.
    var searchTexts: [SearchText] {
        let about: [(SearchField, String?)] = [
            (.name, value.name), (.term, joined.eventTypeName), (.place, joined.businessName),
            (.description, value.description),
        ]
        return about.texts
    }
}

extension [(SearchField, String?)] {
    fileprivate var texts: [SearchText] {
        compactMap { field, text in text.map { SearchText(field: field, text: $0) } }
    }
}

extension Array {
    /// The elements that match, the best first, and equal ones in their order.
    func ranked(by query: SearchQuery, _ texts: (Element) -> [SearchText]) -> [Element] {
        let scorer = SearchScorer(query)
        return compactMap { element in scorer.score(of: texts(element)).map { (score: $0, element: element) } }
            .enumerated().sorted { ($0.element.score, $0.offset) < ($1.element.score, $1.offset) }
            .map(\.element.element)
    }
}
