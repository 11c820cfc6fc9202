import Bytes
import JSON
import SookeModel
import Testing

@testable import Store

/// A town that transactions start from.
///
/// It has the categories `bars` and `shops`, the event types `music` and `fairs`, Ann (1) and Bob (2); Ann's pub (1,
/// `pub`, in `bars`) and a shed (2, `shed`); a gig of Bob's at the pub (1, `gig`, `music`) and a fair on the green (2,
/// `fair`, `fairs`).
enum TransactionTown {
    static func transaction() throws -> WriteTransaction {
        var transaction = WriteTransaction(Town())
        for name in ["Bars", "Shops"] {
            _ = try transaction.create(patch(SookeModel.Category.self, #"{"name":"\#(name)"}"#))
        }
        for name in ["Music", "Fairs"] { _ = try transaction.create(patch(EventType.self, #"{"name":"\#(name)"}"#)) }
        for name in ["ann", "bob"] {
            try transaction.create(patch(Person.self, #"{"email":"\#(name)@sooke.example"}"#))
        }
        try transaction.create(
            patch(
                Business.self,
                #"{"name":"Pub","category":"bars","owner_id":1,"address":"1 A","latitude":48.5,"longitude":-123.5,"#
                    + #""menus":[{"name":"Taps","items":[{"name":"Ale","price":"7.50"}]}]}"#))
        try transaction.create(patch(Business.self, #"{"name":"Shed","address":"2 B","latitude":48,"longitude":-123}"#))
        try transaction.create(
            patch(
                Event.self,
                #"{"name":"Gig","event_type":"music","business":"pub","submitted_by":2,"#
                    + #""starts_at":"2027-01-01T20:00:00Z","status":"approved"}"#))
        try transaction.create(
            patch(
                Event.self,
                #"{"name":"Fair","event_type":"fairs","latitude":48.25,"longitude":-123.25,"#
                    + #""starts_at":"2027-01-02T20:00:00Z"}"#))
        return WriteTransaction(transaction.town)
    }

    /// A patch from JSON.
    static func patch<Value: Record>(_ type: Value.Type, _ json: String) throws -> Patch<Value> {
        var problems = FieldProblems()
        var reader = JSONReader(Array(json.utf8))
        let patch = try Patch<Value>(from: &reader, &problems)
        #expect(problems.isEmpty)
        return patch
    }
}

extension WriteTransaction {
    /// The changes in short, such as `put business 1` or `deleted credential 3`.
    var log: [String] {
        changes.map { "\($0.after == nil ? "deleted" : "put") \($0.kind.name) \($0.id)" }
    }

    /// Whether the changes rebuild the town after from the town before.
    func isRebuilt(from before: Town) throws -> Bool {
        var rebuilt = before
        for change in changes { try rebuilt.apply(change.change, at: at) }
        return lines(of: rebuilt) == lines(of: town)
    }
}

extension WriteError {
    /// The error in short, for tables.
    var words: String {
        switch self {
        case .invalid(let problems): problems.all.map(\.description).joined(separator: "; ")
        case .taken(let slug): "taken: \(slug.text)"
        case .nameTaken(let name): "name taken: \(name)"
        case .inUse(let count): "in use: \(count)"
        case .notFound: "not found"
        }
    }
}
