import Credentials
import SookeModel
import Store

/// A token or a one-time link that was just issued. Its secret is not shown again.
public struct IssuedCredential: Sendable, RepeatableResult {
    /// The secret.
    public let token: Token
    /// The stored form.
    public let credential: Credential

    var receiptContent: ReceiptContent? {
        ReceiptContent(kind: .credential, id: credential.id, isCreated: true, version: nil)
    }

    static func repeating(
        _ receipt: Receipt, for caller: Caller, in town: Town
    ) throws(ServiceError) -> IssuedCredential {
        throw .shownOnce
    }
}
