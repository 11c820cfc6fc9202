import Bytes
import Dispatcher
import Exchange
import HTTP
import JSON
import Service
import SookeModel
import Store

/// What an import has done, by its report, which is stored in place of the files.
struct ImportResult {
    static let path = ImportCheckPage.path + "/left-out/{index}"

    private let id: String
    /// Of its commit; nil when nothing changed.
    private let position: HistoryPosition?
    private let report: ImportAnswer

    /// Nil before the import.
    init?(_ call: Call) throws {
        id = try call.captures.text("upload")
        guard let stored = call.service.uploads.read(.result, id, of: try ImportUpload.person(call)) else { return nil }
        let line = stored.prefix { $0 != ASCII.lineFeed }
        var reader = JSONReader(Array(stored.dropFirst(line.count + 1)), limits: .trusted)
        guard let report = try? ImportAnswer(from: &reader) else { return nil }
        (self.report, position) = (report, HistoryPosition(String(decoding: line, as: UTF8.self)))
    }

    /// The import is done, even if there is no room for its report.
    static func store(_ report: ImportReport, of upload: ImportUpload, _ call: Call) {
        let commit = call.service.store.current.newestCommit(by: .person(upload.person))
        let position = report.changedNothing ? "" : commit.map { "\($0.position)" } ?? ""
        let pieces = [Array(position.utf8) + [ASCII.lineFeed], report.json]
        let isStored = (try? call.service.uploads.store(.result, pieces, upload.id, of: upload.person)) != nil
        call.service.uploads.remove(.problem, upload.id, of: upload.person)
        if isStored { call.service.uploads.remove(.files, upload.id, of: upload.person) }
    }

    func page(_ view: View) -> WebPage {
        WebPage(
            "Imported", .task, tab: .account,
            main: """
                \(AdminParts.head("Imported", in: ImportCheckPage.back, view))\
                <p class="echo" role="status" tabindex="-1" autofocus id="summary">\(report.summary)</p>\
                \(if: position, { UndoPage.button($0) })\
                \(if: !report.skipped.isEmpty, """
                    <section class="section"><h2>Left out</h2><p>Mend these rows, and import the file again.</p>\
                    <div class="actions">\(each: report.skipped.indices, { index in
                        """
                        <a class="button quiet" download href="/admin/import/\(path: id)/left-out/\(path: "\(index)")">\
                        \(name(of: report.skipped[index]))</a>
                        """
                    })</div></section>
                    """)\(if: !report.lines.isEmpty, """
                    <section class="section"><h2>Please check</h2><ul class="stack">\(each: report.lines, { line in
                        "<li class=\"card\" dir=\"auto\">\(ImportFindings.words(line))</li>"
                    })</ul></section>
                    """)<div class="actions"><a class="button quiet" href="/admin/import">Import more</a>\
                <a class="button quiet" href="/admin/changes">What changed</a></div>
                """)
    }

    private func name(of file: ImportFile) -> String {
        let base = file.name.split(at: ".").first ?? "import"
        return "\(base).skipped.\(file.format?.fileExtension ?? "txt")"
    }

    static func leftOut(_ call: Call) throws -> Response {
        guard let result = try ImportResult(call), let index = Int(try call.captures.text("index")),
            result.report.skipped.indices.contains(index)
        else { throw ImportUpload.isGone }
        let file = result.report.skipped[index]
        let name = result.name(of: file).utf8.filter { 0x20..<0x7F ~= $0 && !"\"\\".utf8.contains($0) }
        var headers: ResponseHeaders = ["Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"]
        headers.add("Content-Disposition", "attachment; filename=\"\(String(decoding: name, as: UTF8.self))\"")
        return Response(.ok, headers: headers, body: file.bytes)
    }
}

/// The first records that an import makes or changes, as they would look.
struct ImportedRows {
    let view: View
    /// Of the town after it.
    let next: View

    func markup(_ report: ImportReport) -> HTML {
        Town.sharedKinds.reduce(into: HTML()) { markup, kind in
            let (new, changed) = (report[kind].created, report[kind].updated)
            markup.append(section("New", kind, report.shown.filter { $0.kind == kind && $0.isNew }, new))
            markup.append(section("Changed", kind, report.shown.filter { $0.kind == kind && !$0.isNew }, changed))
        }
    }

    private func section(_ title: String, _ kind: RecordKind, _ shown: [ImportReport.Shown], _ count: Int) -> HTML {
        if shown.isEmpty { return "" }
        return """
            <section class="section"><h2>\(title): \(Count.grouped(count)) \(ChangeRows.label(kind.collection))</h2>\
            <ul class="rows">\(each: shown, row)</ul>\
            \(if: count > shown.count, "<p class=\"soft\">and \(Count.grouped(count - shown.count)) more</p>")</section>
            """
    }

    private func row(_ shown: ImportReport.Shown) -> HTML {
        guard let record = next.town.record(of: shown.kind, shown.id) else { return "" }
        let before = shown.isNew ? nil : view.town.record(of: shown.kind, shown.id)
        let part = before.map { ChangeRows.differences(from: $0, to: record, view) }
        let (name, state, facts): (String, String, [String?]) =
            switch record {
            case let business as BusinessRecord:
                (
                    business.name, next.state(of: business).short,
                    [next.category(of: business)?.name, business.addressOrArea]
                )
            case let event as EventRecord:
                (
                    event.value.name, AccountPage.words(for: event.value.status),
                    [
                        next.words.sentence(of: event.representative(at: next.events, next.town.business(of: event))),
                        next.place(of: event)?.name ?? event.value.location,
                    ]
                )
            default: (record.value.nameInTrash, "", [])
            }
        return """
            <li><div class="row"><span class="name" dir="auto">\(name)</span>\
            \(if: state.shown, { #"<span class="state">\#($0)</span>"# })\
            <span class="sub">\(next.line(of: facts))</span></div>\(if: part, { $0 })</li>
            """
    }
}
