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
    /// Of all files together. Rows and their town take about two kilobytes each while they are checked.
    static let (limit, mostRecords) = (16 << 20, 20_000)

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
        var sent: [ImportFile] = []
        for part in try Multipart.parts(of: call.request) {
            let bytes = call.request.body[part.content]
            if part.name == rows, bytes.contains(where: { $0 > UInt8(ascii: " ") }) {
                sent.append(ImportFile(name: "pasted rows", format: .csv, bytes: Array(bytes)))
            } else if part.name == files, let name = part.fileName.shown {
                let last = name.split(at: "/", "\\").last ?? name
                sent.append(ImportFile(name: last.prefix(bytes: 100), bytes: Array(bytes)).unpacked(limit: limit))
            }
        }
        guard !sent.isEmpty else { throw FormRefusal(files, "Choose a file, or paste rows of a sheet") }
        let records = sent.reduce(0) { $0 + $1.recordCount }
        guard records <= mostRecords, sent.reduce(0, { $0 + $1.bytes.count }) <= limit else {
            let most = "\(Count.grouped(mostRecords)) rows and \(limit >> 20) MB of text"
            let found = "These files have \(Count.grouped(records)) rows; at most \(most) are imported at once"
            throw FormRefusal(files, "\(found). Send parts of them, or use the command sooke import")
        }
        let id = Uploads.newID()
        try call.service.uploads.store(.files, sent.flatMap(FileBundle.pieces(of:)), id, of: ImportUpload.person(call))
        return .seeOther("\(path)/\(id)")
    }
}

struct ImportUpload {
    let id: String
    let person: Int
    let call: Call

    init(_ call: Call) throws {
        (id, person, self.call) = (try call.captures.text("upload"), try Self.person(call), call)
    }

    /// The digest is that of all bytes, by which an answer knows that they are what was shown. Nobody holds them while
    /// their rows take memory.
    ///
    /// - Throws: 404 for another person's, and for one that is over.
    func read() throws -> (files: [ImportFile], digest: UInt64) {
        let bytes = call.service.uploads.read(.files, id, of: person)
        guard let bytes, let files = try? FileBundle.files(in: bytes) else { throw Self.isGone }
        return (files, XXH64.digest(bytes.span))
    }

    static let isGone = HTTPError.notFound("these files are no longer here; send them again")

    static func person(_ call: Call) throws -> Int {
        guard let person = call.caller.personID else { throw ServiceError.noAccount }
        return person
    }

    /// With other texts in cells, by file, row and column.
    func store(_ edits: [Int: [Int: [Int: String]]]) throws {
        var files = try read().files
        for (index, edits) in edits where files.indices.contains(index) {
            guard let table = ImportTable(files[index]) else { continue }
            (files[index].format, files[index].bytes) = (.csv, table.setting(edits))
        }
        try call.service.uploads.store(.files, files.flatMap(FileBundle.pieces(of:)), id, of: person)
    }

    /// Why an import that began is not done.
    var problem: String? {
        call.service.uploads.read(.problem, id, of: person).map { String(decoding: $0, as: UTF8.self) }
    }

    func store(problem: String) throws {
        try call.service.uploads.store(.problem, [Array(problem.utf8)], id, of: person)
    }

    func options(_ chosen: (String) -> String?) -> ImportOptions {
        let zones = call.service.zones
        var options = ImportOptions(zone: call.townZone) { try? zones.zone(named: $0) }
        options.isByEditor = !call.isSuperAdmin
        (options.createsTerms, options.skipsInvalid) = (chosen("new") != nil, chosen("skip") != nil)
        (options.category, options.eventType) = (chosen("category").shown, chosen("event_type").shown)
        return options
    }
}
