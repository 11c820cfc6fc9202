import Bytes
import Testing

@testable import Journal

@Suite struct ManifestTests {
    private static let empty = Manifest(store: "00112233445566778899aabbccddeeff")

    private static let full: Manifest = {
        var manifest = empty
        manifest.segments = [
            .init(
                first: 1,
                seal: .init(
                    end: .init(last: 700, length: 90112, checksum: 0x9A3E_01C7, chain: CommitChain(7)),
                    at: Timestamp(microseconds: 1_500_000))),
            .init(
                first: 701,
                seal: .init(
                    end: .init(last: 1200, length: 512, checksum: 2, chain: CommitChain(0x8F3C_5A77_90D1_E2B4)),
                    at: Timestamp(microseconds: 1_500_000))),
            .init(first: 1201),
        ]
        manifest.snapshots = [
            .init(sequence: 700, length: 5000, checksum: 1, at: Timestamp.epoch, chain: CommitChain(7)),
            .init(
                sequence: 1200, length: 70311, checksum: 0x1F0A_77B2, at: Timestamp(microseconds: 1_250_000),
                chain: CommitChain(0x8F3C_5A77_90D1_E2B4)),
        ]
        manifest.closed = .init(last: 1201, length: 1024, checksum: 3, chain: CommitChain(15))
        return manifest
    }()

    @Test(arguments: [empty, full])
    func itReadsAsItWasWritten(manifest: Manifest) throws {
        #expect(try Manifest(manifest.bytes) == manifest)
    }

    @Test func itLooksLikeThis() {
        #expect(
            String(decoding: Self.full.bytes, as: UTF8.self).split(separator: "\n").dropLast().joined(separator: "\n")
                == """
                {"format":"sooke-manifest/4",
                "store":"00112233445566778899aabbccddeeff",
                "segments":[
                {"file":"wal-00000000000000000001.log","first":1,"last":700,"length":90112,"checksum":"9a3e01c7","chain":"0000000000000007","sealed":"1970-01-01T00:00:01.5Z"},
                {"file":"wal-00000000000000000701.log","first":701,"last":1200,"length":512,"checksum":"00000002","chain":"8f3c5a7790d1e2b4","sealed":"1970-01-01T00:00:01.5Z"},
                {"file":"wal-00000000000000001201.log","first":1201}
                ],
                "snapshots":[
                {"file":"snapshot-00000000000000000700.json","sequence":700,"length":5000,"checksum":"00000001","chain":"0000000000000007","at":"1970-01-01T00:00:00Z"},
                {"file":"snapshot-00000000000000001200.json","sequence":1200,"length":70311,"checksum":"1f0a77b2","chain":"8f3c5a7790d1e2b4","at":"1970-01-01T00:00:01.25Z"}
                ],
                "closed":{"last":1201,"length":1024,"checksum":"00000003","chain":"000000000000000f"},
                """)
    }

    @Test(
        arguments: [
            { $0.segments[2].first = 1300 }, { $0.segments[0].seal = nil }, { $0.snapshots.swapAt(0, 1) },
            { $0.segments.swapAt(0, 1) }, { $0.segments = [] },
            { $0.segments[2].seal = $0.segments[0].seal },
        ] as [@Sendable (inout Manifest) -> Void])
    func aListThatContradictsItselfIsRefused(change: @Sendable (inout Manifest) -> Void) {
        var manifest = Self.full
        change(&manifest)
        #expect(throws: CheckedDocumentError.self) { try Manifest(manifest.bytes) }
    }
}
