import Bytes
import SookeModel

@testable import Service
@testable import Store

/// Who a client of the feed is in `FeedModelTown`.
struct FeedModelAccount {
    /// The person; nil without an account.
    var person: Int?
    /// The scope of the API token; nil with a session.
    var scope: Credential.Scope?
    /// Whether it is the owner of the data folder, who sees everything without an account.
    var isFolderOwner = false

    static let nobody = FeedModelAccount()

    /// A random one.
    init(_ random: inout SplitMix64, _ town: Town) {
        let people = town.records(of: .person, above: 0, limit: 100).map(\.id)
        switch random.below(6) {
        case 0: break
        case 1: isFolderOwner = true
        default:
            person = people.isEmpty ? nil : random.pick(people)
            scope = random.once(in: 3) ? random.pick([.read, .admin]) : nil
        }
    }

    private init() {}

    var name: String {
        isFolderOwner ? "the folder's owner" : person.map { "person \($0) scope \(scope?.rawValue ?? "-")" } ?? "nobody"
    }

    /// Whether the person still exists.
    func exists(in town: Town) -> Bool { person.map { town.people.has(id: $0) } ?? true }

    /// The caller without a token; nil when it needs one.
    var withoutToken: Caller? { person == nil ? isFolderOwner ? .owner : .anonymous : nil }
}
