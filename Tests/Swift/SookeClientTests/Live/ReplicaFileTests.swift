import Foundation
import Testing

@testable import ClientTestSupport
@testable import SookeClient

@Suite struct ReplicaFileTests {
    private let folder: LiveFolder
    private let client = APIClient(baseURL: "https://town.example")
    private var url: URL { folder.url.appending(path: "replica.json") }
    private var file: ReplicaFile { ReplicaFile(url, for: client) }

    init() throws {
        folder = try LiveFolder()
    }

    private static func replica(_ names: String...) throws -> TownReplica {
        let changes = names.enumerated().map { id, name in
            let record = #"{"id":\#(id),"name":"\#(name)","slug":"c\#(id)"}"#
            return #"{"kind":"category","action":"created","id":\#(id),"slug":"c\#(id)","record":\#(record)}"#
        }
        var replica = TownReplica()
        let decoded = try JSONDecoder().decode([Change].self, from: Data("[\(changes.joined(separator: ","))]".utf8))
        _ = replica.apply(.whole(decoded, position: "7.ab"), at: Date(timeIntervalSince1970: 1_800_000_000.25))
        return replica
    }

    @Test func isReadAsItWasSaved() throws {
        #expect(try file.load() == nil)
        for replica in [try Self.replica("a"), try Self.replica("é", "b"), TownReplica()] {
            try file.save(replica)
            #expect(try file.load() == replica)
        }
        #expect(folder.names == ["replica.json"], "nothing remains beside it")
    }

    @Test func anotherTownOrAccountIsNotUsed() throws {
        try file.save(try Self.replica("a"))
        let others = [
            ReplicaFile(url, for: APIClient(baseURL: "https://other.example")),
            ReplicaFile(url, for: client.authenticated(with: "token")),
            ReplicaFile(url, for: client, account: "ada@town.example"),
        ]
        for other in others { #expect(try other.load() == nil) }
        #expect(try file.load() != nil, "it is not damaged")
        let account = ReplicaFile(url, for: client.authenticated(with: "token"))
        try account.save(try Self.replica("b"))
        #expect(try account.load() != nil)
        #expect(try !String(contentsOf: url, encoding: .utf8).contains("token"), "no secret is in the file")
        #expect(try ReplicaFile(url, for: client.authenticated(with: "another")).load() == nil)
    }

    @Test func aDamagedFileIsSetAside() throws {
        try file.save(try Self.replica("a", "b"))
        let sound = Array(try Data(contentsOf: url))
        let body = try #require(sound.firstIndex(of: 10)) + 1
        var damaged = [[], Array(sound[..<5]), Array(sound.dropLast()), sound + [32], Array("{}\n".utf8)]
        for index in body..<sound.count {
            var bytes = sound
            bytes[index] ^= 1
            damaged.append(bytes)
        }
        for bytes in damaged {
            try Data(bytes).write(to: url)
            let problem = #expect(throws: SavedFileProblem.self) { try file.load() }
            #expect(
                problem?.localizedDescription
                    == "The saved copy replica.json is damaged, and was renamed to replica.json.damaged.")
            #expect(folder.names == ["replica.json.damaged"])
            let aside = url.appendingPathExtension("damaged")
            #expect(try Array(Data(contentsOf: aside)) == bytes)
            try FileManager.default.removeItem(at: aside)
            #expect(try file.load() == nil, "the default is used")
        }
    }

    @Test func saysWhyItWasNotWritten() throws {
        try Data().write(to: folder.url.appending(path: "file"))
        let file = ReplicaFile(folder.url.appending(path: "file/replica.json"), for: client)
        let problem = #expect(throws: SavedFileProblem.self) { try file.save(TownReplica()) }
        #expect(problem?.localizedDescription.hasPrefix("The copy replica.json could not be saved: ") == true)
    }
}
