import Bytes

/// An e-mail that waits to be sent, or what became of it. It is private; see `RecordKind.isShared`.
///
/// It has neither text nor secret: both are made of the town when it is sent, so that no log and no backup contains a
/// link that opens something. When it is done its address leaves the record.
public struct Mail: StoredRecord {
    public enum Topic: String, ChoiceValue {
        /// A link with which an invited person creates an account.
        case invitation
        /// A link for a new password.
        case password
        /// Events and reports wait for a decision.
        case waiting
        /// An event is published.
        case published
        /// The link with which a sender without an account comes back.
        case reference
        /// Whether a place is open on a holiday.
        case holiday
        /// Whether the details of a place are still correct.
        case confirmation
        case test
    }

    public enum State: String, ChoiceValue {
        case waiting
        case sent
        case failed
        /// Who has the address wants no more of it; the record has a digest of the address.
        case stopped
    }

    public static let kind = RecordKind.mail

    public var id = 0
    public var topic = Topic.test
    /// The ID of the person whom it is for; nil for somebody without an account.
    public var person: Int?
    /// The address of somebody without an account, or of a test, while it waits.
    public var email: String?
    /// The ID of the record that it is about, or the day of a holiday.
    public var about: Int?
    /// The ID of the one-time link in it.
    public var credential: Int?
    public var madeAt = Timestamp.epoch
    /// When it is to be tried next.
    public var dueAt = Timestamp.epoch
    public var tries = 0
    public var state = State.waiting
    public var doneAt: Timestamp?
    /// What the mail server said last.
    public var words: String?

    public init() {}

    public init(_ topic: Topic, to person: Int?, email: String? = nil, about: Int? = nil, at now: Timestamp) {
        (self.topic, self.person, self.email, self.about, madeAt, dueAt) = (topic, person, email, about, now, now)
    }

    public static let fields = FieldTable(of: Mail.self)

    @inline(__always)
    public static func visit<Visitor: FieldVisitor<Mail>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.field("id", \.id, .id, .stored, "Unique ID; never reused")
        try visitor.field("topic", \.topic, .any, .stored, "What it says")
        try visitor.field("person", \.person, .reference, .leftOutWhenEmpty, "Whom it is for")
        try visitor.field("email", \.email, .any, .leftOutWhenEmpty, "The address of somebody without an account")
        try visitor.field("about", \.about, .reference, .leftOutWhenEmpty, "The ID of what it is about")
        try visitor.field("credential", \.credential, .reference, .leftOutWhenEmpty, "The one-time link in it")
        try visitor.field("made_at", \.madeAt, .any, .stored, "When it was made")
        try visitor.field("due_at", \.dueAt, .any, .stored, "When it is to be tried next")
        try visitor.field(
            "tries", \.tries, .range(0...1_000_000, "must be a number of tries"), .leftOutWhenEmpty,
            "How often it was tried in vain")
        try visitor.field("state", \.state, .any, .stored, "Whether it waits, or what became of it")
        try visitor.field("done_at", \.doneAt, .any, .leftOutWhenEmpty, "When it was sent, or has failed")
        try visitor.field("words", \.words, .any, .leftOutWhenEmpty, "What the mail server said last")
    }

    /// As it stays when nothing more is to be done, without what only the sending needed.
    public func done(_ state: State, _ words: String?, at now: Timestamp) -> Mail {
        var mail = self
        (mail.state, mail.words, mail.doneAt) = (state, words, now)
        (mail.email, mail.credential) = (nil, nil)
        return mail
    }
}

extension RecordKind {
    public static let mail = RecordKind("mail", collection: "mails", reach: .store)
}
