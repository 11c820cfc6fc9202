import Bytes

/// Reads a sheet of an Excel workbook (ECMA-376) as the text of the CSV file that its program would export: what is
/// shown in the cells, with dates as `2026-12-24` and times as `19:30`.
///
/// ```
/// _rels/.rels -> xl/workbook.xml: the sheets in their order, and the first day of dates
///   xl/_rels/workbook.xml.rels -> sharedStrings.xml: texts by number
///                              -> styles.xml: the number formats, which say what is a date
///                              -> worksheets/sheet1.xml, …: rows of cells
/// ```
struct Workbook {
    private typealias Part = (id: String, type: String, path: String)

    private var archive: ZipArchive
    private var sheets: [(name: String, path: String)] = []
    private var reader = SheetReader()

    static let signature = Array("PK\u{3}\u{4}".utf8)
    private static let mostSheets = 100

    /// The first sheet that names columns, or else the first with anything in it; and what to say of the others.
    static func table(
        in bytes: [UInt8], limit: Int = ZipArchive.mostUnpacked
    ) throws(WorkbookError) -> (csv: [UInt8], warning: String?) {
        var workbook = try Workbook(bytes)
        workbook.reader.limit = limit
        var first: (csv: [UInt8], name: String)?
        for sheet in workbook.sheets {
            guard let content = try workbook.archive.read(sheet.path) else { throw .damaged }
            let csv = try workbook.reader.csv(of: content)
            if CSVFileReader.namesColumns(csv) { return (csv, workbook.warning(reading: sheet.name)) }
            if first == nil, !csv.isEmpty { first = (csv, sheet.name) }
        }
        return (first?.csv ?? [], first.flatMap { workbook.warning(reading: $0.name) })
    }

    private init(_ bytes: [UInt8]) throws(WorkbookError) {
        archive = try ZipArchive(bytes)
        let document = try parts(of: "", in: "_rels/.rels").first { $0.type == "officeDocument" }
        let path = document?.path ?? "xl/workbook.xml"
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let folder = String(path[..<slash])
        let parts = try parts(of: folder, in: "\(folder)_rels/\(path[slash...]).rels")
        var xml = XMLReader(try archive.read(path) ?? [])
        while try xml.skipToElement() {
            if xml.isAt("workbookPr") { reader.has1904 = ["1", "true"].contains(xml.attribute("date1904")) }
            guard xml.isAt("sheet"), sheets.count < Self.mostSheets, ["visible", nil].contains(xml.attribute("state")),
                let part = parts.first(where: { $0.id == xml.attribute("id") }), part.type == "worksheet"
            else { continue }
            sheets.append((xml.attribute("name") ?? "", part.path))
        }
        if let part = parts.first(where: { $0.type == "styles" }) { try readFormats(in: part.path) }
        if let part = parts.first(where: { $0.type == "sharedStrings" }), let content = try archive.read(part.path) {
            try reader.readSharedTexts(content)
        }
    }

    private mutating func parts(of folder: String, in path: String) throws(WorkbookError) -> [Part] {
        var parts: [Part] = []
        var xml = XMLReader(try archive.read(path) ?? [])
        while try xml.skipToElement() {
            guard xml.isAt("Relationship"), let target = xml.attribute("Target") else { continue }
            let type = (xml.attribute("Type") ?? "").split(separator: "/").last ?? ""
            let path = target.hasPrefix("/") ? String(target.dropFirst()) : folder + target
            parts.append((xml.attribute("Id") ?? "", String(type), path))
        }
        return parts
    }

    /// In the order of the styles of cells, of which each names one.
    private mutating func readFormats(in path: String) throws(WorkbookError) {
        let (whole, cents) = (NumberFormat("$#,##0;($#,##0)"), NumberFormat("$#,##0.00;($#,##0.00)"))
        var (own, isOfCells) = ([5: whole, 6: whole, 7: cents, 8: cents, 42: whole, 44: cents], false)
        var xml = XMLReader(try archive.read(path) ?? [])
        while try xml.skipToElement() {
            let id = xml.attribute("numFmtId").flatMap { Int($0) } ?? 0
            if xml.isAt("numFmt") { own[id] = NumberFormat(xml.attribute("formatCode") ?? "") }
            if xml.isAt("xf"), isOfCells { reader.formats.append(own[id] ?? NumberFormat(builtIn: id)) }
            if xml.isAt("cellStyleXfs") || xml.isAt("cellStyles") { isOfCells = false }
            if xml.isAt("cellXfs") { isOfCells = true }
        }
    }

    private func warning(reading name: String) -> String? {
        let others = sheets.filter { !$0.name.hasSameBytes(as: name) }.map { "\"\($0.name.excerpt())\"" }
        if others.isEmpty { return nil }
        return
            "is the sheet \"\(name.excerpt())\"; to import \(others.listed(upTo: 10)), save each as a file of its own"
    }
}
