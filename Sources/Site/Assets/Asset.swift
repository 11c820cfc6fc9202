import Bytes
import Dispatcher
import HTTP

/// A file that pages load. Its name has a digest of its content, so that browsers may keep it for ever.
struct Asset: Sendable {
    let name: String
    private let type: String
    private let content: [UInt8]

    static let stylesheet = Asset("site", "css", "text/css; charset=utf-8", PackageResources.site_css)
    static let script = Asset("page", "js", "text/javascript; charset=utf-8", PackageResources.page_js)
    static let forms = Asset("forms", "js", "text/javascript; charset=utf-8", PackageResources.forms_js)
    static let all = [stylesheet, script, forms]

    private init(_ name: String, _ ending: String, _ type: String, _ content: [UInt8]) {
        var digest: [UInt8] = []
        digest.append(hex: XXH64.digest(content.span))
        self.name = "\(name).\(String(decoding: digest.prefix(8), as: UTF8.self)).\(ending)"
        (self.type, self.content) = (type, content)
    }

    var path: String { "/assets/\(name)" }

    var response: Response {
        Response(
            headers: ["Content-Type": type, "Cache-Control": "public, max-age=31536000, immutable"], body: content)
    }
}

/// The drawings beside words. They say nothing of their own, so screen readers skip them.
enum Icon {
    static let waves = drawing(
        "M2 9c3 0 3-3 6-3s3 3 6 3 3-3 6-3 2 1 2 1M2 14c3 0 3-3 6-3s3 3 6 3 3-3 6-3 2 1 2 1"
            + "M2 19c3 0 3-3 6-3s3 3 6 3 3-3 6-3 2 1 2 1")
    static let home = drawing("M3 11 12 4l9 7v9h-6v-6H9v6H3z")
    static let shop = drawing("M4 10v10h16V10M3 10l2-6h14l2 6zM9 20v-6h6v6")
    static let calendar = drawing("M4 6h16v14H4zM4 10h16M8 3v4M16 3v4")
    static let person = drawing("M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 20c1-4 4-6 8-6s7 2 8 6")
    static let tray = drawing("M4 13 7 4h10l3 9v7H4zM4 13h5a3 3 0 0 0 6 0h5")
    static let phone = drawing(
        "M6 3h4l2 5-2.5 1.5a11 11 0 0 0 5 5L16 12l5 2v4a2 2 0 0 1-2 2A16 16 0 0 1 4 5a2 2 0 0 1 2-2z")
    static let way = drawing("M5 12h14M13 6l6 6-6 6")
    static let globe = drawing(
        "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18")

    static let site = Array(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" \
        fill="#005e58"/><path transform="translate(8 7) scale(2)" fill="none" stroke="#f8fdfc" stroke-width="1.75" \
        stroke-linecap="round" d="M2 9c3 0 3-3 6-3s3 3 6 3 3-3 6-3 2 1 2 1M2 14c3 0 3-3 6-3s3 3 6 3 3-3 6-3 2 1 2 1\
        M2 19c3 0 3-3 6-3s3 3 6 3 3-3 6-3 2 1 2 1"/></svg>

        """.utf8)

    private static func drawing(_ path: String) -> HTML {
        "<svg viewBox=\"0 0 24 24\" width=\"24\" height=\"24\" aria-hidden=\"true\"><path d=\"\(path)\"/></svg>"
    }
}
