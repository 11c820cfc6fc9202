import Bytes
import SookeModel
import Testing

@testable import Store

/// What an edit does with passwords, credentials and receipts.
@Suite struct EditPrivateTests {
    private func credential(_ digest: String, of person: Int?) -> Credential {
        var credential = Credential()
        (credential.digest, credential.person) = (digest, person)
        return credential
    }

    private func receipt(_ key: String, of person: Int?, body: String = "{}") -> Receipt {
        var receipt = Receipt()
        (receipt.key, receipt.person, receipt.body) = (key, person, body)
        return receipt
    }

    @Test func theIDOfACredentialIsNeverReused() throws {
        var edit = try EditTown.edit()
        var first = edit.put(credential("a", of: 1))
        #expect(first.id == 1)
        edit.put(first)
        first.seenAt = Timestamp(seconds: 9)
        edit.put(first)
        #expect(edit.community.credentials[digest: "a"]?.seenAt == Timestamp(seconds: 9))
        edit.deleteCredential(1)
        edit.deleteCredential(1)
        #expect(edit.put(credential("b", of: nil)).id == 2)
        #expect(edit.log == ["put grant 1", "put grant 1", "deleted grant 1", "put grant 2"])
    }

    @Test func aPersonHasOnePassword() throws {
        var edit = try EditTown.edit()
        for hash in ["one", "one", "two"] {
            edit.put(PasswordRecord(of: 1, hash: hash, setAt: Timestamp(seconds: 0)))
        }
        #expect(edit.log == ["put password 1", "put password 1"])
        #expect(edit.community.passwords[1]?.hash == "two")
        #expect(edit.community.passwords.count == 1)
    }

    @Test func aKeyHasOneReceiptAPerson() throws {
        var edit = try EditTown.edit()
        #expect(edit.put(receipt("k", of: 1)).id == 1)
        #expect(edit.put(receipt("k", of: 2)).id == 2)
        #expect(edit.put(receipt("k", of: nil)).id == 3)
        #expect(edit.put(receipt("k", of: 1, body: "[]")).id == 1)
        #expect(edit.community.receipts.count == 3)
        #expect(edit.community.receipts[person: 1, key: "k"]?.body == "[]")
        edit.deleteReceipt(1)
        edit.deleteReceipt(1)
        #expect(edit.community.receipts.count == 2)
        #expect(edit.put(receipt("k", of: 1)).id == 4)
    }

    @Test func aPersonTakesAllThatIsPrivateAlong() throws {
        var edit = try EditTown.edit()
        for person in 1...2 {
            edit.put(PasswordRecord(of: person, hash: "h", setAt: Timestamp(seconds: 0)))
            edit.put(credential("a\(person)", of: person))
            edit.put(receipt("k", of: person))
        }
        let before = edit.log.count
        try edit.deletePerson(2)
        #expect(
            edit.log.dropFirst(before) == [
                "deleted password 2", "deleted grant 2", "deleted receipt 2", "put event 1", "deleted user 2",
            ])
        #expect(edit.community.passwords[1] != nil)
        #expect(edit.community.credentials.of(person: 1).count == 1)
    }
}
