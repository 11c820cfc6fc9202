import Bytes
import HTTP

/// A format of responses, chosen by the field `Accept` (RFC 9110, section 12.5.1) or by the extension of the path.
package enum MediaType: String, CaseIterable {
    case json = "application/json"
    case geoJSON = "application/geo+json"
    case csv = "text/csv"
    case calendar = "text/calendar"

    /// The value of `Content-Type`.
    package var field: String { self == .csv || self == .calendar ? rawValue + "; charset=utf-8" : rawValue }

    /// The format that a request prefers among some; the first one if it prefers none.
    package static func preferred(by request: Request, of offered: [MediaType]) -> MediaType {
        guard let field = request.headers.first("accept"), !field.elementsEqual("*/*".utf8), var best = offered.first
        else { return offered[0] }
        var highest = best.quality(in: field)
        for type in offered.dropFirst() {
            let quality = type.quality(in: field)
            if quality > highest { (best, highest) = (type, quality) }
        }
        return best
    }

    /// Whether a request gets JSON, the default of most endpoints, whatever else its endpoint offers.
    static func isJSON(preferredBy request: Request) -> Bool { preferred(by: request, of: allCases) == .json }

    /// The quality of the format in an `Accept` field, in thousandths; the most specific range counts.
    private func quality(in field: ArraySlice<UInt8>) -> Int {
        let type = rawValue.utf8
        let group = rawValue.utf8.prefix { $0 != UInt8(ascii: "/") }
        var (found, precision) = (0, 0)
        for item in field.split(separator: UInt8(ascii: ",")) {
            var parts = item.split(separator: UInt8(ascii: ";")).map { $0.filter { $0 != 0x20 && $0 != 0x09 } }
            guard !parts.isEmpty else { continue }
            let range = parts.removeFirst()
            let match =
                if ASCII.equalIgnoringCase(range, type) {
                    3
                } else if ASCII.equalIgnoringCase(range, Array(group) + "/*".utf8) {
                    2
                } else {
                    range.elementsEqual("*/*".utf8) ? 1 : 0
                }
            guard match > precision else { continue }
            (found, precision) = (Self.weight(parts), match)
        }
        return found
    }

    /// The weight in the parameters of a range, such as `q=0.8`, in thousandths.
    private static func weight(_ parameters: [[UInt8]]) -> Int {
        guard let parameter = parameters.first(where: { ASCII.equalIgnoringCase($0.prefix(2), "q=".utf8) }) else {
            return 1000
        }
        let text = String(decoding: parameter.dropFirst(2).prefix(5), as: UTF8.self)
        return Int((min(max(Double(text) ?? 0, 0), 1) * 1000).rounded())
    }
}
