import HTTP
import Testing

@testable import Site

@Suite struct AboutPageTests {
    @Test func saysWhoRunsTheSiteAndHowToReachThem() async throws {
        let town = try await SiteTown()
        let before = try await town.page("/about")
        #expect(before.contains("This is the directory and calendar of Sooke.") && !before.contains("Write to us"))
        try await town.write([(.settings, #"{"run_by":"the <Library>","contact_email":"us@town.example"}"#)])
        for path in ["/", "/about"] {
            let page = try await town.page(path)
            #expect(page.contains("This site is run by the &lt;Library&gt;."), "\(path)")
            #expect(page.contains("<a href=\"mailto:us@town.example\">us@town.example</a>"), "\(path)")
        }
        let privacy = try #require(before.parts(between: "<ul class=\"list\">", and: "</ul>").first)
        #expect(privacy.parts(between: "<li>", and: "</li>").count == 5)
    }

    /// Zed's was confirmed on 2 November.
    @Test(arguments: [
        ("2026-11-09T09:00:00-08:00", "the details of 1 place were confirmed"),
        ("2026-11-10T09:00:00-08:00", "The owners of places keep"),
    ])
    func countsWhatWasConfirmedInAWeek(moment: String, words: String) async throws {
        let town = try await SiteTown()
        town.clock.set(WordsTests.moment(moment))
        #expect(try await town.page("/about").contains(words))
    }

    /// An address that was typed in another way leads to the page, and never to another site.
    @Test(arguments: [
        ("/businesses/", "/businesses"), ("/Businesses/ZEDS?x=Y", "/businesses/zeds?x=Y"), ("/About//", "/about"),
        ("/nothing", nil), ("//Evil.example/", "/evil.example"), ("/businesses/nothing", nil),
    ])
    func anAddressWithCapitals(typed: String, usual: String?) async throws {
        let response = try await SiteTown().send(.get, typed)
        #expect(response.status == (usual == nil ? .notFound : .movedPermanently))
        #expect(response.headers.first("Location") == usual)
    }

    @Test func aContactForTheAddressBook() async throws {
        let town = try await SiteTown()
        try await town.write([(.business, #"{"slug":"zeds","name":"Zed's, Pub; Bar","address":"1 A\nB"}"#)])
        let card = try await town.send(.get, "/businesses/zeds/contact.vcf")
        #expect(card.headers.first("Content-Type") == "text/vcard; charset=utf-8")
        let lines = card.text.replacing("\r\n", with: "\n").split(separator: "\n")
        #expect(lines.first == "BEGIN:VCARD" && lines.last == "END:VCARD")
        for line in [
            "FN:Zed's\\, Pub\\; Bar", "TEL;TYPE=WORK,VOICE:250-555-0101", "ADR;TYPE=WORK:;;1 A B;Sooke;;;",
            "NOTE:https://town.example/businesses/zeds",
        ] { #expect(lines.contains { $0 == line }, "\(line)") }
        #expect(try await town.send(.get, "/businesses/shed/contact.vcf").status == .notFound)
    }
}
