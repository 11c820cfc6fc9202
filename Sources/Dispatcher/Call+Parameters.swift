import Bytes
import HTTP
import SookeModel
import Store

/// The values in the path and the query.
extension Call {
    /// The slug in the path.
    package func slug() throws(HTTPError) -> Slug {
        Slug(try captures.text("slug"))
    }

    /// The ID in the path.
    package func id(_ name: StaticString = "id") throws(HTTPError) -> Int {
        guard let id = Int(try captures.text("\(name)")), id > 0 else { throw .notFound() }
        return id
    }

    /// The first value of a query parameter; nil when it is absent or empty, or when the endpoint does not declare it: what
    /// the key of a cached response leaves out must change nothing.
    package func parameter(_ name: String) throws(HTTPError) -> String? {
        guard let value = try request.query.first(name), !value.isEmpty, declares(name) else { return nil }
        return value
    }

    /// All values of a query parameter that may occur several times.
    package func values(_ name: String) throws(HTTPError) -> [String] {
        let values = try request.query.all(name)
        return !values.isEmpty && declares(name) ? values : []
    }

    private func declares(_ name: String) -> Bool { endpoint.parameters.contains { $0.name.hasSameBytes(as: name) } }

    /// A parameter with the value `true` or `false`.
    package func flag(_ name: String, orElse absent: Bool = false) throws(HTTPError) -> Bool {
        guard let text = try parameter(name) else { return absent }
        if text.hasSameBytes(as: "false") { return false }
        if text.hasSameBytes(as: "true") { return true }
        throw .invalidParameter("\(name) is true or false, not \"\(text.excerpt())\"")
    }

    /// The requested page. Values that are not numbers count as absent.
    package func page() throws(HTTPError) -> PageRequest {
        PageRequest(
            number: try number("page") ?? 1,
            size: try number("per_page") ?? PageRequest.defaultSize)
    }

    /// A parameter that is a positive number; nil when it is absent.
    package func count(_ name: String) throws(HTTPError) -> Int? {
        guard let text = try parameter(name) else { return nil }
        guard text.utf8.allSatisfy(ASCII.isDigit), let count = Int(text), count > 0 else {
            throw .invalidParameter("\(name) is a number from 1 on")
        }
        return count
    }

    /// The time zone that defines "today".
    package func zone() throws(HTTPError) -> TimeZone {
        guard let name = try parameter("tz") else { return town.zone }
        do {
            return try town.zones.zone(named: name)
        } catch {
            throw .invalidParameter("\(error)")
        }
    }

    /// An optional sign and decimal digits; a number outside the range is clamped.
    private func number(_ name: String) throws(HTTPError) -> Int? {
        guard let text = try parameter(name)?.utf8 else { return nil }
        let isNegative = text.first == UInt8(ascii: "-")
        let digits = isNegative || text.first == UInt8(ascii: "+") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) else { return nil }
        var magnitude = 0
        for digit in digits {
            let (tens, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, overflowToo) = tens.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
            magnitude = overflow || overflowToo ? .max : sum
        }
        return isNegative ? -magnitude : magnitude
    }
}

/// The target of a request in one form for all targets that mean the same: the keys of cached responses, and links.
extension Call {
    /// The path and the query, each escaped in one way; nil when they cannot be decoded.
    var canonicalTarget: [UInt8]? {
        guard var target = canonicalPath, let query = canonicalQuery() else { return nil }
        if !query.isEmpty {
            target.append("?")
            target.append(contentsOf: query)
        }
        return target
    }

    /// The value of a `Link` field (RFC 8288) to the next page: this request with another value of one parameter; nil
    /// when it cannot be decoded.
    ///
    /// - Parameters:
    ///   - parameter: the parameter.
    ///   - other: a parameter that the address of the next page does not have.
    package func linkToNext(_ parameter: String, _ value: String, without other: String) -> [UInt8]? {
        guard let path = canonicalPath, let query = canonicalQuery(without: [parameter, other]) else { return nil }
        var link = [UInt8]("<")
        link.append(contentsOf: path)
        link.append("?")
        link.append(contentsOf: query)
        if !query.isEmpty { link.append("&") }
        link.append(utf8: "\(parameter)=\(value)>; rel=\"next\"")
        return link
    }

    private var canonicalPath: [UInt8]? {
        var path: [UInt8] = []
        guard let segments = try? request.path.segments() else { return nil }
        for segment in segments {
            // These would be resolved when they are not escaped.
            if segment.hasSameBytes(as: ".") || segment.hasSameBytes(as: "..") { return nil }
            path.append("/")
            path.append(utf8: PercentCoding.encode(segment.utf8))
        }
        return path
    }

    /// The parameters that the endpoint declares, in that order, without those that do not count: empty ones, and all but
    /// the first of those that are not repeated.
    private func canonicalQuery(without others: [String] = []) -> [UInt8]? {
        var text: [UInt8] = []
        if request.query.isEmpty { return text }
        for parameter in endpoint.parameters where !others.contains(parameter.name) {
            guard let values = try? values(of: parameter) else { return nil }
            for value in values {
                if !text.isEmpty { text.append("&") }
                text.append(utf8: parameter.name)
                text.append("=")
                text.append(utf8: PercentCoding.encode(value.utf8, except: Self.plainInQuery))
            }
        }
        return text
    }

    /// The characters of places, times and zones, which many clients do not escape.
    private static let plainInQuery = Array(",:/".utf8)

    private func values(of parameter: Endpoint.Parameter) throws(HTTPError) -> [String] {
        // An empty one of several may count: no event has an empty type.
        if parameter.isRepeated { return try request.query.all(parameter.name) }
        let value = try request.query.first(parameter.name) ?? ""
        return value.isEmpty ? [] : [value]
    }
}
