import SookeModel
import Store

/// The kind of a JSON object; `fields` describes its members.
struct Schema: RawRepresentable, Sendable, Hashable {
    /// The name in the description of the API.
    let rawValue: String

    init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The schema of a kind of record, which follows from its fields.
    init(_ kind: RecordKind) {
        self.init(rawValue: kind.name)
    }
}

extension Schema {
    static let health = Schema(rawValue: "health")
    static let trouble = Schema(rawValue: "trouble")
    static let business = Schema(.business)
    static let hours = Schema(rawValue: DayHours.schemaName)
    static let specialHours = Schema(rawValue: SpecialHours.schemaName)
    static let openState = Schema(rawValue: "open_state")
    static let match = Schema(rawValue: "match")
    static let menu = Schema(rawValue: Menu.schemaName)
    static let menuItem = Schema(rawValue: MenuItem.schemaName)
    static let event = Schema(.event)
    static let eventOverride = Schema(rawValue: EventOverride.schemaName)
    static let occurrence = Schema(rawValue: "occurrence")
    static let approval = Schema(rawValue: "approval")
    static let rejection = Schema(rawValue: "rejection")
    static let proposal = Schema(.proposal)
    static let proposalAcceptance = Schema(rawValue: "proposal_acceptance")
    static let category = Schema(.category)
    static let eventType = Schema(.eventType)
    static let user = Schema(.person)
    static let role = Schema(rawValue: "role")
    static let session = Schema(rawValue: "session")
    static let openSession = Schema(rawValue: "open_session")
    static let credentials = Schema(rawValue: "credentials")
    static let passwordChange = Schema(rawValue: "password_change")
    static let newPassword = Schema(rawValue: "new_password")
    static let passwordReset = Schema(rawValue: "password_reset")
    static let invitation = Schema(rawValue: "invitation")
    static let acceptance = Schema(rawValue: "acceptance")
    static let setup = Schema(rawValue: "setup")
    static let setupLink = Schema(rawValue: "setup_link")
    static let confirmationLink = Schema(rawValue: "confirmation_link")
    static let confirmation = Schema(rawValue: "confirmation")
    static let token = Schema(rawValue: "token")
    static let status = Schema(rawValue: "status")
    static let counts = Schema(rawValue: "counts")
    static let snapshot = Schema(rawValue: "snapshot")
    static let readOnly = Schema(rawValue: "read_only")
    static let report = Schema(rawValue: "report")
    static let importProgress = Schema(rawValue: "import_progress")
    static let feed = Schema(rawValue: "feed")
    static let feedChange = Schema(rawValue: "feed_change")
    static let change = Schema(rawValue: "change")
    static let author = Schema(rawValue: "author")
    static let fieldChange = Schema(rawValue: "field_change")
    static let audit = Schema(rawValue: "audit")
    static let holidayDate = Schema(rawValue: HolidayDate.schemaName)
    static let clockFollowers = Schema(rawValue: "clock_followers")
}

extension Schema: CaseIterable {
    /// All schemas, in the order of the description of the API: those above, then the other kinds of record.
    static let allCases: [Schema] = {
        let named: [Schema] = [
            health, trouble, business, hours, specialHours, openState, match, menu, menuItem, event,
            eventOverride, occurrence, approval, rejection, proposal, proposalAcceptance,
            category, eventType, user,
            role, session, openSession, credentials, passwordChange, newPassword, passwordReset, invitation,
            acceptance, setup, setupLink, confirmationLink, confirmation, token, status, counts, feed, feedChange,
            snapshot, readOnly,
            report, importProgress, change, author,
            fieldChange, audit, holidayDate, clockFollowers,
        ]
        return named + Town.sharedKinds.map(Schema.init).filter { !named.contains($0) }
    }()
}

extension Schema {
    /// The fields in responses and requests of a record type, with members that responses add.
    ///
    /// - Parameter added: the members that follow a field, by the name of that field.
    static func fields(
        of table: FieldTable, adding added: [String: [FieldDescription]] = [:]
    ) -> [FieldDescription] {
        table.descriptions.flatMap { field in
            (field.isShown || field.isGiven ? [field] : []) + (added[field.name] ?? [])
        }
    }
}

extension FieldDescription {
    /// The use of a member that is not a field of a record.
    enum Use: Sendable {
        case shown
        case given
        case both
    }

    init(_ name: String, _ kind: Kind, use: Use = .both, required: Bool = false, _ explanation: String) {
        var options: FieldOptions =
            switch use {
            case .shown: .shown
            case .given: .setByOwner
            case .both: [.shown, .setByOwner]
            }
        if required { options.insert(.required) }
        self.init(name, kind, options, explanation)
    }
}

extension FieldDescription.Kind {
    static func one(_ schema: Schema) -> Self { .object(schema.rawValue) }
    /// An object with a schema, or a text instead.
    static func oneOrText(_ schema: Schema) -> Self { .objectOrText(schema.rawValue) }
    /// A list of objects with a schema.
    static func list(_ schema: Schema) -> Self { .list(schema.rawValue) }
}
