import Service
import SookeModel
import Store

extension Schema {
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
            StatusReport.counts.schema, StatusReport.feed.schema, HealthFinding.body.schema, feedChange,
            SnapshotSummary.body.schema,
            ReadOnlyReport.body.schema, report, ImportProgress.body.schema, History.Entry.body.schema,
            Author.body.schema, History.Field.body.schema, CommitUndo.body.schema, CommitUndo.Left.body.schema,
            AuditEntry.body.schema, holidayDate, unconfirmed, TownClockFollowers.body.schema,
            calendar, pulledDay, calendarCheck, CalendarFetches.Check.link.schema, takenField, otherCalendar,
        ]
        let others = Town.recordTypes.filter { type in !named.contains { $0.name == type.kind.name } }
        return named + others.map { Schema($0) }
    }()

    static func named(_ name: String) -> Schema? { all.first { $0.name == name } }
}
