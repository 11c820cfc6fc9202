import Bytes
import Foundation
import HTTP
import SookeModel
import Testing

@testable import Site

/// Text is text: nothing that a record or an address holds becomes markup, or a link that runs something.
@Suite struct TextTests {
    /// The fields that hold any text, with the longest one.
    enum Field: String, CaseIterable {
        case name, description, address, category, reason, remark, menu, menuNote, item, itemNote
        case event, eventText, eventType, town, tagline

        var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }

        var longest: Int {
            switch self {
            case .town: 100
            case .reason, .tagline: 200
            default: 490
            }
        }

        /// A page on which it is.
        var page: String {
            switch self {
            case .name, .description, .address, .category, .reason, .menu, .menuNote, .item, .itemNote: "/businesses/b"
            case .remark: "/businesses/c"
            case .event, .eventText, .eventType: "/events/e"
            case .town, .tagline: "/"
            }
        }

        /// A text with the name of the field behind it, so that it is found where it must be.
        func value(_ text: String) -> String {
            // A remark has no way to write a quotation mark.
            let text = self == .remark ? text.replacingOccurrences(of: "\"", with: "'", options: .literal) : text
            let mark = "~\(rawValue)~"
            return String(String.UnicodeScalarView(text.unicodeScalars.prefix(longest - mark.utf8.count))) + mark
        }
    }

    static let pages = [
        "/", "/businesses", "/businesses?open=1&category=x", "/businesses/b", "/businesses/c", "/events",
        "/events?business=b", "/events/e", "/week", "/nothing",
    ]

    /// The structure of the pages is the same regardless of the texts, and each text is there as it was written.
    @Test(arguments: HostileTexts.rounds)
    func inEveryField(round: Int) async throws {
        func text(_ field: Field) -> String { HostileTexts.text(of: field.number, in: round) }
        let town = try await SiteTown.of(text)
        // As many paragraphs as those of the text.
        let plain = try await SiteTown.of { field in
            text(field).split(whereSeparator: \.isNewline).map { _ in "plain" }.joined(separator: "\n")
        }
        for target in Self.pages {
            let page = Markup(try await town.send(.get, target).text)
            #expect(page.problems == [], "\(target)")
            let model = Markup(try await plain.send(.get, target).text)
            // The order of names depends on the text.
            #expect(page.structure.sorted() == model.structure.sorted(), "\(target)")
            #expect(page.unsafeAddresses == [], "\(target)")
        }
        for field in Field.allCases {
            // Paragraphs are split at line breaks.
            let value = field.value(text(field))
            let isSplit = field == .description || field == .eventText
            let shown = isSplit ? String(value.split(whereSeparator: \.isNewline).last ?? "") : value
            let page = Markup(try await town.send(.get, field.page).text)
            let isThere = page.texts.contains { $0.isWritten(shown) }
            #expect(isThere, "\(field)")
        }
        _ = try JSONSerialization.jsonObject(with: try await town.send(.get, "/site.webmanifest").body.data)
    }

    /// A slug may be any text, too.
    @Test(arguments: Array(stride(from: 0, to: HostileTexts.all.count, by: HostileTexts.isShort ? 4 : 1)))
    func inEverySlug(first: Int) async throws {
        let slugs = (0..<4).map { HostileTexts.all[(first + $0) % HostileTexts.all.count] }
        let town = try await SiteTown.of({ _ in "plain" }, slugs: slugs)
        let paths = slugs.map { PercentCoding.encode($0.utf8) }
        for target in [
            "/", "/businesses", "/businesses?category=\(paths[0])", "/events",
            "/events?type=\(paths[1])&business=\(paths[2])", "/businesses/\(paths[2])", "/events/\(paths[3])", "/week",
        ] {
            let response = try await town.send(.get, target)
            #expect(response.status == .ok, "\(target)")
            let page = Markup(response.text)
            #expect(page.problems == [] && page.unsafeAddresses == [], "\(target)")
        }
        // A link leads to its record.
        let links = Markup(try await town.page("/businesses")).addresses
        #expect(links.contains("/businesses/\(paths[2])"))
        let map = try await town.page("/sitemap.xml")
        #expect(map.contains("<loc>https://town.example/businesses/\(paths[2])</loc>"))
    }

    /// What an address asks for is on the page in its form, in its words and in its links.
    @Test func inEveryParameter() async throws {
        let town = try await SiteTown.large()
        var known: Set<String> = []
        let plain = ["/businesses?q=shop&open=1&near=1,2&category=bars", "/businesses?q=shop&page=2"]
        for target in Self.pages + plain { known.formUnion(Markup(try await town.send(.get, target).text).structure) }
        for (index, text) in HostileTexts.all.enumerated() {
            let value = PercentCoding.encode(text.utf8)
            let targets = [
                "/businesses?q=shop&category=\(value)", "/businesses?near=\(value)", "/businesses?page=\(value)",
                "/businesses?open=\(value)&q=shop", "/events?type=\(value)", "/events?when=\(value)",
                "/events?business=\(value)", "/events?from=\(value)", "/businesses/\(value)", "/events/\(value)",
                "/\(value)", "/sitemap.xml?part=\(value)",
            ]
            let step = HostileTexts.isShort ? 3 : 1
            for target in ["/businesses?q=\(value)"]
                + stride(from: index % step, to: targets.count, by: step).map({ targets[$0] })
            {
                let page = Markup(try await town.send(.get, target).text)
                #expect(page.problems == [], "\(target)")
                #expect(Set(page.structure).subtracting(known).isEmpty, "\(Set(page.structure).subtracting(known))")
                #expect(page.unsafeAddresses == [], "\(target)")
            }
            let found = try await town.send(.get, "/businesses?q=\(value)")
            let isKept = Markup(found.text).values("value").contains { $0.isWritten(text) }
            #expect(isKept == (found.status == .ok), "\(text)")
        }
    }
}

extension SiteTown {
    /// A town with texts in all fields that hold any text, and with slugs of a category, a type, a business, an event.
    static func of(
        _ text: (TextTests.Field) -> String, slugs: [String] = ["x", "t", "b", "e"]
    ) async throws -> SiteTown {
        func field(_ field: TextTests.Field) -> String { json(field.value(text(field))) }
        let slugs = slugs.map(json)
        let records: [(RecordKind, String)] = [
            (.settings, #"{"name":\#(field(.town)),"tagline":\#(field(.tagline)),"contact_email":"a@b.example"}"#),
            (.category, #"{"name":\#(field(.category)),"slug":\#(slugs[0])}"#), (.category, #"{"name":"Zz"}"#),
            (.eventType, #"{"name":\#(field(.eventType)),"slug":\#(slugs[1])}"#), (.eventType, #"{"name":"Zz"}"#),
            (
                .business,
                #"""
                {"name":\#(field(.name)),"slug":\#(slugs[2]),"category":\#(slugs[0]),
                "description":\#(field(.description)),"address":\#(field(.address)),"latitude":1,"longitude":2,
                "hours":[{"day_of_week":1,"open_time":"00:00","close_time":"00:00"}],
                "special_hours":[{"from":"2026-11-25","is_closed":true,"reason":\#(field(.reason))}],
                "menus":[{"name":\#(field(.menu)),"description":\#(field(.menuNote)),
                "items":[{"name":\#(field(.item)),"description":\#(field(.itemNote)),"price":"1.00"}]}]}
                """#
            ),
            (
                .business,
                #"""
                {"name":"c","category":"zz","address":"c","latitude":1,"longitude":2,
                "opening_hours":\#(json("Mo-Su off \"\(TextTests.Field.remark.value(text(.remark)))\""))}
                """#
            ),
            (
                .event,
                #"""
                {"name":\#(field(.event)),"slug":\#(slugs[3]),"event_type":\#(slugs[1]),
                "business":\#(slugs[2]),"description":\#(field(.eventText)),"status":"approved",
                "starts_at":"2026-11-24T19:00:00-08:00"}
                """#
            ),
        ]
        return try await SiteTown(records)
    }

    /// A text as JSON.
    static func json(_ text: String) -> String {
        String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self)
    }
}

extension Markup {
    var unsafeAddresses: [String] { addresses.filter { !$0.isSafeAddress } }
}

extension String {
    /// Whether a link may lead there: to the site itself, to the web, to a person, to a map or to a calendar.
    var isSafeAddress: Bool {
        if hasPrefix("//") || utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) { return false }
        let starts = ["/", "#", "https://", "http://", "mailto:", "tel:", "geo:", "webcal://"]
        return isEmpty || starts.contains { utf8.starts(with: $0.utf8) }
    }

    /// Whether it has a text, byte by byte.
    func isWritten(_ text: String) -> Bool { !"\(self)\u{0}".parts(between: text, and: "\u{0}").isEmpty }
}

extension [UInt8] {
    var data: Data { Data(self) }
}
