import Bytes
import SookeModel

/// An address that a page may link to: of the site itself, of the web, or of what calls or writes to somebody.
struct Link: Sendable, Equatable {
    let text: String

    private init(text: String) { self.text = text }

    /// A page of the site, with the values of its query that are not empty.
    init(_ path: StaticString, _ query: [(name: StaticString, value: String?)] = []) {
        let values = query.compactMap { name, value in
            value.flatMap { $0.isEmpty ? nil : "\(name)=" + PercentCoding.encode($0.utf8, except: Array(",:".utf8)) }
        }
        text = "\(path)" + (values.isEmpty ? "" : "?" + values.joined(separator: "&"))
    }

    init(_ start: StaticString, _ name: String, _ end: StaticString) {
        text = "\(start)" + PercentCoding.encode(name.utf8) + "\(end)"
    }

    init(under path: StaticString, _ slug: Slug) { text = "\(path)/" + PercentCoding.encode(slug.text.utf8) }

    static func path(business slug: Slug) -> String { "/businesses/" + PercentCoding.encode(slug.text.utf8) }
    static func path(event slug: Slug) -> String { "/events/" + PercentCoding.encode(slug.text.utf8) }

    init(on site: String, _ path: String) { text = site + path }

    /// A website as its owner wrote it; nil for an address that is not one of the web, such as `javascript:…`.
    init?(website: String) {
        let start = website.prefix(8).lowercased()
        guard start.hasPrefix("http://") || start.hasPrefix("https://"), website.utf8.allSatisfy({ $0 > 0x20 }) else {
            return nil
        }
        text = website
    }

    /// What writes to an address; nil for none.
    init?(email: String, subject: String? = nil) {
        guard email.utf8.contains(UInt8(ascii: "@")) else { return nil }
        let query = subject.map { "?subject=" + PercentCoding.encode($0.utf8) }
        text = "mailto:" + PercentCoding.encode(email.utf8, except: Array("@".utf8)) + (query ?? "")
    }

    /// What calls a number; nil for a text without digits. Letters and words after the number do not belong to it.
    init?(phone: String) {
        let dialled = phone.utf8.prefix { !ASCII.isLetter($0) }.filter { ASCII.isDigit($0) || $0 == UInt8(ascii: "+") }
        guard dialled.contains(where: ASCII.isDigit) else { return nil }
        text = "tel:" + String(decoding: dialled, as: UTF8.self)
    }

    static func directions(to place: Coordinates, by map: Settings.MapLink) -> Link {
        let text = "\(place.latitude),\(place.longitude)"
        return switch map {
        case .openStreetMap: Link(text: "https://www.openstreetmap.org/directions?to=\(text)")
        case .google: Link(text: "https://www.google.com/maps/dir/?api=1&destination=\(text)")
        case .apple: Link(text: "https://maps.apple.com/?daddr=\(text)")
        case .geo: Link(text: "geo:\(text)")
        }
    }

    /// What lets a phone's calendar follow a calendar of this site: the scheme of its address makes it subscribe.
    static func subscription(on site: String, _ path: String) -> Link {
        let host = site.hasPrefix("https://") ? site.dropFirst(8) : site.dropFirst(7)
        return Link(text: "webcal://\(host)\(path)")
    }
}
