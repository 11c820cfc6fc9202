import Bytes
import JSON
import SookeModel
import Store

/// What the demo prints when it is ready.
struct DemoGreeting {
    let address: String
    let folder: String
    let town: Town
    let isFictional: Bool
    let password: String
    let accounts: [DemoLogins.Login]

    private var service: String { isFictional ? "a made-up town" : town.summary }

    /// The greeting for people.
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

    /// The body of a login of the administrator.
    private var credentials: String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("email", accounts.first?.email)
        writer.member("password", password)
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
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

    /// The greeting as a line of the log.
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
