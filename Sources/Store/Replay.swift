import Bytes
import Journal

/// Builds the newest version from what the journal reads back at start.
struct Replay: Replayer {
    private var lines = CommunityReader()
    private var community = Community()
    private var sequence = 0
    private var at = Timestamp(microseconds: 0)

    /// What has been read so far.
    var version: Version {
        Version(community: community, sequence: sequence, at: at)
    }

    mutating func begin(_ origin: CheckedDocument.Origin?) {
        self = Replay()
        if let origin { (sequence, at) = (origin.sequence, origin.at) }
    }

    mutating func snapshotLine(_ line: ArraySlice<UInt8>) throws {
        try lines.read(line)
    }

    mutating func endSnapshot() throws {
        community = lines.community
        lines = CommunityReader()
    }

    mutating func commit(sequence: Int, payload: ArraySlice<UInt8>) throws {
        at = try Commit.read(payload) { try community.apply($0) }
        self.sequence = sequence
    }
}
