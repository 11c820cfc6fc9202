import Bytes
import Dispatcher
import Exchange
import HTTP
import Service
import SookeModel
import Store

/// `/admin/import`: files, or rows of a sheet, that are checked on the page that follows before anything changes; and
/// what can be downloaded.
enum ImportPage {
    static let path = "/admin/import"
    /// Of all files together.
    static let limit = 16 << 20

    private static let (files, rows) = ("files", "rows")

    static func page(_ view: View, _ state: FormState) -> WebPage {
        WebPage(
            "Import", .task, tab: .account,
            main: """
                \(AdminParts.head("Import", view))<form class="form" method="post" enctype="multipart/form-data" \
                novalidate>\(state.summary([:]))<p>Nothing changes before you have seen what will.</p>\
                <div class="field"><label for="files">Files</label><span class="hint" id="files-hint">A sheet (.xlsx \
                or .csv), a calendar (.ics), places (.geojson), cards (.vcf) or a backup. Up to 16 MB together.</span>\
                <input id="files" name="files" type="file" multiple aria-describedby="files-hint"></div>\
                <div class="field"><label for="rows">Or rows of a sheet</label><span class="hint" id="rows-hint">Copy \
                them there with the row of the names of columns, and paste them here.</span><textarea id="rows" \
                name="rows" rows="6" aria-describedby="rows-hint" dir="auto"></textarea></div>\
                <div class="actions"><button>Check</button></div></form>\
                \(downloads(view))
                """)
    }

    private static func downloads(_ view: View) -> HTML {
        let isAdmin = view.call.isSuperAdmin
        let links: [(link: Link, name: String)] =
            isAdmin
            ? [
                (Link("/api/v1/admin/export", [("format", "csv"), ("table", "businesses")]), "Places, as a table"),
                (Link("/api/v1/admin/export", [("format", "csv"), ("table", "events")]), "Events, as a table"),
                (Link("/api/v1/admin/export", [("format", "json")]), "All public records"),
                (Link("/api/v1/admin/backup"), "A backup of the whole town"),
            ]
            : [
                (Link("/api/v1/businesses.csv"), "Places, as a table"),
                (Link("/api/v1/businesses.geojson"), "Places, as a map"),
                (Link("/api/v1/events.ics"), "Events, as a calendar"),
            ]
        return """
            <section class="section"><h2>Download</h2>\
            \(if: isAdmin, "<p class=\"soft\">A backup has what only administrators may see. Keep it safe.</p>")\
            <div class="actions">\(each: links, { entry in
                "<a class=\"button quiet\" download href=\"\(link: entry.link)\">\(entry.name)</a>"
            })</div></section>
            """
    }

    /// Stores the files; the page that follows is their own.
    static func submit(_ call: Call) throws -> Response {
        var (pieces, pasted) = ([[UInt8]](), [UInt8]())
        for part in try Multipart.parts(of: call.request) {
            let bytes = call.request.body[part.content]
            if part.name == rows {
                pasted = Array(bytes)
                guard pasted.contains(where: { $0 > UInt8(ascii: " ") }) else { continue }
                pieces += FileBundle.pieces("pasted rows", .csv, bytes)
            } else if part.name == files, let name = part.fileName.shown {
                let last = name.split(at: "/", "\\").last ?? name
                pieces += FileBundle.pieces(last.prefix(bytes: 100), nil, bytes)
            }
        }
        guard !pieces.isEmpty else { throw FormRefusal(files, "Choose a file, or paste rows of a sheet") }
        let id = Uploads.newID()
        try call.service.uploads.store(.files, pieces, id, of: ImportUpload.person(call))
        return .seeOther("\(path)/\(id)")
    }
}

/// What somebody has sent, at its address.
struct ImportUpload {
    let id: String
    let person: Int
    let files: [ImportFile]
    /// Of all bytes, by which an answer knows that they are what was shown.
    let digest: UInt64

    /// - Throws: 404 for another person's, and for one that is over.
    init(_ call: Call) throws {
        (id, person) = (try call.captures.text("upload"), try Self.person(call))
        let bytes = call.service.uploads.read(.files, id, of: person)
        guard let bytes, let files = try? FileBundle.files(in: bytes) else { throw Self.isGone }
        (self.files, digest) = (files, XXH64.digest(bytes.span))
    }

    static let isGone = HTTPError.notFound("these files are no longer here; send them again")

    static func person(_ call: Call) throws -> Int {
        guard let person = call.caller.personID else { throw ServiceError.noAccount }
        return person
    }

    /// With other texts in cells, by file, row and column.
    func store(_ edits: [Int: [Int: [Int: String]]], _ call: Call) throws {
        let pieces = files.enumerated().flatMap { index, file in
            guard let edits = edits[index], let table = ImportTable(file) else {
                return FileBundle.pieces(file.name, file.format, file.bytes[...])
            }
            return FileBundle.pieces(file.name, .csv, table.setting(edits)[...])
        }
        try call.service.uploads.store(.files, pieces, id, of: person)
    }

    func options(_ call: Call, _ chosen: (String) -> String?) -> ImportOptions {
        let zones = call.service.zones
        var options = ImportOptions(zone: call.townZone) { try? zones.zone(named: $0) }
        options.isByEditor = !call.isSuperAdmin
        (options.createsTerms, options.skipsInvalid) = (chosen("new") != nil, chosen("skip") != nil)
        (options.category, options.eventType) = (chosen("category").shown, chosen("event_type").shown)
        return options
    }
}
