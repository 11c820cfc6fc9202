import Dispatcher
import HTTP

/// An error as a page: what is wrong, and what to do next.
enum ErrorPage {
    /// - Parameters:
    ///   - id: the request, by which those who run the server find an error of it in the log.
    ///   - sent: what somebody sent with a form.
    static func page(_ error: HTTPError, _ id: RequestID?, sent: Submission? = nil) -> WebPage {
        let (title, advice) = words(for: error)
        let isFault = error.status.code >= 500 && error.code != HTTPError.readOnlyCode
        let shown = isFault ? id?.text : nil
        return WebPage(
            title,
            main: """
                <section class="head"><h1>\(title)</h1><p>\(advice)</p>\
                <div class="actions"><a class="button" href="/">Go to the start</a>\
                <a class="button quiet" href="/businesses">Search the businesses</a></div>\
                \(if: shown, { "<p class=\"small soft\">Request \($0)</p>" })</section>\(if: sent, written)
                """)
    }

    /// What somebody wrote, which would be lost without it.
    private static func written(_ sent: Submission) -> HTML {
        let texts = sent.texts
        if texts.isEmpty { return "" }
        return """
            <section class="section"><h2>What you wrote</h2><p class="soft">It is not saved. Copy what you need.</p>\
            \(each: texts, { "<p class=\"card\" dir=\"auto\">\($0.value)</p>" })</section>
            """
    }

    private static func words(for error: HTTPError) -> (title: String, advice: String) {
        switch error.status.code {
        case _ where error.code == HTTPError.readOnlyCode:
            ("Nothing can be changed now", error.sentence + " You can read everything; logging in has to wait, too.")
        case 404: ("This page is not here", "It may have been removed, or the address has a mistake.")
        case 410: ("This page is gone", "What was here was removed.")
        case 429: ("Too many requests", "Wait a minute, then load the page again.")
        case 503: ("The town is busy", "Load the page again in a few seconds.")
        case 507: ("The server’s disk is full", "Nothing was changed. Please tell those who run this page.")
        case 500: ("Something went wrong", "It is not your fault. Load the page again in a minute.")
        case 409, 412: ("Someone else just changed this", error.sentence + " Go back, and look at it again.")
        case 403: ("You may not do this", error.sentence)
        default: ("Request not accepted", error.sentence)
        }
    }
}
