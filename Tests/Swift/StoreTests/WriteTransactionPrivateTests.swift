import Bytes
import SookeModel
import Testing

@testable import Store

/// Passwords, credentials, receipts and proposals in a transaction.
@Suite struct WriteTransactionPrivateTests {
    private func credential(_ digest: String, of person: Int?) -> Credential {
        var credential = Credential()
        (credential.digest, credential.person) = (digest, person)
        return credential
    }

    private func receipt(_ key: String, of person: Int?, record: Int = 1) -> Receipt {
        var receipt = Receipt()
        (receipt.key, receipt.person, receipt.recordKind, receipt.record) = (key, person, "business", record)
        return receipt
    }

    @Test func theIDOfACredentialIsNeverReused() throws {
        var transaction = try TransactionTown.transaction()
        var first = transaction.put(credential("a", of: 1))
        #expect(first.id == 1)
        transaction.put(first)
        first.seenAt = Timestamp(clampingSeconds: 9)
        transaction.put(first)
        #expect(transaction.town.credentials[digest: "a"]?.seenAt == Timestamp(clampingSeconds: 9))
        transaction.deleteCredential(1)
        transaction.deleteCredential(1)
        #expect(transaction.put(credential("b", of: nil)).id == 2)
        #expect(transaction.log == ["put grant 1", "put grant 1", "deleted grant 1", "put grant 2"])
    }

    @Test func aPersonHasOnePassword() throws {
        var transaction = try TransactionTown.transaction()
        for hash in ["one", "one", "two"] {
            transaction.put(PasswordRecord(of: 1, hash: hash, setAt: Timestamp.epoch))
        }
        #expect(transaction.log == ["put password 1", "put password 1"])
        #expect(transaction.town.passwords[1]?.hash == "two")
        #expect(transaction.town.passwords.count == 1)
    }

    @Test func aKeyHasOneReceiptAPerson() throws {
        var transaction = try TransactionTown.transaction()
        #expect(transaction.put(receipt("k", of: 1)).id == 1)
        #expect(transaction.put(receipt("k", of: 2)).id == 2)
        #expect(transaction.put(receipt("k", of: nil)).id == 3)
        #expect(transaction.put(receipt("k", of: 1, record: 2)).id == 1)
        #expect(transaction.town.receipts.count == 3)
        #expect(transaction.town.receipts[person: 1, key: "k"]?.record == 2)
        transaction.deleteReceipt(1)
        transaction.deleteReceipt(1)
        #expect(transaction.town.receipts.count == 2)
        #expect(transaction.put(receipt("k", of: 1)).id == 4)
    }

    @Test func aPersonTakesAllThatIsPrivateAlong() throws {
        var transaction = try TransactionTown.transaction()
        for person in 1...2 {
            transaction.put(PasswordRecord(of: person, hash: "h", setAt: Timestamp.epoch))
            transaction.put(credential("a\(person)", of: person))
            transaction.put(receipt("k", of: person))
            var proposal = Proposal()
            proposal.submittedBy = person
            transaction.put(proposal, at: Timestamp.epoch)
        }
        let before = transaction.log.count
        try transaction.deletePerson(2)
        #expect(
            transaction.log.dropFirst(before) == [
                "deleted password 2", "deleted grant 2", "deleted receipt 2", "deleted proposal 2", "put event 1",
                "deleted user 2",
            ])
        #expect(transaction.town.passwords[1] != nil && transaction.town.proposals.open.map(\.id) == [1])
        #expect(transaction.town.credentials.of(person: 1).count == 1)
    }
}
