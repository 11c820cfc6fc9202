import Bytes
import JSON
import Platform
import Service
import SookeModel
import Store

/// The accounts of the demo, with one password: an administrator, the owner of a business and a resident.
struct DemoLogins: Sendable {
    struct Login: Sendable, Equatable {
        let role: Person.Role
        let email: String
        var business: String?
    }

    let password: String
    private let hash: PasswordHash

    /// Logins with a password; nil makes a new one.
    init(password given: String?) throws(CommandError) {
        if let given, let problem = PasswordPolicy.problem(with: Password(given)) {
            throw CommandError(.usage, "--password \(problem)")
        }
        (password, hash) = try CommandError.mapped("cannot make a password", .inputOutput) {
            let password = try given ?? ReadablePassword.make(for: Self.administrator)
            // Nobody can guess 60 random bits from a cheap hash, and the start stays fast.
            return (password, try PasswordHash.make(Password(password), cost: .lowest))
        }
    }

    private static let administrator = "ada@sooke.example"
    private static let owner = "owen@sooke.example"
    private static let resident = "rosa@sooke.example"

    /// Gives the password to an administrator, the owner of a business and a resident: those that the town has, or new
    /// ones. The administrator is always new.
    func add(to transaction: inout WriteTransaction, at now: Timestamp) throws -> [Login] {
        let people = transaction.town.people
        let businesses = transaction.town.businesses.inOrderOfID
        let first = businesses.first { _ in true }
        let owned = businesses.first { business in
            business.ownerID.flatMap { people[$0] }?.role == .businessOwner
        }
        let admin = try person(Self.administrator, "Ada", .superAdmin, in: &transaction)
        let owner =
            try owned?.ownerID.flatMap { people[$0] } ?? person(Self.owner, "Owen", .businessOwner, in: &transaction)
        if owned == nil, let business = first {
            var patch = Patch<Business>()
            (patch.values.slug, patch.values.ownerID, patch.fields) = (business.slug, owner.id, ["slug", "owner_id"])
            try transaction.upsert(patch)
        }
        let resident =
            try people.inOrderOfID.first { $0.role == .generalUser }
            ?? person(Self.resident, "Rosa", .generalUser, in: &transaction)
        return [(admin, nil), (owner, (owned ?? first)?.slug), (resident, nil)].map { person, slug in
            transaction.put(PasswordRecord(of: person.id, hash: hash.stored, setAt: now))
            return Login(role: person.role, email: person.email, business: slug?.text)
        }
    }

    private func person(
        _ email: String, _ name: String, _ role: Person.Role, in transaction: inout WriteTransaction
    ) throws -> Person {
        var patch = Patch<Person>()
        (patch.values.email, patch.values.displayName, patch.values.role) = (email, name, role)
        patch.fields = ["email", "display_name", "role"]
        try transaction.upsert(patch)
        guard let person = transaction.town.people[email: email] else {
            throw CommandError(.inputOutput, "cannot make the account \(email)")
        }
        return person
    }
}

/// Passwords that a person can read and type: syllables such as `bafo-kiru-mepo-sadu-lina`.
enum ReadablePassword {
    private static let consonants = Array("bdfghjklmnprstvz")
    private static let vowels = Array("aiou")
    private static let syllables = 10

    /// A new password of 60 random bits, which is allowed for an account.
    static func make(for email: String) throws(SystemError) -> String {
        while true {
            let text = text(of: try RandomSource.bytes(syllables))
            // A few happen to contain the name of the account.
            if PasswordPolicy.problem(with: Password(text), knowing: [email]) == nil { return text }
        }
    }

    /// The text of some bytes: six bits of each make a syllable, and all syllables are equally likely.
    static func text(of bytes: [UInt8]) -> String {
        var text = ""
        for (index, byte) in bytes.enumerated() {
            if index > 0, index.isMultiple(of: 2) { text.append("-") }
            text.append(consonants[Int(byte >> 2 & 15)])
            text.append(vowels[Int(byte & 3)])
        }
        return text
    }
}

struct DemoGreeting {
    let address: String
    let folder: String
    let town: Town
    let isFictional: Bool
    let password: String
    let accounts: [DemoLogins.Login]

    private var service: String { isFictional ? "a made-up town" : town.summary }

    var text: String {
        """
        sooke: ready at \(address) with \(service); open it in a browser

        Log in at \(address)/login with the password \(ShellWord.quoted(password)) as

        \(accounts.map { "  \(Self.words($0))\n" }.joined())
        Programs ask

        \(requests.map { "  curl \($0)\n" }.joined())\
          curl \(address)/api/v1/session --json \(ShellWord.quoted(credentials))

        Pages from this machine may read it, from any port. For other commands: --data \(ShellWord.quoted(folder))
        Control-C ends it and removes its folder.

        """
    }

    private var requests: [String] {
        let business = town.businesses.inOrderOfID.first { $0.categoryID != nil }
        let one = business.map { ["businesses/\(PercentCoding.encode($0.slug.text.utf8))"] } ?? []
        return (["businesses"] + one).map { "\(address)/api/v1/\($0)" }
            + [isFictional ? "'\(address)/api/v1/events?search=market'" : "\(address)/api/v1/events"]
    }

    private var credentials: String {
        let body = JSONWriter.object { writer in
            writer.member("email", accounts.first?.email)
            writer.member("password", password)
        }
        return String(decoding: body, as: UTF8.self)
    }

    private static func words(_ account: DemoLogins.Login) -> String {
        let role =
            switch account.role {
            case .superAdmin: "an administrator: may do everything"
            case .editor: "an editor: changes all businesses and events"
            case .businessOwner:
                (account.business.map { "the owner of \($0)" } ?? "an owner") + ": changes it, and what is on there"
            case .generalUser: "a resident: sends events"
            }
        return account.email + String(repeating: " ", count: max(1, 28 - account.email.count)) + role
    }

    var message: LogMessage {
        LogMessage(.info, "ready at \(address) with \(service) (data in \(folder))") { writer in
            writer.member("address", address)
            writer.member("data", folder)
            writer.member("email", accounts.first?.email)
            writer.member("password", password)
            writer.key("logins")
            writer.beginArray()
            for account in accounts {
                writer.beginObject()
                writer.member("role", account.role.rawValue)
                writer.member("email", account.email)
                writer.endObject()
            }
            writer.endArray()
        }
    }
}
