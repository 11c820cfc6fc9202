import Dispatcher
import Service
import SookeModel

/// `/admin`: whether all is well with the town and its server, and what to do where it is not, for administrators.
enum HealthPage {
    static let path = "/admin"
    /// How soon an open page looks again, in seconds.
    private static let pause = 30

    static func page(_ view: View) async throws -> WebPage {
        let findings = findings(view)
        view.changes(at: view.call.now.advanced(bySeconds: pause))
        let sorted = [HealthFinding.State.broken, .attention, .fine].flatMap { state in
            findings.filter { $0.state == state }
        }
        return WebPage(
            "Look after it", .form, tab: .account, topics: ["business", "event"],
            main: """
                \(AdminParts.head("Look after it", view))<p>\(summary(findings)).</p>\
                <ul class="rows">\(each: sorted, { row($0) })</ul>
                """)
    }

    private static func findings(_ view: View) -> [HealthFinding] {
        view.call.service.findings(in: view.town, build: view.call.dispatcher.build)
    }

    static func summary(_ view: View) -> String { summary(findings(view)) }

    /// `Broken: backup, mail. To look at soon: holidays`
    private static func summary(_ findings: [HealthFinding]) -> String {
        let parts = [("Broken", HealthFinding.State.broken), ("To look at soon", .attention)].map { title, state in
            let names = findings.filter { $0.state == state }.map(\.name.words)
            return names.isEmpty ? "" : "\(title): \(names.joined(separator: ", "))"
        }
        return parts.filter { !$0.isEmpty }.joined(separator: ". ").shown ?? "All is well"
    }

    private static func row(_ finding: HealthFinding) -> HTML {
        let isFine = finding.state == .fine
        let (style, words) =
            isFine ? ("open", "fine") : finding.state == .broken ? ("broken", "broken") : ("soon", "soon")
        let name = finding.name.words
        return """
            <li class="row" data-key="\(finding.name.rawValue)">\
            <span class="name">\(name.prefix(1).uppercased() + name.dropFirst())</span>\
            <span class="state \(style)">\(words)</span><p class="sub">\(finding.text)\(if: link(finding.name), {
                " <a href=\"\(link: $0.target)\">\($0.words)</a>"
            })</p>\(if: finding.advice, { "<p class=\"advice\">\($0)</p>" })\
            \(if: finding.command, { "<code class=\"advice\">\($0)</code>" })</li>
            """
    }

    /// The page where it is mended, or shown in full.
    private static func link(_ name: HealthFinding.Name) -> (target: Link, words: String)? {
        switch name {
        case .waiting: (Link("/account/waiting"), "Waiting")
        case .mail: (Link("/admin/town/mail"), "E-mail")
        case .calendars: (Link("/admin/calendars"), "Calendars")
        case .holidays: (Link("/admin/town"), "Settings")
        case .people: (Link("/admin/people"), "People")
        default: nil
        }
    }
}
