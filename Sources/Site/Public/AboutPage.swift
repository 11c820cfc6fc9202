import Bytes
import SookeModel
import Store

/// `/about`: who runs the site, how to reach them and to correct what it says, and what it stores of people.
enum AboutPage {
    static func page(_ view: View) -> WebPage {
        let town = name(view)
        var page = WebPage(
            "About this site", topics: ["business"],
            main: """
                <section class="head"><h1>About this site</h1>\(if: view.frame.tagline, { "<p>\($0)</p>" })</section>
                <section class="section"><h2>Who we are</h2>\(contact(view))<p>\(confirmed(view))</p></section>
                <section class="section"><h2>Something is missing or wrong?</h2><p>Open the page of the place, and \
                choose <em>Report a problem</em>: we will look into it. Is something on? \
                <a href="/new-event" rel="nofollow">Send us the event</a>. If a place is yours, ask us for an account, \
                and keep its page up to date yourself.</p></section>
                <section class="section"><h2>Privacy</h2><ul \
                class="list">\(each: privacy, { "<li>\($0)</li>" })</ul></section>
                """)
        page.path = "/about"
        page.description = "Who runs the directory and calendar of \(town), how to reach them, and what it stores."
        return page
    }

    static func contact(_ view: View) -> HTML {
        let settings = view.frame.settings
        let email = settings.contactEmail.flatMap { text in Link(email: text).map { (text: text, link: $0) } }
        let people = settings.runBy.shown.map { "This site is run by \($0)." }
        return """
            <p>\(people ?? "This is the directory and calendar of \(name(view)).")\(if: email, { email in
                #" Write to us: <a href="\#(link: email.link)">\#(email.text)</a>."#
            })</p>
            """
    }

    private static func name(_ view: View) -> String { view.frame.settings.name.shown ?? "our town" }

    /// How much of the directory was confirmed in the last seven days.
    static func confirmed(_ view: View) -> String {
        let now = view.call.service.openNow(in: view.call.version)
        view.changes(at: now.time.upperBound)
        let count = now.confirmedInWeek
        if count == 0 { return "The owners of places keep their own pages up to date." }
        return "In the last seven days, the details of \(Count(count, "place")) were confirmed."
    }

    private static let privacy = [
        "We set a cookie only when you log in, and our pages load nothing from other sites.",
        "When you send an event or a report without an account, we keep your text, your e-mail if you give it, and a "
            + "code made from your network address; text and e-mail are deleted once we have decided.",
        "An account has your e-mail, your name if you give one, your places and events, and when and with which "
            + "browser you logged in.",
        "The server may write a log with network addresses, to find faults and to stop abuse.",
        "What is deleted stays in the history of the server and in backups for a while, in case something goes wrong.",
    ]
}
