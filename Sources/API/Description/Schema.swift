import Service
import SookeModel
import Store

/// The kind of a JSON object: its name in the description of the API, and its members in the order of responses.
struct Schema: Sendable, Hashable {
    let name: String
    /// The members; empty for an object that is not described by fields.
    let fields: [FieldDescription]

    init(_ name: String, _ fields: FieldDescription...) {
        self.init(name, fields)
    }

    init(_ name: String, _ fields: [FieldDescription]) {
        (self.name, self.fields) = (name, fields)
    }

    /// The schema of a part of a record, such as a menu.
    init(_ name: String, of table: FieldTable) {
        self.init(name, Self.fields(of: table))
    }

    /// The schema of a kind of record, which follows from its fields.
    ///
    /// - Parameter added: the members of responses that follow a field, by the name of that field.
    init(_ type: any StoredRecord.Type, adding added: [String: [FieldDescription]] = [:]) {
        self.init(type.kind.name, Self.fields(of: type.fields, adding: added))
    }

    private static func fields(
        of table: FieldTable, adding added: [String: [FieldDescription]] = [:]
    ) -> [FieldDescription] {
        table.descriptions.flatMap { field in
            (field.isShown || field.isGiven ? [field] : []) + (added[field.name] ?? [])
        }
    }

    /// All schemas, in the order of the description of the API; the kinds of record that have no members of their own
    /// in responses come last.
    static let all: [Schema] = {
        let named = [
            HealthRoute.body.schema, HealthRoute.trouble.schema, business, hours, specialHours, openState, match, menu,
            menuItem, event, eventOverride, occurrence, approval, rejection, proposal, proposalAcceptance, category,
            eventType, user, role, OpenedSession.body.schema, OpenSession.body.schema, credentials, passwordChange,
            newPassword, passwordReset, IssuedLink.invitation.schema, acceptance, setup, setupLink.schema,
            IssuedLink.confirmation.schema, confirmation, IssuedToken.body.schema, StatusReport.body.schema,
            StatusReport.counts.schema, StatusReport.feed.schema, feedChange, SnapshotSummary.body.schema,
            ReadOnlyReport.body.schema, report, importProgress, History.Entry.body.schema, Author.body.schema,
            History.Field.body.schema, audit, holidayDate, TownClockFollowers.body.schema,
        ]
        let others = Town.recordTypes.filter { type in !named.contains { $0.name == type.kind.name } }
        return named + others.map { Schema($0) }
    }()

    /// The schema with a name; nil when there is none.
    static func named(_ name: String) -> Schema? { all.first { $0.name == name } }
}

extension FieldDescription {
    /// The use of a member that is not a field of a record.
    enum Use: Sendable {
        case shown
        case given
        case both
    }

    init(_ name: String, _ kind: Kind, use: Use, required: Bool = false, _ explanation: String) {
        var options: FieldOptions =
            switch use {
            case .shown: .shown
            case .given: .setByOwner
            case .both: [.shown, .setByOwner]
            }
        if required { options.insert(.required) }
        self.init(name, kind, options, explanation)
    }

    /// A member of responses.
    static func shown(_ name: String, _ kind: Kind, _ explanation: String) -> Self {
        Self(name, kind, use: .shown, explanation)
    }

    /// A member of requests that may be left out.
    static func given(_ name: String, _ explanation: String, kind: Kind = .text) -> Self {
        Self(name, kind, use: .given, explanation)
    }

    /// A member that a request must have.
    static func required(_ name: String, _ explanation: String, kind: Kind = .text) -> Self {
        Self(name, kind, use: .given, required: true, explanation)
    }
}
