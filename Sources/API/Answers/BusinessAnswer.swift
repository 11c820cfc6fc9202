import Bytes
import SookeModel
import Store

extension [UInt8] {
    /// Appends a business as the API shows it; only the hours of today are written anew.
    mutating func append(
        _ business: BusinessRecord, on dayOfWeek: Int, in categories: TermTable<CategoryVocabulary>,
        isDetail: Bool = false
    ) {
        let category = business.categoryID.flatMap { categories[$0]?.reference } ?? BusinessRecord.noCategory
        business.append(to: &self, category: category, on: dayOfWeek)
        if isDetail { business.appendTail(to: &self) } else { append("}") }
    }
}

extension Call {
    /// The detail of a business, as a read of it answers now.
    func detail(of business: BusinessRecord, in community: Community) -> [UInt8] {
        var body: [UInt8] = []
        body.reserveCapacity(2048)
        body.append(business, on: town.zone.localDate(at: now).0.dayOfWeek, in: community.categories, isDetail: true)
        return body
    }
}
