import Bytes
import HTTP

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
    func linkToNext(_ parameter: String, _ value: String, without other: String) -> [UInt8]? {
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

    /// The parameters that the route declares, in that order, without those that do not count: empty ones, and all but
    /// the first of those that are not repeated.
    private func canonicalQuery(without others: [String] = []) -> [UInt8]? {
        var text: [UInt8] = []
        if request.query.isEmpty { return text }
        for parameter in parameters where !others.contains(parameter.name) {
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

    private func values(of parameter: QueryParameter) throws(HTTPError) -> [String] {
        // An empty one of several may count: no event has an empty type.
        if parameter.isRepeated { return try request.query.all(parameter.name) }
        let value = try request.query.first(parameter.name) ?? ""
        return value.isEmpty ? [] : [value]
    }
}
