import Bytes
import SookeModel
import Testing

@testable import Store

/// Passwords, credentials and receipts, which are only in the log and in snapshots.
@Suite struct PrivateRecordsTests {
    private func town(_ records: [AnyRecord]) throws -> Town {
        var community = Town()
        for record in records { try community.apply(.put(record), at: nil) }
        return community
    }

    /// A town of two people with all kinds of private records.
    private func town() throws -> Town {
        var session = Self.credential(1, digest: "aa", person: 7)
        (session.seenAt, session.staysSignedIn) = (Timestamp(clampingSeconds: 50), true)
        var invitation = Self.credential(2, digest: "bb", person: nil)
        (invitation.purpose, invitation.email, invitation.role) = (.invitation, "new@sooke.example", .businessOwner)
        (invitation.createdBy, invitation.expiresAt) = (7, Timestamp(clampingSeconds: 900))
        var token = Self.credential(3, digest: "cc", person: 7)
        (token.purpose, token.name, token.scope, token.createdByToken) = (.apiToken, "till", .write, 2)
        let password = PasswordRecord(of: 7, hash: "$y$hash", setAt: Timestamp(clampingSeconds: 1))
        return try town([
            AnyRecord(password), AnyRecord(session), AnyRecord(invitation), AnyRecord(token),
            AnyRecord(Self.receipt(1, of: 7, key: "k", at: 20)), AnyRecord(Self.receipt(2, of: nil, key: "k", at: 10)),
            AnyRecord(Self.receipt(3, of: 8, key: "k", at: 10)),
        ])
    }

    private static func credential(_ id: Int, digest: String, person: Int?) -> Credential {
        var credential = Credential()
        (credential.id, credential.digest, credential.person) = (id, digest, person)
        credential.createdAt = Timestamp(clampingSeconds: 5)
        return credential
    }

    private static func receipt(_ id: Int, of person: Int?, key: String, at second: Int) -> Receipt {
        var receipt = Receipt()
        (receipt.id, receipt.person, receipt.key, receipt.at) = (id, person, key, Timestamp(clampingSeconds: second))
        (receipt.fingerprint, receipt.status) = ("ff", 201)
        (receipt.recordKind, receipt.record) = ("event", 1)
        return receipt
    }

    @Test func theyStandInASnapshotAfterAllOthers() throws {
        let expected = #"""
            "events":[
            ],
            "passwords":[
            {"id":7,"hash":"$y$hash","set_at":"1970-01-01T00:00:01Z"}
            ],
            "grants":[
            {"id":1,"purpose":"session","digest":"aa","person":7,"created_at":"1970-01-01T00:00:05Z",\#
            "seen_at":"1970-01-01T00:00:50Z","stays_signed_in":true},
            {"id":2,"purpose":"invitation","digest":"bb","email":"new@sooke.example","role":"business_owner",\#
            "created_at":"1970-01-01T00:00:05Z","created_by":7,"expires_at":"1970-01-01T00:15:00Z"},
            {"id":3,"purpose":"api_token","digest":"cc","person":7,"name":"till","scope":"write",\#
            "created_at":"1970-01-01T00:00:05Z","created_by_token":2}
            ],
            "receipts":[
            {"id":1,"person":7,"key":"k","fingerprint":"ff","status":201,"kind":"event","record":1,\#
            "at":"1970-01-01T00:00:20Z"},
            {"id":2,"key":"k","fingerprint":"ff","status":201,"kind":"event","record":1,\#
            "at":"1970-01-01T00:00:10Z"},
            {"id":3,"person":8,"key":"k","fingerprint":"ff","status":201,"kind":"event","record":1,\#
            "at":"1970-01-01T00:00:10Z"}
            ],
            """#
        #expect(lines(of: try town()).suffix(15).joined(separator: "\n") == expected)
    }

    @Test func aSnapshotReadBackHoldsThem() throws {
        let written = lines(of: try town())
        var reader = TownReader()
        for line in written { try reader.read(Array(line.utf8)[...]) }
        #expect(try lines(of: reader.finish()) == written)
    }

    @Test func aCredentialIsFoundByItsDigestAndItsPerson() throws {
        var community = try town()
        #expect(community.credentials[digest: "bb"]?.id == 2)
        #expect(community.credentials[digest: "AA"] == nil)
        #expect(community.credentials.of(person: 7).map(\.id) == [1, 3])
        #expect(community.credentials.of(person: 8).isEmpty)
        try community.apply(.put(AnyRecord(Self.credential(1, digest: "dd", person: 8))), at: nil)
        #expect(community.credentials[digest: "aa"] == nil)
        #expect(community.credentials[digest: "dd"]?.id == 1)
        #expect(community.credentials.of(person: 7).map(\.id) == [3])
        try community.apply(.delete(.credential, id: 3), at: nil)
        #expect(community.credentials[digest: "cc"] == nil)
        #expect(community.credentials.of(person: 7).isEmpty)
    }

    @Test func aReceiptIsFoundByItsPersonAndKeyAndByItsAge() throws {
        var community = try town()
        #expect(community.receipts[person: 7, key: "k"]?.id == 1)
        #expect(community.receipts[person: nil, key: "k"]?.id == 2)
        #expect(community.receipts[person: 7, key: "K"] == nil)
        #expect(community.receipts.of(person: 7).map(\.id) == [1])
        #expect(community.receipts.before(Timestamp(clampingSeconds: 20)).map(\.id) == [2, 3])
        #expect(community.receipts.before(Timestamp(clampingSeconds: 21)).map(\.id) == [2, 3, 1])
        try community.apply(.delete(.receipt, id: 2), at: nil)
        #expect(community.receipts[person: nil, key: "k"] == nil)
        #expect(community.receipts.before(Timestamp(clampingSeconds: 20)).map(\.id) == [3])
    }
}
