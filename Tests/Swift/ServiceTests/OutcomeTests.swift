import SookeModel
import Store
import Synchronization
import Testing

@testable import Service

/// The outcome of a transaction, and of a repeated request.
@Suite struct OutcomeTests {
    private static let zeds = Slug("zeds")

    private static func key(_ fingerprint: String = "f") -> IdempotencyKey {
        IdempotencyKey(text: "once", fingerprint: fingerprint)
    }

    /// Two changes of one record in one batch have their own outcomes.
    @Test func eachChangeOfABatchHasItsOwn() async throws {
        let town = try await ServiceTown()
        let (useCases, context) = (town.service, town.context(.olga))
        let isHeld = Atomic<Bool>(true)
        let phones = Mutex<[String?]>([])
        await withCheckedContinuation { done in
            // Blocks the commit thread until both wait.
            town.store.write(by: .local, { _ in while isHeld.load(ordering: .relaxed) {} }, then: { _ in })
            for phone in ["1", "2"] {
                let input = PatchInput<Business> { $0.phone = phone }
                useCases.run(useCases.updateBusiness(Self.zeds, input, for: context)) { result in
                    phones.withLock { $0.append((try? result.get())?.record?.business?.phone) }
                    if phone == "2" { done.resume() }
                }
            }
            isHeld.store(false, ordering: .relaxed)
        }
        #expect(phones.withLock { $0 } == ["1", "2"])
    }

    /// Without an account, a key is that of a network: strangers who chose the same one get nothing of each other, nor of
    /// the owner of the server.
    @Test func aKeyOfAStrangerIsThatOfTheirNetwork() async throws {
        let town = try await ServiceTown()
        let service = town.service
        func add(_ name: String, as context: RequestContext) async throws -> String {
            let add: Transaction<Outcome> = service.once(for: context, .anyone) { transaction in
                let id = try transaction.create(Patch<SookeModel.Category> { $0.name = name }).id
                return .created(try transaction.town.joined(SookeModel.Category.self, id: id))
            }
            let outcome = try await service.run(add, for: context)
            return outcome.record?.category?.name ?? outcome.word
        }
        let (here, there) = (
            town.context(.nobody, key: Self.key()), town.context(.nobody, key: Self.key("g"), from: [192, 0, 2, 2])
        )
        let local = town.context(.local, key: Self.key("h"))
        #expect(try await add("First", as: here) == "First")
        #expect(try await add("Second", as: there) == "Second")
        #expect(try await add("Third", as: local) == "Third")
        #expect(try await add("Again", as: here) == "First")
        #expect(try await add("Again", as: there) == "Second")
        let receipts = town.town.receipts
        #expect(receipts.count == 3 && receipts[person: nil, key: "once"]?.fingerprint == "h")
        // No address is stored, and the digests are those of this store.
        let networks = receipts.inOrderOfID.compactMap(\.network)
        #expect(Set(networks).count == 2 && networks.allSatisfy { $0.utf8.count == 32 })
        let other = try await ServiceTown()
        let network = here.clientNetwork
        #expect(town.service.key.digest(of: network) == networks[0])
        #expect(other.service.key.digest(of: network) != networks[0])
    }
}
