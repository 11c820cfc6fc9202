import Bytes
import JSON

/// What people, with or without an account, sent in for a decision: a new event, the correction of a published one, or
/// what is wrong about a business. It is private, so that no history shows it; see `RecordKind.isShared`.
///
/// While it is open, it has the words and the address of its sender, for those who decide. With the decision these
/// leave the record, and so do the proposed changes: an event or a business has what was accepted of them. The log
/// still has them, as it has all that was deleted: until `HistoryRetention` drops its old segments and snapshots, after
/// 30 days unless the administrator sets another period. So does a backup that was made before the decision.
public struct Proposal: StoredRecord {
    public enum Subject: String, ChoiceValue {
        case event
        /// A change of a business, or a report about it.
        case business
    }

    /// What a report says of the business as a whole.
    public enum Concern: String, ChoiceValue {
        case closed
        case moved
        /// Its owner, or whom it names, wants it to be removed.
        case removal
    }

    public enum State: String, ChoiceValue {
        case open
        case accepted
        case rejected
        case withdrawn
        /// It had to make room for others, or its business was deleted.
        case displaced
    }

    public static let kind = RecordKind.proposal

    public var id = 0
    public var about = Subject.event
    /// The ID of the business, or of that where the event is to take place; nil for an event at none.
    public var business: Int?
    /// The proposed fields, without the business of a new event, as a merge patch in JSON; nil for a report as text,
    /// and after the decision.
    public var changes: String?
    public var concern: Concern?
    /// The words to those who decide, until they have decided.
    public var text: String?
    /// The address of the sender for questions, until the decision.
    public var email: String?
    /// The digest of the network of a sender without an account; else nil.
    public var network: String?
    /// The digest of the larger network around it, as a provider has one; like `network`.
    public var site: String?
    /// The ID of the sender's account; nil for a sender without one.
    public var submittedBy: Int?
    public var state = State.open
    public var reason: String?
    public var sentAt = Timestamp.epoch
    public var decidedAt: Timestamp?
    /// The ID of the person who decided; nil for the owner of the data folder.
    public var decidedBy: Int?
    /// The ID of the event that came of it, or that it corrects.
    public var event: Int?

    public init() {}

    public static let fields = FieldTable(of: Proposal.self)

    @inline(__always)
    public static func visit<Visitor: FieldVisitor<Proposal>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.field("id", \.id, .id, .shown, "Unique ID; never reused")
        try visitor.field("about", \.about, .any, .shown, "What is proposed: a new event, or a change of a business")
        try visitor.field("business", \.business, .reference, .leftOutWhenEmpty, "The ID of the business")
        try visitor.field("changes", \.changes, .any, .leftOutWhenEmpty, "The proposed fields, as a merge patch")
        try visitor.field(
            "concern", \.concern, .any, [.shown, .leftOutWhenEmpty], "What a report says of the business as a whole")
        try visitor.field(
            "text", \.text, .length(ProposalLimits.text), [.shown, .leftOutWhenEmpty],
            "What the sender says to those who decide; null after the decision")
        try visitor.field(
            "email", \.email, .email, [.shown, .leftOutWhenEmpty],
            "The address of the sender for questions; null after the decision")
        try visitor.field("network", \.network, .any, .leftOutWhenEmpty, "The network of somebody without an account")
        try visitor.field("site", \.site, .any, .leftOutWhenEmpty, "The larger network around it")
        try visitor.field("submitted_by", \.submittedBy, .reference, .leftOutWhenEmpty, "The account of the sender")
        try visitor.field("state", \.state, .any, .shown, "Whether it is open, or what became of it")
        try visitor.field(
            "reason", \.reason, .length(ProposalLimits.text), [.shown, .leftOutWhenEmpty], "Why it was rejected")
        try visitor.field("sent_at", \.sentAt, .any, .shown, "When it was sent")
        try visitor.field("decided_at", \.decidedAt, .any, [.shown, .leftOutWhenEmpty], "When that was decided")
        try visitor.field("decided_by", \.decidedBy, .reference, .leftOutWhenEmpty, "Who decided")
        try visitor.field("event", \.event, .reference, .leftOutWhenEmpty, "The event that came of it, or is corrected")
    }

    public func checkInput(_ problems: inout FieldProblems) {
        let size = (changes?.utf8.count ?? 0) + (isOfStranger ? text?.utf8.count ?? 0 : 0)
        let limit = isOfStranger ? ProposalLimits.strangerBytes : ProposalLimits.changesBytes
        problems.require(
            size <= limit, "changes", "are \(size) bytes long as they are stored, at most \(limit) are allowed")
    }
}

extension Proposal {
    /// The problems of one that the store has not given an ID yet.
    public var problemsBeforeStoring: FieldProblems {
        var (proposal, problems) = (self, FieldProblems())
        proposal.id = 1
        proposal.validateInput(&problems)
        return problems
    }

    public var isOfStranger: Bool { submittedBy == nil }

    public var isOpen: Bool { state == .open }

    /// What may be links in what was sent.
    public var links: [LinkText] { LinkText.all(in: changes ?? "") + LinkText.all(in: text ?? "") }

    /// Whether it is stored for a day only: anyone can make any number of these.
    public var isBrief: Bool { isOfStranger && (state == .displaced || state == .withdrawn) }

    public mutating func setChanges<Value: Record>(_ patch: Patch<Value>) {
        guard !patch.fields.isEmpty else { return changes = nil }
        var writer = JSONWriter()
        writer.beginObject()
        patch.values.writeFields(patch.fields, empty: .written, to: &writer)
        writer.endObject()
        changes = String(decoding: writer.bytes, as: UTF8.self)
    }

    /// - Parameter problems: receives what a later version of the program does not accept.
    public func changes<Value: Record>(of type: Value.Type, _ problems: inout FieldProblems) -> Patch<Value> {
        guard let changes else { return Patch() }
        do throws(JSONError) {
            var reader = JSONReader(Array(changes.utf8))
            let patch = try Patch<Value>(from: &reader, &problems)
            try reader.finish()
            return patch
        } catch {
            problems.add("changes", "are not valid JSON: \(error)")
            return Patch()
        }
    }

    /// The proposal after a decision, without what only those needed who decided.
    public func closed(
        as state: State, reason: String? = nil, by person: Int? = nil, event: Int? = nil, at now: Timestamp
    ) -> Proposal {
        var closed = self
        (closed.changes, closed.text, closed.email) = (nil, nil, nil)
        (closed.state, closed.reason, closed.event) = (state, reason, event ?? self.event)
        (closed.decidedAt, closed.decidedBy) = (now, person)
        return closed
    }
}

extension RecordKind {
    public static let proposal = RecordKind("proposal", collection: "proposals", reach: .store)
}
