import Bytes
import SookeModel
import Store

extension [UInt8] {
    /// Appends a business as in responses; only the hours of today are encoded anew.
    mutating func append(
        _ business: BusinessRecord, on dayOfWeek: Int, category: TermRecord<CategoryVocabulary>?,
        isDetail: Bool = false
    ) {
        business.append(to: &self, category: category?.reference ?? BusinessRecord.noCategory, on: dayOfWeek)
        if isDetail { business.appendTail(to: &self) } else { append("}") }
    }
}

extension Call {
    /// The detail of a business, as in the response to a read at this time.
    func detail(of business: BusinessRecord, category: TermRecord<CategoryVocabulary>?) -> [UInt8] {
        var body: [UInt8] = []
        body.reserveCapacity(2048)
        body.append(business, on: town.zone.localDate(at: now).0.dayOfWeek, category: category, isDetail: true)
        return body
    }
}
