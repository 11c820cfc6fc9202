import HTTP
import SookeModel
import TestSupport
import Testing

@testable import Site

@Suite struct TownPageTests {
    /// What the form showed, with other texts in some fields.
    private func fields(_ town: SiteTown, _ changes: [String: String] = [:]) -> [(String, String)] {
        let settings = town.store.current.town.settings
        return TownFields.all(for: settings).texts(of: settings).flatMap { name, text in
            [("was." + name, text), (name, changes[name] ?? text)]
        }
    }

    @Test func changesWhatWasTyped() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        let done = try await town.send(
            form: fields(
                town,
                [
                    "name": "Otter Point", "tagline": "By the sea", "theme": "kelp",
                    "contact_email": "hello@otter.example", "map_link": "apple", "holidays": "CA-ON",
                    "center": "https://www.openstreetmap.org/#map=17/48.36/-123.75", "time_zone": "America/Toronto",
                ]), to: "/admin/town", cookie: cookie)
        #expect(done.status == .seeOther)
        #expect(done.headers.first("Location") == "/admin/town?done=saved")
        let settings = town.store.current.town.settings
        #expect(settings.name == "Otter Point" && settings.tagline == "By the sea" && settings.theme == .kelp)
        #expect(settings.contactEmail == "hello@otter.example" && settings.mapLink == .apple)
        #expect(settings.holidays == "CA-ON" && settings.timeZone == "America/Toronto")
        #expect(settings.center == Coordinates(latitude: 48.36, longitude: -123.75))
        let page = try await town.page("/admin/town?done=saved", cookie: cookie)
        #expect(page.contains("Saved. It is published now."))
        #expect(page.contains("<option value=\"CA-ON\" selected>Ontario</option>"))
    }

    /// Who replaces a time zone is told what moves, and moves it with one more tap.
    @Test func anotherTimeZoneSaysWhatMoves() async throws {
        let town = try await SiteTown()
        try await town.write([(.settings, #"{"time_zone":"America/Vancouver"}"#)])
        let cookie = try await town.logIn(13)
        let sent = fields(town, ["time_zone": "America/Toronto", "name": "Otter"])
        let asked = try await town.send(form: sent, to: "/admin/town", cookie: cookie)
        #expect(asked.status == .unprocessableContent)
        let events = town.store.current.town.events.inOrderOfID.count { $0.value.timeZone == nil }
        #expect(asked.text.main.words.contains("The hours of 3 places and \(events) events stay at the same times"))
        #expect(town.store.current.town.settings.timeZone == "America/Vancouver")
        // What was agreed to applies to that zone only.
        let other = try await town.send(form: sent + [("moves", "Europe/Dublin")], to: "/admin/town", cookie: cookie)
        #expect(other.status == .unprocessableContent)
        let done = try await town.send(form: sent + [("moves", "America/Toronto")], to: "/admin/town", cookie: cookie)
        #expect(done.status == .seeOther)
        #expect(town.store.current.town.settings.timeZone == "America/Toronto")
        #expect(town.store.current.town.settings.name == "Otter")
    }

    @Test func twoWindowsLoseNothing() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        let (one, other) = (fields(town, ["name": "One"]), fields(town, ["name": "Other", "tagline": "New"]))
        let third = fields(town, ["theme": "cedar"])
        #expect(try await town.send(form: one, to: "/admin/town", cookie: cookie).status == .seeOther)
        #expect(try await town.send(form: third, to: "/admin/town", cookie: cookie).status == .seeOther)
        #expect(town.store.current.town.settings.name == "One" && town.store.current.town.settings.theme == .cedar)
        let conflict = try await town.send(form: other, to: "/admin/town", cookie: cookie)
        #expect(conflict.status == .conflict)
        for text in ["One", "Other", "Sooke"] {
            #expect(conflict.text.contains("type=\"radio\" name=\"name\" value=\"\(text)\""))
        }
        #expect(town.store.current.town.settings.tagline == nil)
        let chosen = [("was.name", "One"), ("name", "Other"), ("was.tagline", ""), ("tagline", "New")]
        #expect(try await town.send(form: chosen, to: "/admin/town", cookie: cookie).status == .seeOther)
        #expect(town.store.current.town.settings.name == "Other" && town.store.current.town.settings.tagline == "New")
    }

    @Test(arguments: [("center", "downtown"), ("name", ""), ("theme", "neon"), ("contact_email", "nobody")])
    func whatIsInvalidIsSaid(field: String, text: String) async throws {
        let town = try await SiteTown()
        let before = town.store.current.town.settings
        let refused = try await town.send(
            form: fields(town, [field: text]), to: "/admin/town", cookie: try await town.logIn(13))
        #expect(refused.status == .unprocessableContent)
        #expect(refused.text.contains("<a href=\"#\(field)\">"))
        #expect(town.store.current.town.settings == before)
    }
}
