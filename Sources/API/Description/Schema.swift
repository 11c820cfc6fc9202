import Service
import SookeModel
import Store

/// The kind of a JSON object, with its members in the order of responses.
struct Schema: Sendable, Hashable {
    let name: String
    /// Empty for an object that is not described by fields.
    let fields: [FieldDescription]

    init(_ name: String, _ fields: FieldDescription...) {
        self.init(name, fields)
    }

    init(_ name: String, _ fields: [FieldDescription]) {
        (self.name, self.fields) = (name, fields)
    }

    init(_ name: String, of table: FieldTable) {
        self.init(name, Self.fields(of: table))
    }

    /// - Parameter added: the members of responses that follow a field, by its name.
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

    /// In the order of the description of the API; the kinds of record that have no members of their own in responses
    /// come last.
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

    static func named(_ name: String) -> Schema? { all.first { $0.name == name } }
}

extension FieldDescription {
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

    /// Of responses.
    static func shown(_ name: String, _ kind: Kind, _ explanation: String) -> Self {
        Self(name, kind, use: .shown, explanation)
    }

    /// Of requests, and may be left out.
    static func given(_ name: String, _ explanation: String, kind: Kind = .text) -> Self {
        Self(name, kind, use: .given, explanation)
    }

    /// Of requests.
    static func required(_ name: String, _ explanation: String, kind: Kind = .text) -> Self {
        Self(name, kind, use: .given, required: true, explanation)
    }
}
