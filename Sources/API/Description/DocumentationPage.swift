import Bytes
import Credentials
import HTTP

/// The pages for programmers: the API, route by route.
enum DocumentationPage {
    /// The page at `/`.
    static let start = page(
        "Sooke",
        """
        <p>A town’s directory and calendar: businesses with their hours and menus, and what is on.
        This server speaks JSON.</p>
        <ul>
        <li><a href="/docs">The API, route by route</a></li>
        <li><a href="/openapi.json">The same for programs (OpenAPI 3.1)</a></li>
        <li><a href="/api/v1/businesses">The businesses</a>, <a href="/api/v1/events">the events</a></li>
        </ul>
        """)

    /// The page that describes some routes.
    static func of(_ routes: [OpenAPI.Described]) -> [UInt8] {
        var text = "<p><a href=\"/openapi.json\">For programs</a></p>\n"
        for (method, pattern, route) in routes {
            text += "<section><h2><code>\(method.name) \(escape(pattern))</code></h2>\n"
            text += "<p>\(escape(route.summary)). Who may: \(escape(route.access.explanation)).</p>\n"
            if !route.parameters.isEmpty {
                text += table("In the query", route.parameters.map { ($0.name, "", $0.explanation) })
            }
            if let schema = route.takes.schema {
                let fields = schema.fields.filter(\.isGiven)
                text += table(
                    route.takes.isPatch ? "A patch may have" : "The request has",
                    fields.map { ($0.name, $0.isRequired && !route.takes.isPatch ? "required" : "", $0.explanation) })
            }
            if let schema = route.gives.schema {
                text += table(
                    "The response shows, with \(route.status.code)",
                    schema.fields.filter(\.isShown).map { ($0.name, "", $0.explanation) })
            }
            text += "</section>\n"
        }
        return page("The API of Sooke", text)
    }

    private static func table(_ caption: String, _ rows: [(name: String, mark: String, text: String)]) -> String {
        guard !rows.isEmpty else { return "" }
        let lines = rows.map { row in
            "<tr><th scope=\"row\"><code>\(escape(row.name))</code></th>"
                + "<td>\(row.mark)</td><td>\(escape(row.text))</td></tr>\n"
        }
        return "<details><summary>\(escape(caption))</summary><table>\(lines.joined())</table></details>\n"
    }

    private static let style = """

        :root { color-scheme: light dark }
        body { font: 1rem/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem }
        h2 { font-size: 1.1rem; margin: 2rem 0 0 }
        p { margin: .25rem 0 .5rem }
        table { border-collapse: collapse }
        th, td { text-align: left; vertical-align: top; padding: .15rem 1rem .15rem 0; font-weight: normal }
        summary { cursor: pointer }

        """

    /// The style as a source in `Content-Security-Policy`. It is computed from the text, so that it is always right.
    static let styleSource: String = {
        let digest = Base64URL.encode(SHA256.digest(style.utf8)).map { ["-": "+", "_": "/"][$0] ?? $0 }
        return "'sha256-\(String(digest))='"
    }()

    private static func page(_ title: String, _ body: String) -> [UInt8] {
        Array(
            """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>\(escape(title))</title>
            <style>\(style)</style></head><body>
            <h1>\(escape(title))</h1>
            \(body)</body></html>

            """.utf8)
    }

    /// A text, escaped for HTML.
    private static func escape(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

extension Shape {
    /// The schema of the body; nil when there is none, or it is not JSON.
    var schema: Schema? {
        switch self {
        case .nothing, .file: nil
        case .changes: .feedChange
        case .one(let schema), .items(let schema), .page(let schema), .patch(let schema): schema
        }
    }
}
