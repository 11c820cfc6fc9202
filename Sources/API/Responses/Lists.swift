import Bytes
import Store

/// The two forms of a list in a response.
extension [UInt8] {
    /// `{"items":[…]` without the closing brace.
    static func items<Item>(
        _ elements: some Sequence<Item>, _ append: (inout [UInt8], Item) -> Void
    ) -> [UInt8] {
        var body = [UInt8]("{\"items\":[")
        // About the size of an item, to avoid growing the buffer step by step.
        body.reserveCapacity(body.count + 768 * elements.underestimatedCount)
        var isFirst = true
        for element in elements {
            if !isFirst { body.append(UInt8(ascii: ",")) }
            isFirst = false
            append(&body, element)
        }
        body.append(UInt8(ascii: "]"))
        return body
    }

    /// `{"items":[…],"pagination":{…}}`.
    static func list<Record>(_ page: Page<Record>, _ append: (inout [UInt8], Record) -> Void) -> [UInt8] {
        var body = items(page.records, append)
        body.append(",\"pagination\":{\"page\":")
        body.append(decimal: page.request.number)
        body.append(",\"per_page\":")
        body.append(decimal: page.request.size)
        body.append(",\"total_items\":")
        body.append(decimal: page.total)
        body.append(",\"total_pages\":")
        body.append(decimal: page.pageCount)
        body.append("}}")
        return body
    }
}
