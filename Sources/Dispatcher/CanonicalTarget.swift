import Bytes
import HTTP
import Service
import SookeModel
import Store

package enum LocatedDate {
    case found(EventDate, of: EventRecord)
    /// To its address, or to that of the only date.
    case moved(CacheableResponse)
}

/// The target of a request in one form for all targets that mean the same: the keys of cached responses, and links.
extension Call {
    var canonicalTarget: [UInt8]? {
        guard var target = canonicalPath, let query = canonicalQuery() else { return nil }
        if !query.isEmpty {
            target.append("?")
            target.append(contentsOf: query)
        }
        return target
    }

    /// The value of a `Link` field (RFC 8288): this request with another value of one parameter, and without another
    /// one; nil when it cannot be decoded.
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

    /// 301 to the current address of a record, with the query of the request.
    package func moved(
        to path: String, _ slug: Slug, _ rest: String = "", _ status: Status = .movedPermanently
    ) -> CacheableResponse {
        let end = PercentCoding.encode(rest.utf8, except: Array("/".utf8))
        var location = Array((path + PercentCoding.encode(slug.text.utf8) + end).utf8)
        if !request.query.isEmpty {
            location.append("?")
            // The query may contain bytes other than ASCII; a field value should not.
            for byte in request.query.encoded {
                if byte < 0x80 { location.append(byte) } else { location.append(utf8: PercentCoding.encode([byte])) }
            }
        }
        var response = Response(status, headers: ["Cache-Control": "no-cache"])
        response.headers.add("Location", bytes: location)
        return .uncached(response)
    }

    /// The date of an event in the address of a request, and the event; or what leads there.
    package func eventDate(under path: String, for caller: Caller) throws -> LocatedDate {
        let name = try captures.text("date")
        switch try service.event(slug(), for: caller, in: town) {
        case .moved(let slug): return .moved(moved(to: path, slug, "/" + name))
        case .found(let event):
            switch event.date(named: name, at: eventClock, town.business(of: event)) {
            case .date(let date): return .found(date, of: event)
            case .moved(let original): return .moved(moved(to: path, event.value.slug, "/" + original, .seeOther))
            case .only: return .moved(moved(to: path, event.value.slug))
            case nil: throw HTTPError.notFound()
            }
        }
    }

    private var canonicalPath: [UInt8]? {
        if Self.isCanonical(request.path.encoded) { return Array(request.path.encoded) }
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

    /// Whether it has neither an escape nor a segment that is empty or has a dot.
    private static func isCanonical(_ path: ArraySlice<UInt8>) -> Bool {
        var last: UInt8 = 0
        for byte in path {
            switch byte {
            case UInt8(ascii: "/") where last == byte: return false
            case UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"): break
            case _ where ASCII.isLetter(byte) || ASCII.isDigit(byte): break
            default: return false
            }
            last = byte
        }
        return last != UInt8(ascii: "/") && last != 0
    }

    /// Without the parameters that do not count: empty ones, and all but the first of those that are not repeated.
    private func canonicalQuery(without others: [String] = []) -> [UInt8]? {
        var text: [UInt8] = []
        for (index, value) in query {
            let parameter = endpoint.parameters[index]
            if others.contains(parameter.name) { continue }
            guard let value else { return nil }
            // An empty one of several may count: no event has an empty type.
            if value.isEmpty, !parameter.isRepeated { continue }
            if !text.isEmpty { text.append("&") }
            text.append(utf8: parameter.name)
            text.append("=")
            text.append(utf8: PercentCoding.encode(value.utf8, except: Self.plainInQuery))
        }
        return text
    }

    /// The characters of places, times and zones, which many clients do not escape.
    static let plainInQuery = Array(",:/".utf8)
}
