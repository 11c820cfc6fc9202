import Bytes
import HTTP
import Service
import SookeModel
import Store
import Testing

@testable import Site

/// The calendars of others on the pages of editors.
@Suite struct CalendarsPageTests {
    private static let records: [(RecordKind, String)] = [
        (.person, #"{"id":14,"email":"edda@private.example","display_name":"Edda","role":"editor"}"#),
        (
            .calendar,
            #"{"id":1,"address":"https://library.example/secret.ics","name":"Library","event_type":"sports","#
                + #""created_by":14,"gone":4,"gone_of":5,"failing_since":"2026-11-19T12:00:00Z","words":"403 Forbidden","#
                + #""last_good_at":"2026-11-23T12:00:00Z","days":[{"date":"2026-11-22","made":3,"changed":1}]}"#
        ),
        (.calendar, #"{"id":2,"address":"https://hall.example/","name":"Hall","event_type":"sports","created_by":13}"#),
        (
            .event,
            #"{"id":20,"name":"Reading","event_type":"sports","location":"Library","starts_at":"2026-12-05T18:00:00Z","#
                + #""status":"approved","price":"5","url":"https://library.example/reading","sources":["#
                + #"{"calendar":1,"key":"r","part":"source","fields":["#
                + #"{"name":"price","digest":"7","value":"{\"price\":\"7\"}"}]},{"calendar":2,"key":"o","part":"other"}]}"#
        ),
        (
            .event,
            #"{"id":21,"name":"Knitting","event_type":"sports","starts_at":"2026-12-06T18:00:00Z","#
                + #""status":"pending_review","sources":[{"calendar":1,"key":"k","part":"source"}]}"#
        ),
    ]

    private func entered() async throws -> (town: SiteTown, cookie: String) {
        let town = try await SiteTown(SiteTown.records + Self.records)
        return (town, try await town.logIn(14))
    }

    @Test func whatWaits() async throws {
        let (town, cookie) = try await entered()
        let (page, queue) = (
            try await town.page("/admin/calendars", cookie: cookie),
            try await town.page("/account/waiting", cookie: cookie)
        )
        for (name, page) in [("list", page), ("queue", queue)] {
            let words = page.main.words
            #expect(words.contains("Library") && !words.contains("Hall"), "\(name)")
            #expect(words.contains("We cannot fetch it: 403 Forbidden. That began 4 days ago."), "\(name): \(words)")
            #expect(words.contains("4 of its 5 coming events are missing at once."), "\(name)")
            #expect(words.contains("1 event of it waits."), "\(name)")
            #expect(!page.contains("secret"), "\(name)")
            #expect(Markup(page).problems == [], "\(name)")
        }
        #expect(page.contains("aria-label=\"22 November: 3 new, 1 changed\""))
        #expect(page.contains("<path d=\"M28 20v-20h.8v20z\"/>"))
        #expect(page.main.words.contains("Nothing fetches calendars on this server"))
        for step in ["accept", "keep", "pause"] {
            let done = try await town.send(form: [], to: "/admin/calendars/1/\(step)", cookie: cookie)
            #expect(done.headers.first("Location") == "/admin/calendars?done=done", "\(step)")
            #expect(try await town.send(form: [], to: "/admin/calendars/2/\(step)", cookie: cookie).status == .notFound)
        }
        let (town2, calendar) = (town.store.current.town, town.store.current.town.calendars[1])
        #expect(town2.events[21]?.value.status == .approved)
        #expect(calendar?.gone == nil && calendar?.isPaused == true)
        #expect(try await !town.page("/account/waiting", cookie: cookie).contains("Library"))
    }

    @Test func oneIsLookedAtAndAdded() async throws {
        let (town, cookie) = try await entered()
        var form = try FormOnPage(try await town.page("/admin/calendars/new", cookie: cookie))
        (form["url"], form["name"], form["organizer"]) = ("nope", "School", "Zed's")
        let refused = try await town.send(form: form.fields, to: "/admin/calendars/new", cookie: cookie)
        #expect(refused.status == .unprocessableContent && refused.text.contains("href=\"#url\""))
        form["url"] = "https://school.example/page"
        let sent = try await town.send(form: form.fields, to: "/admin/calendars/new", cookie: cookie)
        let first = try #require(sent.headers.first("Location"))
        let waiting = try await town.page(first, cookie: cookie)
        #expect(waiting.contains("<meta http-equiv=\"refresh\" content=\"2;url=\(first)?look=2\">"))
        let last = try await town.page(first + "?look=5", cookie: cookie)
        #expect(!last.contains("refresh") && last.contains("Nothing fetches calendars on this server"))
        var problem = CalendarPreview()
        problem.problem = "This is a web page; its calendars are:"
        problem.links = [("All <b>", "https://school.example/secret.ics")]
        let token = try #require(town.service.takeFetch()?.check)
        town.service.receive(FetchedAnswer(.failed), forCheck: token, problem) { _, _, _, _ in nil }
        let page = try await town.page(first, cookie: cookie)
        #expect(page.contains("<span>Look at “<bdi>All &lt;b&gt;</bdi>”</span>") && !page.contains("school.example"))
        let followed = try await town.send(form: [("link", "0")], to: first, cookie: cookie)
        let second = try #require(followed.headers.first("Location"))
        let request = try #require(town.service.takeFetch())
        #expect(request.address == "https://school.example/secret.ics")
        town.service.receive(FetchedAnswer(.good), forCheck: try #require(request.check), nil) { _, _, _, _ in
            var event = Event()
            (event.name, event.eventType, event.startsLocal) = ("Play", Slug("sports"), LocalTime("2026-12-01T19:00"))
            event.startsAt = Timestamp(rfc3339: "2026-12-01T19:00:00-08:00")
            return ([PulledEvent(key: "1", event: event)], ["Prom has no day"])
        }
        let found = try await town.page(second, cookie: cookie)
        #expect(found.main.words.contains("1 coming event, until 1 December."))
        #expect(found.main.words.contains("Prom has no day") && found.main.words.contains("Play"))
        #expect(!found.contains("school.example") && Markup(found).problems == [])
        let added = try await town.send(form: [], to: second, cookie: cookie)
        #expect(added.headers.first("Location") == "/admin/calendars?done=added")
        let again = try await town.send(form: [], to: second, cookie: cookie)
        #expect(again.status == .unprocessableContent && !again.text.contains("href=\"#url\""))
        #expect(again.text.main.words.contains("Address is that of &#34;School&#34;, which is there already"))
        let calendar = try #require(town.store.current.town.calendars[3])
        #expect(calendar.host == Slug("zeds") && calendar.address == "https://school.example/secret.ics")
    }

    /// The address stays unless another one is typed.
    @Test func oneIsChangedAndRemoved() async throws {
        let (town, cookie) = try await entered()
        let page = try await town.page("/admin/calendars/1", cookie: cookie)
        #expect(!page.contains("secret"))
        var form = try FormOnPage(page)
        (form["name"], form["organizer"]) = ("The library", "Friends of books")
        let saved = try await town.send(form: form.fields, to: "/admin/calendars/1", cookie: cookie)
        #expect(saved.headers.first("Location") == "/admin/calendars?done=kept")
        let calendar = town.store.current.town.calendars[1]
        #expect(calendar?.name == "The library" && calendar?.organizer == "Friends of books")
        #expect(calendar?.address == "https://library.example/secret.ics")
        #expect(try await town.send(.get, "/admin/calendars/2", [("Cookie", cookie)]).status == .notFound)
        let removed = try await town.send(form: [("delete", "yes")], to: "/admin/calendars/1", cookie: cookie)
        #expect(removed.headers.first("Location") == "/admin/calendars?done=removed")
        #expect(town.store.current.town.calendars[1] == nil)
    }

    @Test func whereAnEventComesFrom() async throws {
        let (town, cookie) = try await entered()
        let all = try await town.page("/events/reading")
        #expect(all.contains("<a rel=\"nofollow ugc\" href=\"https://library.example/reading\">From the calendar"))
        #expect(!all.contains("Take theirs"))
        let own = try await town.page("/account/events/reading", cookie: cookie)
        #expect(
            own.main.words.contains("Price here: 5 there: 7")
                && own.main.words.contains("Also in the calendar “ Hall ”"))
        let path = "/account/events/reading"
        #expect(
            try await town.send(form: [("field", "price")], to: path + "/take-theirs", cookie: cookie).status
                == .seeOther)
        #expect(
            try await town.send(form: [("calendar", "2")], to: path + "/tell-apart", cookie: cookie).status == .seeOther
        )
        let event = try #require(town.store.current.town.events[20]?.value)
        #expect(event.price == "7" && event.sources.last?.part == .apart)
        let later = try await town.page(path, cookie: cookie)
        #expect(!later.contains("Take theirs") && !later.contains("two events"))
    }
}
