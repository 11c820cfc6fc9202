import Bytes
import Dispatcher
import HTTP

/// A file that pages load. Its name has a digest of its content, so that browsers may keep it for ever.
struct Asset: Sendable {
    /// Its name below `/assets`.
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
