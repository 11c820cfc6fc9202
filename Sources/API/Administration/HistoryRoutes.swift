import Bytes
import Dispatcher
import HTTP
import JSON
import Service
import SookeModel
import Store

/// `/history`: the changes of a record, with their authors and times.
enum HistoryRoutes {
    static func add(to routes: inout RouteList) {
        // Not on an event loop, because it reads the log.
        routes.add(
            .get, "/api/v1/history", "Lists the changes of a record, the newest first", .member,
            gives: .items(History.Entry.body.schema), query: [.of, .limit, .before], .async(list))
        routes.add(
            .post, "/api/v1/history/{sequence}/undo",
            "Undoes the change with a sequence number, whose digest If-Match names, where nothing has changed since",
            .member, gives: .one(CommitUndo.body.schema), query: [.reverse, .keep, .leaveChanged], .async(undo))
    }

    private static func undo(_ call: Call) async throws -> Response {
        let choices = CommitUndo.Choices(
            leavesChanged: try call.flag("leave_changed"), reversed: try names("reverse", call),
            kept: try names("keep", call))
        let sequence = try call.id("sequence")
        let undo = try await call.service.undo(sequence, choices, for: call.context(hasKey: false))
        guard undo.conflicts.isEmpty else {
            var error = HTTPError(
                .conflict, code: "changed_since",
                message: "some of it was changed since, and nothing was undone; name each conflict in reverse or keep")
            var writer = JSONWriter()
            writer.array(undo.conflicts, CommitUndo.Conflict.body.write)
            error.detail = ("conflicts", writer.bytes)
            throw error
        }
        return .plainJSON(CommitUndo.body.json(undo))
    }

    private static func names(_ parameter: String, _ call: Call) throws(HTTPError) -> Set<ByteText> {
        let names = try call.parameter(parameter)?.utf8.split(separator: UInt8(ascii: ",")) ?? []
        return Set(names.map { ByteText(String(Substring($0))) })
    }

    private static func list(_ call: Call) async throws -> Response {
        let (kind, name) = try subject(of: call)
        let limit = try call.limit(orElse: PageRequest.defaultSize, upTo: 100)
        let history = try await call.service.history(
            of: kind, named: name, limit: limit, before: call.count("before"), for: call.context())
        let body = [UInt8].items(history.entries) {
            History.Entry.body.write(($0, call), to: &$1)
        } and: { writer in
            writer.member("next", history.next)
        }
        return .plainJSON(body)
    }

    /// The record in `of`, such as `businesses/slack-tide`: its kind, and its slug or ID.
    private static func subject(of call: Call) throws(HTTPError) -> (kind: RecordKind, name: String) {
        let parts = (try call.parameter("of") ?? "").utf8.split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty,
            let kind = Town.sharedKinds.first(where: { $0.segment.utf8.elementsEqual(parts[0]) })
        else {
            throw .invalidParameter("of names a record, such as businesses/the-slack-tide-pub")
        }
        return (kind, String(decoding: parts[1], as: UTF8.self))
    }
}

extension History.Entry {
    static let body = Body<(entry: History.Entry, call: Call)>(
        "change",
        Member("sequence", "The sequence number of the commit") { $0.entry.position.sequence },
        Member("digest", "The digest of the history up to it, for If-Match of its undo") {
            "\($0.entry.position.chain)"
        },
        Member("at", "When it was made") { $0.entry.at },
        Member(
            "by", .objectOrText(Author.body.schema.name), "Who made it; local for the owner of the server"
        ) { item, writer in
            switch item.entry.by {
            case .local: writer.string("local")
            case .other(let text): writer.string(text)
            case .person(let id): Author.body.write((id, item.call), to: &writer)
            }
        },
        Member("action", "What it did", kind: .choice(["created", "updated", "deleted"])) { $0.entry.action.rawValue },
        Member("changes", .list(History.Field.body.schema.name), "The fields that changed") { item, writer in
            writer.array(item.entry.fields, History.Field.body.write)
        })
}

extension History.Field {
    static let body = Body<History.Field>(
        "field_change",
        Member("field", "Which field, as the dataset calls it") { $0.name },
        Member("before", .any, "The value before; null if there was none") { $1.rawOrNull($0.before) },
        Member("after", .any, "What it is since") { $1.rawOrNull($0.after) })
}

extension CommitUndo {
    static let body = Body<CommitUndo>(
        "undo",
        Member("changed", "How many records were changed") { $0.changed.count },
        Member("left", .list(Left.body.schema.name), "The records that stay as they are") { undo, writer in
            writer.array(undo.left, Left.body.write)
        })
}

extension CommitUndo.Left {
    static let body = Body<CommitUndo.Left>(
        "undo_left",
        Member("record", "Its kind and ID") { $0.record.name },
        Member("label", "What it is called") { $0.label },
        Member("reason", "changed_since, deleted_since, or why the town does not take it") { left in
            switch left.reason {
            case .changedSince: "changed_since"
            case .deletedSince: "deleted_since"
            case .refused(let error): HTTPError(error).message
            }
        })
}

extension CommitUndo.Conflict {
    static let body = Body<CommitUndo.Conflict>(
        "undo_conflict",
        Member("name", "Its name for reverse and keep") { $0.name },
        Member("label", "What the record is called") { $0.label },
        Member("before", .any, "The value before the change") { $1.rawOrNull($0.field?.before) },
        Member("now", .any, "What it is now") { $1.rawOrNull($0.field?.now) })
}

extension Author {
    /// With the current name of the account.
    static let body = Body<(id: Int, call: Call)>(
        "author",
        Member("id", "The ID of the user") { $0.id },
        Member("display_name", "Their display name; null when the account was deleted") {
            $0.call.town.people[$0.id]?.displayName
        },
        Member("email", "Their address, for super admins; else null") { author in
            let call = author.call
            let isShown = call.service.showsAddress(of: author.id, to: call.caller, in: call.town)
            return isShown ? call.town.people[author.id]?.email : nil
        })
}

extension JSONWriter {
    fileprivate mutating func rawOrNull(_ value: [UInt8]?) {
        if let value { raw(value) } else { null() }
    }
}

/// `/admin/audit`: logins, refusals, and actions on accounts and credentials.
enum AuditRoute {
    static func add(to routes: inout RouteList) {
        // Not on an event loop, because it reads a file.
        routes.add(
            .get, AuditEntry.path, "Lists logins, refusals and changes of accounts, the newest first",
            .superAdmin, gives: .items(AuditEntry.body.schema), query: [.limit, .strangers],
            .async { call in
                let limit = try call.limit(orElse: 100, upTo: 1000)
                let books: [AuditBook] = try call.flag("strangers", orElse: true) ? AuditBook.allCases : [.people]
                let entries = try call.service.audit?.newest(limit, of: books) ?? []
                return .plainJSON(.items(entries) { $1.raw($0) })
            })
    }
}

extension Call {
    fileprivate func limit(orElse usual: Int, upTo most: Int) throws(HTTPError) -> Int {
        let limit = try count("limit") ?? usual
        guard limit <= most else { throw .invalidParameter("limit is a number from 1 to \(most)") }
        return limit
    }
}
