import Bytes
import SookeModel
import Store
import Testing

@testable import Service

/// Who may undo the deletion of a business, and join two records of one.
@Suite struct BusinessRecordsTests {
    @Test(arguments: TestCaller.allCases)
    func onlyEditorsMay(caller: TestCaller) async throws {
        let town = try await ServiceTown()
        let mayDo = [.edda, .ada, .local].contains(caller)
        _ = try await town.service.run(
            town.service.deleteBusiness(Slug("den"), for: town.context(.ada)), for: town.context(.ada))
        func may(_ step: () async throws -> Void) async -> Bool {
            do { try await step() } catch { return false }
            return true
        }
        let context = town.context(caller)
        let deletion = town.store.current.position
        let digest: UInt64 = try #require(Hex.integer("\(deletion.chain)".utf8))
        let undoing = town.context(caller, Precondition(required: Precondition.Versions(digests: [digest])))
        #expect(
            await may {
                _ = try await town.service.undo(deletion.sequence, CommitUndo.Choices(), for: undoing)
            } == mayDo)
        #expect(
            await may {
                _ = try await town.service.run(
                    town.service.mergeBusinesses(Slug("zeds"), into: Slug("anchor"), for: context), for: context)
            } == mayDo)
        #expect(
            await may { try await town.service.run(town.service.addStarterTerms(for: context), for: context) } == mayDo)
        #expect(town.town.count(of: .business) == 2)
        #expect((town.town.businesses[3] != nil) == mayDo)
    }
}
