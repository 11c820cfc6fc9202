import Bytes
import Credentials
import SookeModel
import Store

/// The administrator of the demo, with a password for this run.
struct DemoLogin: Sendable {
    static let email = "ada@sooke.example"

    let password: String
    private let hash: PasswordHash

    /// A login with a new password.
    init() throws(CommandError) {
        do {
            password = try ReadablePassword.make(for: Self.email)
            // Nobody can guess 60 random bits from a cheap hash, and the start stays fast.
            hash = try PasswordHash.make(Password(password), cost: .lowest)
        } catch {
            throw CommandError(.inputOutput, "cannot make a password: \(error)")
        }
    }

    /// Creates the account.
    func add(to transaction: inout WriteTransaction, at now: Timestamp) throws {
        var patch = Patch<Person>()
        (patch.values.email, patch.values.displayName, patch.values.role) = (Self.email, "Ada", .superAdmin)
        patch.fields = ["email", "display_name", "role"]
        let person = try transaction.create(patch)
        transaction.put(PasswordRecord(of: person.id, hash: hash.stored, setAt: now))
    }
}
