import Foundation
import TestSupport
import Testing

@testable import Site

/// The fields of the first form on a page that is sent to the page itself, as a browser would send them.
struct FormOnPage {
    private(set) var fields: [(String, String)] = []

    init(_ page: String) throws {
        let form = try #require(page.parts(between: "<form class=\"form\" method=\"post\"", and: "</form>").first)
        for tag in form.components(separatedBy: "<").dropFirst() {
            guard let name = Self.attribute("name", of: tag) else { continue }
            let value = Self.attribute("value", of: tag) ?? ""
            if tag.hasPrefix("textarea") {
                fields.append((name, String(tag.drop { $0 != ">" }.dropFirst(2)).unescaped))
            } else if tag.hasPrefix("select") {
                let options = form.parts(between: "id=\"\(name)\"", and: "</select>").first ?? ""
                let tags = options.components(separatedBy: "<option").dropFirst()
                let chosen = tags.first { $0.contains(" selected") }
                let first = tags.first
                fields.append((name, Self.attribute("value", of: chosen ?? first ?? "") ?? ""))
            } else if tag.hasPrefix("input") {
                let isBox = tag.contains("type=\"checkbox\"") || tag.contains("type=\"radio\"")
                if !isBox || tag.contains(" checked") { fields.append((name, value)) }
            }
        }
    }

    private static func attribute(_ name: String, of tag: String) -> String? {
        tag.parts(between: " \(name)=\"", and: "\"").first?.unescaped
    }

    subscript(name: String) -> String? {
        get { fields.first { $0.0 == name }?.1 }
        set {
            let index = fields.firstIndex { $0.0 == name } ?? fields.endIndex
            fields.removeAll { $0.0 == name }
            if let newValue { fields.insert((name, newValue), at: min(index, fields.endIndex)) }
        }
    }
}
