import Bytes
import Foundation
import Journal
import SookeModel
import TestSupport

@testable import Store

/// Small towns for searches.
enum SearchTown {
    /// A business in short.
    struct Row {
        var name = ""
        var category = 1
        var description: String?
        var address = "1 A St"
        var items: [String] = []
        var phone: String?
    }

    /// A listed business, of any category but 0.
    static func business(_ id: Int, _ row: Row) -> BusinessRecord {
        var business = Business()
        (business.id, business.name, business.slug) = (id, row.name, Slug("b\(id)"))
        (business.description, business.address) = (row.description, row.address)
        business.phone = row.phone
        business.category = row.category == 0 ? nil : Slug("c\(row.category)")
        if !row.items.isEmpty {
            var menu = Menu()
            menu.name = "Menu"
            menu.items = row.items.map { name in
                var item = MenuItem()
                item.name = name
                return item
            }
            business.menus = [menu]
        }
        return BusinessRecord(business, categoryID: row.category == 0 ? nil : row.category)
    }

    /// A searchable town of some businesses, with the categories `Restaurants` (1), `Bakeries` (2) and `Shops` (3),
    /// whose synonyms are `chemist` and `drug store`.
    static func town(_ rows: [Row]) -> Town {
        var town = Town()
        for (index, name) in ["Restaurants", "Bakeries", "Shops"].enumerated() {
            var category = SookeModel.Category()
            (category.id, category.name, category.slug) = (index + 1, name, Slug("c\(index + 1)"))
            if name == "Shops" { category.setSynonyms("chemist, drug store") }
            _ = try? town.apply(.put(AnyRecord(category)), at: nil)
        }
        for (index, row) in rows.enumerated() { town.storage[0].businesses.put(business(index + 1, row)) }
        return town
    }

    /// The demo town.
    static func demo() throws -> Town {
        let file = ProjectFolder.file("data/sooke.json")
        var reader = TownReader()
        _ = try CheckedDocument.read([UInt8](try Data(contentsOf: file))) { line in try reader.read(line) }
        return try reader.finish()
    }
}

extension Town {
    /// The names of the businesses that match a search, the best first.
    func names(_ query: String, size: Int = 100) throws -> [String] {
        let found: SearchPage<BusinessRecord> = try page(PageRequest(size: size), of: SearchQuery(query))
        return found.page.records.map(\.name)
    }

    /// The names of the events that match a search, the best first.
    func eventNames(_ query: String) throws -> [String] {
        let found: SearchPage<EventRecord> = try page(PageRequest(size: 100), of: SearchQuery(query))
        return found.page.records.map(\.value.name)
    }
}

extension Town {
    /// A page of the businesses that match a search, without a `BusinessQuery`.
    func page(
        _ request: PageRequest, of query: SearchQuery, where isIncluded: ((BusinessRecord) -> Bool)? = nil
    ) -> SearchPage<BusinessRecord> {
        self.businesses.indexes.search.page(request, of: query, names: categoryNames, where: isIncluded)
    }
}
