import Bytes
import JSON
import Journal

/// What a commit did as a whole, where its changes do not say it: `{"verb":"import","file":"menu.csv"}`, or
/// `{"verb":"undo","sequence":812,"chain":"8f3c5a7790d1e2b4"}`.
package struct CommitAct: Sendable, Hashable {
    /// Other versions of this program may write others.
    package let verb: String
    /// Without its folder; several are separated by commas.
    package let file: String?
    /// The commit that it undoes, which another history does not have.
    package let undone: CommitPosition?

    private static let longestVerb = 32
    private static let longestFile = 255

    package init(verb: String, file: String? = nil, undone: CommitPosition? = nil) {
        (self.verb, self.undone) = (verb.prefix(bytes: Self.longestVerb), undone)
        self.file = file?.prefix(bytes: Self.longestFile)
    }

    package static let importVerb = "import"

    package static func undoing(_ commit: CommitPosition) -> CommitAct { CommitAct(verb: "undo", undone: commit) }

    /// - Parameter files: their paths.
    package static func importing(_ files: [String]) -> CommitAct {
        let names = files.compactMap { $0.utf8.split(separator: UInt8(ascii: "/")).last.map { String($0) } ?? "" }
        return CommitAct(verb: importVerb, file: names.isEmpty ? nil : names.joined(separator: ", "))
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("verb", verb)
        if let file { writer.member("file", file) }
        if let undone {
            writer.member("sequence", undone.sequence)
            writer.member("chain", "\(undone.chain)")
        }
        writer.endObject()
    }

    init(from reader: inout JSONReader) throws(JSONError) {
        var (verb, file, chain, sequence) = ("", String?.none, "", 0)
        try reader.beginObject()
        while let name = try reader.nextKey() {
            switch name {
            case "verb": verb = try reader.readString()
            case "file": file = try reader.readString()
            case "sequence": sequence = try reader.readInt()
            case "chain": chain = try reader.readString()
            default: try reader.skipValue()
            }
        }
        self.init(verb: verb, file: file, undone: CommitPosition("\(sequence).\(chain)"))
    }
}
