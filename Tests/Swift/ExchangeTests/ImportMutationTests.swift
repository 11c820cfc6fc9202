import Bytes
import SookeModel
import TestSupport
import Testing

@testable import Exchange
@testable import Store

/// Files with random changes of values and valid checksums: an import applies them or reports problems, and what it
/// applies can be stored.
@Suite struct ImportMutationTests {
    @Test(arguments: 0..<Cases.count(2, of: 4))
    func mutatedFilesNeverTrap(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let town = try TestTown.small()
        let export = String(decoding: Export(town.town).bytes(.json), as: UTF8.self)
        let lines = export.split(separator: "\n").dropLast().map(String.init)
        var accepted = 0
        for round in 0..<150 {
            var lines = lines
            for _ in 0...random.below(2) {
                let place = 1 + random.below(lines.count - 1)
                lines[place] = random.mutated(lines[place])
            }
            var text = Array((lines.joined(separator: "\n") + "\n").utf8)
            let (count, checksum) = (text.count { $0 == ASCII.lineFeed }, CRC32C.checksum(text))
            text.append(utf8: "\"end\":{\"lines\":\(count),\"checksum\":\"")
            text.append(hex: checksum)
            text.append("\"}}\n")
            // Into a town that has the records, and into an empty one.
            var target = round.isMultiple(of: 2) ? town : TestTown()
            guard (try? target.take([ImportFile(name: "x.json", bytes: text)])) != nil else {
                continue
            }
            accepted += 1
            var snapshot = TownReader()
            target.town.forEachLine(whole: true) { line in
                do { try snapshot.read(line[...]) } catch { Issue.record("\(lines): \(error)") }
            }
            _ = Export(target.town).bytes(.csv)
        }
        #expect(accepted > 5)
    }
}
