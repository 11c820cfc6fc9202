import HTTP

/// An error as a page: what is wrong, and what to do next.
enum ErrorPage {
    /// - Parameter id: the request, by which those who run the server find an error of it in the log.
    static func page(_ error: HTTPError, _ id: RequestID?) -> WebPage {
        let (title, advice) = words(for: error)
        let shown = error.status.code >= 500 ? id?.text : nil
        return WebPage(
            title,
            main: """
                <section class="head"><h1>\(title)</h1><p>\(advice)</p>\
                <div class="actions"><a class="button" href="/">Go to the start</a>\
                <a class="button quiet" href="/businesses">Search the businesses</a></div>\
                \(if: shown, { "<p class=\"small soft\">Request \($0)</p>" })</section>
                """)
    }

    private static func words(for error: HTTPError) -> (title: String, advice: String) {
        switch error.status.code {
        case 404: ("This page is not here", "It may have been removed, or the address has a mistake.")
        case 410: ("This page is gone", "What was here was removed.")
        case 429: ("Too many requests", "Wait a minute, then load the page again.")
        case 503: ("The town is busy", "Load the page again in a few seconds.")
        case 507: ("The server’s disk is full", "Nothing was changed. Please tell those who run this page.")
        case 500: ("Something went wrong", "It is not your fault. Load the page again in a minute.")
        default: ("This does not work", error.message.prefix(1).uppercased() + error.message.dropFirst() + ".")
        }
    }
}
