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
        community = try lines.finish()
        lines = CommunityReader()
    }

    mutating func commit(sequence: Int, payload: ArraySlice<UInt8>) throws {
        var moved: [Community.Target] = []
        // Earlier versions wrote down what a clock said that was set back.
        at = max(
            at,
            try Commit.read(payload) { change in
                if let target = community.target(movedBy: change) { moved.append(target) }
                try community.apply(change)
            })
        for target in moved { try community.checkReferences(to: target) }
        self.sequence = sequence
    }
}
