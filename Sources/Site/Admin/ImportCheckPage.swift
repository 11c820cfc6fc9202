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

    private enum Trial {
        case ready(ImportReport, Town)
        case refused(ImportProblems)
    }

    private static let (digest, go) = ("digest", "import")
    private static let mostTurns = 20

    static func page(_ view: View) async throws -> WebPage {
        let call = view.call
        if let result = try ImportResult(call) { return result.page(view) }
        let upload = try ImportUpload(call)
        // A browser may ask again before the first answer is there.
        for _ in 0..<Self.mostTurns where !call.service.limits.mayImport {
            try await Task.sleep(for: .milliseconds(100))
        }
        guard let permit = try? call.service.limits.admitImport() else { return waiting(view) }
        defer { permit.release() }
        let chosen = { (name: String) in (try? call.parameter(name)).flatMap(\.self) }
        let options = upload.options(call, chosen)
        let trial = try await run(upload, options, isDryRun: true, call) { records, transaction, progress in
            do throws(ImportProblems) {
                return Trial.ready(try records.apply(to: &transaction, progress: progress), transaction.town)
            } catch {
                return .refused(error)
            }
        }
        let (summary, findings, shown, state): (String, [Finding], HTML, String?) =
            switch trial {
            case .refused(let problems): (problems.summary, problems.findings.all, "", nil)
            case .ready(let report, let town):
                (
                    report.description, report.problems.all + report.warnings.all,
                    ImportedRows(view, in: town).markup(report), upload.digest(of: report)
                )
            }
        let isChanged = try call.parameter("done") != nil
        return WebPage(
            "Check the import", .task, tab: .account,
            main: """
                \(head("Check the import", view))\(if: isChanged, """
                    <p class="echo" role="status" tabindex="-1" autofocus>The town or the files have changed since. \
                    Please check again.</p>
                    """)<form class="form" method="post" novalidate>\
                \(FormState.firstButton("Check again"))<p class="card" id="summary"><strong>\(summary)</strong></p>\
                \(ImportFindings(findings, upload.files).markup)\
                \(choices(view, chosen, for: findings))\
                \(if: state, { #"<input type="hidden" name="digest" value="\#($0)">"# })<div class="bar">\
                \(if: state != nil, "<button name=\"import\" value=\"yes\">Import</button>")\
                <button class="quiet">Check again</button></div></form>\(shown)
                """)
    }

    static func head(_ title: String, _ view: View) -> HTML {
        AdminParts.head(title, in: "<a href=\"/admin/import\">Import</a>", view)
    }

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
                \(head("An import is running", view))<p role="status">\(words ?? "It has just begun.")</p>\
                <div class="actions"><a class="button" href="">Look again</a></div>
                """)
        page.until = view.call.now.advanced(bySeconds: 2)
        return page
    }

    private static func run<Result: Sendable>(
        _ upload: ImportUpload, _ options: ImportOptions, isDryRun: Bool, _ call: Call,
        _ apply: @escaping @Sendable (Import, inout WriteTransaction, Import.Observer) throws -> Result
    ) async throws -> Result {
        let service = call.service
        defer { service.importProgress.clear() }
        let update = { @Sendable (phase: Import.Phase, done: Int, total: Int) in
            service.importProgress.update(phase.rawValue, done: done, of: total)
        }
        let records = Import(files: upload.files, options: options, progress: update)
        return try await service.importData(
            isDryRun: isDryRun, of: upload.files.map(\.name), for: call.context(hasKey: false)
        ) { transaction in try apply(records, &transaction, update) }
    }

    // MARK: - What is sent

    /// Corrects cells and columns, or imports what was shown.
    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        if try ImportResult(call) != nil { return .seeOther(address(try call.captures.text("upload"))) }
        let upload = try ImportUpload(call)
        let permit = try call.service.limits.admitImport()
        defer { permit.release() }
        let address = address(upload.id, sent)
        let edits = edits(in: sent, of: upload)
        if !edits.isEmpty { try upload.store(edits, call) }
        guard edits.isEmpty, sent.isSet(go), let shown = sent[digest] else { return .seeOther(address) }
        let options = upload.options(call) { sent[$0].shown }
        do {
            let report = try await run(upload, options, isDryRun: false, call) { records, transaction, progress in
                guard let report = try? records.apply(to: &transaction, progress: progress),
                    upload.digest(of: report) == shown
                else { throw ServiceError.importRefused(message: "another state", problems: []) }
                return report
            }
            ImportResult.store(report, of: upload, call)
            return .seeOther(self.address(upload.id))
        } catch ServiceError.importRefused {
            return .seeOther(address + (address.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + "done=changed")
        }
    }

    private static func address(_ id: String, _ sent: Submission? = nil) -> String {
        let chosen = choices.compactMap { name in
            sent?[name].shown.map { "\(name)=" + PercentCoding.encode($0.utf8) }
        }
        return "\(ImportPage.path)/\(id)" + (chosen.isEmpty ? "" : "?") + chosen.joined(separator: "&")
    }

    /// By file, row and column. A name of `cell.0.12.3` is that of a cell that was shown; one that was not typed in is
    /// as it was.
    private static func edits(in sent: Submission, of upload: ImportUpload) -> [Int: [Int: [Int: String]]] {
        var edits: [Int: [Int: [Int: String]]] = [:]
        for (name, _) in sent.fields where name.hasPrefix("cell.") {
            let place = name.split(at: ".").dropFirst().compactMap { Int($0) }
            guard place.count == 3, upload.files.indices.contains(place[0]), let text = sent[name],
                let before = sent.before(name), text != before
            else { continue }
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

extension ImportUpload {
    /// Of what was shown: the same files would do the same.
    fileprivate func digest(of report: ImportReport) -> String {
        let json = report.json
        return Hex.text(of: XXH64.digest(json.span, seed: digest))
    }
}
