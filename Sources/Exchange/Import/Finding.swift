import Bytes
import SookeModel

/// What is or may be wrong in a file to import, in one record or in several in the same way.
package struct Finding: Sendable, Equatable, CustomStringConvertible {
    package let file: String
    /// In a table the rows, from 1; at most `Findings.shownRows`.
    package fileprivate(set) var rows: [Int]
    /// The names of their records, where rows tell little.
    package fileprivate(set) var records: [String]
    /// Or the column of text that could not be read; empty for the whole record or file.
    package let field: String
    package let message: String
    package let isWarning: Bool
    package fileprivate(set) var count = 1

    init(file: String, row: Int, record: String = "", _ problem: FieldProblem, isWarning: Bool = false) {
        (self.file, rows, records) = (file, [row], [record])
        (field, message, self.isWarning) = (problem.field, problem.message, isWarning)
    }

    /// `file:row: "record": field: message`, after `warning: ` for a warning, and where the others are.
    package var description: String {
        let place = records[0].isEmpty ? "\(file):\(rows[0])" : "\(file):\(rows[0]): \"\(records[0])\""
        let text = (isWarning ? "warning: " : "") + (field.isEmpty ? place : "\(place): \(field)") + ": \(message)"
        guard count > 1 else { return text }
        var others = zip(rows, records).dropFirst().map { $1.isEmpty ? "\($0)" : "\"\($1)\"" }
        if count > rows.count { others.append("…") }
        return "\(text) (\(count) like this: also in \(others.joined(separator: ", ")))"
    }

    /// All but what the messages quote, and numbers.
    fileprivate var kind: [ByteText] {
        var pattern: [UInt8] = []
        var isQuoted = false
        for byte in message.utf8 {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !isQuoted, !ASCII.isDigit(byte) { pattern.append(byte) }
        }
        let texts = [isWarning ? "warning" : "", file, field, String(decoding: pattern, as: UTF8.self)]
        return texts.map(ByteText.init)
    }
}

/// A mistake in a column is one finding, not one for each row.
package struct Findings: Sendable {
    package private(set) var all: [Finding] = []
    /// Problems that are not listed, because there are too many kinds.
    private var others = 0
    private var places: [[ByteText]: Int] = [:]

    static let limit = 1_000
    static let shownRows = 20
    private static let shown = 20

    package init() {}

    init(_ findings: [Finding]) {
        for finding in findings { add(finding) }
    }

    package var isEmpty: Bool { all.isEmpty }

    package var problemCount: Int { all.reduce(others) { $0 + ($1.isWarning ? 0 : $1.count) } }

    mutating func add(_ finding: Finding) {
        let kind = finding.kind
        if let place = places[kind] {
            all[place].count += 1
            guard all[place].rows.count < Self.shownRows else { return }
            all[place].rows += finding.rows
            all[place].records += finding.records
        } else if places.count < Self.limit || all.count(where: { $0.isWarning == finding.isWarning }) < Self.limit {
            places[kind] = all.count
            all.append(finding)
        } else if !finding.isWarning {
            others += 1
        }
    }

    /// Warnings, then problems; of each the first ones, and how many more there are.
    package var lines: [String] {
        [true, false].flatMap { isWarning in
            let all = all.filter { $0.isWarning == isWarning }
            let rest = all.dropFirst(Self.shown).reduce(isWarning ? 0 : others) { $0 + $1.count }
            return all.prefix(Self.shown).map(\.description) + (rest > 0 ? ["… and \(rest) more"] : [])
        }
    }
}

package struct ImportProblems: Error, Sendable, CustomStringConvertible {
    package let all: [Finding]
    /// After the warnings, which may be their reason.
    package let findings: Findings
    package let summary: String

    /// - Parameter isUnread: nothing could be left out, since not all was read.
    init(_ all: [Finding], after warnings: Findings = Findings(), isUnread: Bool = false) {
        self.all = all
        findings = all.reduce(into: warnings) { $0.add($1) }
        summary =
            "\(Count(findings.problemCount, "problem")); nothing was imported"
            + (isUnread ? ", since not all could be read" : "")
    }

    package var description: String { all.map(\.description).joined(separator: "\n") }
}

extension [String] {
    func listed(upTo limit: Int) -> String {
        prefix(limit).joined(separator: ", ") + (count > limit ? " and \(count - limit) more" : "")
    }
}
