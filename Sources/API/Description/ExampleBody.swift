import Bytes
import HTTP
import Service
import SookeModel

enum ExampleBody {
    private static let depth = 3

    /// With curl. The body has what is required, or one field for a patch.
    static func request(_ method: HTTP.Method, _ pattern: String, _ route: Route) -> String {
        var words = ["curl"]
        if method != .get { words.append("-X \(method.name)") }
        if route.access != .anyone { words.append("-H \"Authorization: Bearer $TOKEN\"") }
        switch route.takes {
        case .nothing, .changes: break
        case .file: words.append("--data-binary @businesses.csv")
        case .patch(let schema):
            words.append("-H 'Content-Type: application/merge-patch+json' -d '\(given(schema, isPatch: true))'")
        case .one(let schema), .items(let schema), .page(let schema): words.append("--json '\(given(schema))'")
        }
        let path = pattern.split(separator: "/", omittingEmptySubsequences: false).map { part in
            switch part {
            case "{slug}": slug(in: pattern)
            case "{date}": "2027-03-14"
            default: part.hasPrefix("{") ? "7" : String(part)
            }
        }.joined(separator: "/")
        let query = query(of: route)
        words.append(query.isEmpty ? "$TOWN\(path)" : "\"$TOWN\(path)?\(query)\"")
        return words.joined(separator: " ")
    }

    static func response(_ shape: Shape) -> String? {
        switch shape {
        case .nothing, .file: nil
        case .changes:
            #"{"reset":false,"changes":[{"kind":"category","action":"updated","id":3,"slug":"pubs",…}],"#
                + "\n"
                + #" "position":"1200.8f3c5a7790d1e2b4","more":false}"#
        case .one(let schema), .patch(let schema): object(schema, indent: "", depth: depth)
        case .items(let schema):
            "{\n  \"items\": [\(object(schema, indent: "  ", depth: depth - 1))]\n}"
        case .page(let schema):
            "{\n  \"items\": [\(object(schema, indent: "  ", depth: depth - 1))],\n"
                + "  \"pagination\": {\"page\": 1, \"per_page\": 20, \"total_items\": 1, \"total_pages\": 1}\n}"
        }
    }

    private static func slug(in pattern: String) -> String {
        switch RouteGroup(of: pattern) {
        case .events: "spring-forward-five"
        case .categories: pattern.hasPrefix("/api/v1/event-types") ? "live-music" : "restaurants"
        default: "harbour-books"
        }
    }

    private static func query(of route: Route) -> String {
        guard let parameter = route.parameters.first else { return "" }
        let isText = parameter.example.hasPrefix("\"")
        let value = isText ? String(parameter.example.dropFirst().dropLast()) : parameter.example
        return "\(parameter.name)=\(PercentCoding.encode(value.utf8))"
    }

    private static func given(_ schema: Schema, isPatch: Bool = false) -> String {
        let fields = schema.fields.filter(\.isGiven)
        let required = isPatch ? [] : fields.filter(\.isRequired)
        let shown = required.isEmpty ? Array(fields.prefix(1)) : required
        return "{\(shown.map { "\"\($0.name)\": \($0.example)" }.joined(separator: ", "))}"
    }

    private static func object(_ schema: Schema?, indent: String, depth: Int) -> String {
        let fields = schema?.fields.filter(\.isShown) ?? []
        guard depth > 0, !fields.isEmpty else { return "{…}" }
        let inner = indent + "  "
        let members = fields.map { "\(inner)\"\($0.name)\": \(value(of: $0, indent: inner, depth: depth - 1))" }
        return "{\n\(members.joined(separator: ",\n"))\n\(indent)}"
    }

    private static func value(of field: FieldDescription, indent: String, depth: Int) -> String {
        switch field.kind {
        case .object(let name), .objectOrText(let name):
            object(Schema.named(name), indent: indent, depth: depth)
        case .list(let name): "[\(object(Schema.named(name), indent: indent, depth: depth))]"
        default: field.example
        }
    }
}
