import Bytes
import Service
import HTTP

enum DocumentationPage {
    static func of(_ routes: [OpenAPI.Described], stylesheet: String?) -> [UInt8] {
        let groups = RouteGroup.allCases.map { group in
            (group, routes.filter { RouteGroup(of: $0.pattern) == group })
        }
        var text = "<p>\(escape(OpenAPI.introduction)) <a href=\"/openapi.json\">The same for programs</a></p>\n<nav>\n"
        for (group, members) in groups {
            text += "<details><summary><a href=\"#\(group)\">\(group.title)</a></summary><ul>\n"
            for route in members { text += "<li>\(link(to: route))</li>\n" }
            text += "</ul></details>\n"
        }
        text += "</nav>\n"
        for (group, members) in groups {
            text += "<h2 id=\"\(group)\">\(group.title)</h2>\n<p>\(escape(group.explanation))</p>\n"
            text += members.map(section).joined()
        }
        return page("The API of Sooke", text, stylesheet)
    }

    private static func link(to route: OpenAPI.Described) -> String {
        let id = OpenAPI.operationID(route.method, route.pattern)
        return "<a href=\"#\(id)\"><code>\(route.method.name) \(escape(route.pattern))</code></a>"
    }

    private static func section(_ described: OpenAPI.Described) -> String {
        let (method, pattern, route) = described
        var text = "<section id=\"\(OpenAPI.operationID(method, pattern))\"><h3>\(link(to: described))</h3>\n"
        text += "<p>\(escape(route.summary)). Access: \(escape(route.access.explanation)).</p>\n"
        text += "<pre>\(escape(ExampleBody.request(method, pattern, route)))</pre>\n"
        text += table("Query", route.parameters.map { ($0.name, "", $0.explanation) })
        if let schema = route.takes.schema {
            let isPatch = route.takes.isPatch
            text += table(
                isPatch ? "Patch" : "Request",
                schema.fields.filter(\.isGiven).map { field in
                    (field.name, field.isRequired && !isPatch ? "required" : "", field.explanation)
                })
        }
        if let schema = route.gives.schema {
            text += table(
                "Fields of the response", schema.fields.filter(\.isShown).map { ($0.name, "", $0.explanation) })
        }
        let body = ExampleBody.response(route.gives)
        let content = body ?? (route.gives == .nothing ? "no body" : "a file")
        let summary = "Response (\(route.status.code))"
        text +=
            body == nil
            ? "<p>\(summary): \(content).</p>\n"
            : "<details><summary>\(summary)</summary><pre>\(escape(content))</pre></details>\n"
        return text + "</section>\n"
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

        body { padding: 0 }
        main { display: block; max-width: 52rem }
        h2 { margin: 3rem 0 0 }
        h3 { margin: 2rem 0 0 }
        h3 a { color: inherit; text-decoration: none }
        p { margin: .25rem 0 .5rem }
        ul { padding-left: 1.25rem }
        li { margin: .4rem 0 }
        code, pre { font-size: .9rem; overflow-wrap: anywhere }
        pre { white-space: pre-wrap; margin: .5rem 0; padding: .5rem .75rem; background: #8882; border-radius: .25rem }
        table { border-collapse: collapse; margin: 0 0 .5rem; width: auto }
        th, td { text-align: left; vertical-align: top; padding: .15rem 1rem .15rem 0; font-weight: normal; border: 0 }
        td { overflow-wrap: anywhere }
        td:empty { display: none }
        summary { cursor: pointer; padding: .3rem 0; min-height: 0 }

        """

    /// Computed from the text, so that it is always right.
    static let styleSource: String = {
        let digest = Base64URL.encode(SHA256.digest(style.utf8)).map { ["-": "+", "_": "/"][$0] ?? $0 }
        return "'sha256-\(String(digest))='"
    }()

    private static func page(_ title: String, _ body: String, _ stylesheet: String?) -> [UInt8] {
        let link = stylesheet.map { "<link rel=\"stylesheet\" href=\"\(escape($0))\">\n" } ?? ""
        return Array(
            """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, \
            initial-scale=1">
            <title>\(escape(title))</title>
            \(link)<style>\(style)</style></head><body>
            <main><p><a href="/">The pages of the town</a></p>
            <h1>\(escape(title))</h1>
            \(body)</main></body></html>

            """.utf8)
    }

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
    var schema: Schema? {
        switch self {
        case .nothing, .file: nil
        case .changes: .feedChange
        case .one(let schema), .items(let schema), .page(let schema), .patch(let schema): schema
        }
    }
}
