import Bytes
import Dispatcher
import Exchange
import HTTP
import JSON
import Service
import SookeModel
import Store

/// `/admin/import/{upload}`: what an import would do, where to mend what it refuses, and then what it has done. All of
/// it follows from the files that were sent and from the address.
enum ImportCheckPage {
    static let path = ImportPage.path + "/{upload}"
    /// They are in the address, so that they stay.
    private static let choices = ["new", "skip", "category", "event_type"]
    static let parameters = choices + ["done"]

    private struct Trial: Sendable {
        let summary: String
        let findings: [Finding]
        /// Nil when the files are refused. The digest is that of what is shown: the same files would do the same.
        var result: (report: ImportReport, town: Town, digest: String)?
    }

    private static let (digest, go) = ("digest", "import")

    static func page(_ view: View) async throws -> WebPage {
        let call = view.call
        // A browser may ask again before the first answer is there.
        for _ in 0..<20 where !call.service.limits.mayImport {
            try await Task.sleep(for: .milliseconds(100))
        }
        if let result = try ImportResult(call) { return result.page(view) }
        let upload = try ImportUpload(call)
        guard let permit = try? call.service.limits.admitImport() else { return waiting(view) }
        defer {
            call.service.importProgress.clear()
            permit.release()
        }
        let chosen = { (name: String) in (try? call.parameter(name)).flatMap(\.self) }
        var trial = try await run(upload, upload.options(chosen), shown: nil)
        let shown = trial.result.map { result in
            ImportedRows(view: view, next: View(call, view.frame, in: result.town)).markup(result.report)
        }
        // Not beside the files, which are read again for their cells.
        trial.result?.town = view.town
        let problem = try call.parameter("done") == nil ? nil : upload.problem
        return WebPage(
            "Check the import", .task, tab: .account,
            main: """
                \(AdminParts.head("Check the import", in: back, view))\(if: problem, {
                    "<p class=\"echo\" role=\"status\" tabindex=\"-1\" autofocus>\($0). Please check again.</p>"
                })<form class="form" method="post" novalidate>\(FormState.firstButton("Check again"))\
                <p class="card" id="summary"><strong>\(trial.summary)</strong></p>\
                \(ImportFindings(trial.findings, trial.findings.isEmpty ? [] : try upload.read().files).markup)\
                \(choices(view, chosen, for: trial.findings))\
                \(if: trial.result, { #"<input type="hidden" name="digest" value="\#($0.digest)">"# })<div class="bar">\
                \(if: trial.result != nil, "<button name=\"import\" value=\"yes\">Import</button>")\
                <button class="quiet">Check again</button></div></form>\(if: shown, { $0 })
                """)
    }

    static let back: HTML = "<a href=\"/admin/import\">Import</a>"

    private static func choices(_ view: View, _ chosen: (String) -> String?, for findings: [Finding]) -> HTML {
        let types = view.town.eventTypes.inOrderOfName().map { ($0.value.slug.text, $0.value.name) }
        let all: [(name: String, label: String, options: [(value: String, label: String)])] = [
            ("category", "Category", AdminParts.categories(of: view.town)),
            ("event_type", "Event type", [("", "None")] + types),
        ]
        let defaults = all.filter { field in chosen(field.name) != nil || findings.contains { $0.field == field.name } }
        let boxes = [
            ("new", "Create missing categories", "And event types, by the names in the files."),
            ("skip", "Leave out the rows with problems", "You get them back as a file."),
        ]
        return """
            \(each: defaults, { name, label, options in
                FormField(
                    name: name, label: label, hint: "Of those without one", shown: chosen(name) ?? "",
                    control: .choice(options)
                ).markup(FormState())
            })\(each: boxes, { name, label, hint in
                """
                <label class="option"><input type="checkbox" name="\(name)" value="yes"\
                \(attribute: "checked", if: chosen(name) != nil)><span>\(label)<br>\
                <span class="soft small">\(hint)</span></span></label>
                """
            })
            """
    }

    private static func waiting(_ view: View) -> WebPage {
        let state = view.call.service.importProgress.state
        let words = state.map { "\($0.phase), \(Count.grouped($0.done)) of \(Count.grouped($0.total))" }
        var page = WebPage(
            "An import is running", .task, tab: .account,
            main: """
                \(AdminParts.head("An import is running", in: back, view))\
                <p role="status">\(words ?? "It has just begun.")</p>\
                <div class="actions"><a class="button" href="">Look again</a></div>
                """)
        page.next = Link("")
        return page
    }

    /// - Parameter shown: the digest of what is to be imported; nil to import nothing.
    private static func run(_ upload: ImportUpload, _ options: ImportOptions, shown: String?) async throws -> Trial {
        let service = upload.call.service
        let update = { @Sendable (phase: Import.Phase, done: Int, total: Int) in
            service.importProgress.update(phase.rawValue, done: done, of: total)
        }
        // The bytes of the files are not held beside their rows.
        let (records, names, seed) = try {
            let (files, digest) = try upload.read()
            return (Import(files: files, options: options, progress: update), files.map(\.name), digest)
        }()
        var context = try upload.call.context(hasKey: false)
        // The request of an import is answered before it runs.
        context.isWanted = { true }
        return try await service.importData(isDryRun: shown == nil, of: names, for: context) { transaction in
            do {
                let report = try records.apply(to: &transaction, progress: update)
                let digest = Hex.text(of: XXH64.digest(report.json.span, seed: seed))
                if let shown, digest != shown { throw hasChanged }
                return Trial(
                    summary: report.description, findings: report.problems.all + report.warnings.all,
                    result: (report, transaction.town, digest))
            } catch let problems as ImportProblems {
                guard shown == nil else { throw hasChanged }
                return Trial(summary: problems.summary, findings: problems.findings.all)
            }
        }
    }

    private static let hasChanged = ServiceError.importRefused(
        message: "the town or the files have changed since", problems: [])

    /// Corrects cells and columns, or imports what was shown; its progress and its result are at the same address.
    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        let upload = try ImportUpload(call)
        let address = address(upload.id, sent)
        if try ImportResult(call) != nil { return .seeOther(address) }
        let edits = edits(in: sent)
        let shown = edits.isEmpty && sent.isSet(go) ? sent[digest] : nil
        // What a server that stops meanwhile leaves behind.
        if shown != nil { try upload.store(problem: "The server stopped, and what is below is left to do") }
        let permit = try call.service.limits.admitImport()
        guard let shown else {
            defer { permit.release() }
            if !edits.isEmpty { try upload.store(edits) }
            return .seeOther(address)
        }
        Task {
            defer {
                call.service.importProgress.clear()
                permit.release()
            }
            do {
                let trial = try await run(upload, upload.options { sent[$0].shown }, shown: shown)
                if let report = trial.result?.report { ImportResult.store(report, of: upload, call) }
            } catch {
                try? upload.store(problem: "Nothing was imported: \(HTTPError(error).message)")
            }
        }
        return .seeOther(address + (address.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + "done=begun")
    }

    private static func address(_ id: String, _ sent: Submission) -> String {
        let chosen = choices.compactMap { name in
            sent[name].shown.map { "\(name)=" + PercentCoding.encode($0.utf8) }
        }
        return "\(ImportPage.path)/\(id)" + (chosen.isEmpty ? "" : "?") + chosen.joined(separator: "&")
    }

    /// By file, row and column. A name of `cell.0.12.3` is that of a cell that was shown; one that was not typed in is
    /// as it was.
    private static func edits(in sent: Submission) -> [Int: [Int: [Int: String]]] {
        var edits: [Int: [Int: [Int: String]]] = [:]
        for (name, _) in sent.fields where name.hasPrefix("cell.") {
            let place = name.split(at: ".").dropFirst().compactMap { Int($0) }
            guard place.count == 3, let text = sent[name], text != sent.before(name) ?? text else { continue }
            edits[place[0], default: [:]][place[1], default: [:]][place[2]] = text
        }
        return edits
    }
}

extension ImportReport {
    var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}
