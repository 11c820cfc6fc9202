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

    /// Without an account, a key is none: a stranger who chose that of another, or of the owner of the server, gets
    /// nothing of them.
    @Test func aStrangerHasNoKey() async throws {
        let town = try await ServiceTown()
        let service = town.service
        func add(_ name: String, as context: RequestContext) async throws -> String? {
            let add: Transaction<Outcome> = service.once(for: context, .anyone) { transaction in
                let id = try transaction.create(Patch<SookeModel.Category> { $0.name = name }).id
                return .created(try transaction.town.joined(SookeModel.Category.self, id: id))
            }
            return try await service.run(add, for: context).record?.category?.name
        }
        let (stranger, local) = (town.context(.nobody, key: Self.key()), town.context(.local, key: Self.key()))
        #expect(try await add("First", as: stranger) == "First")
        #expect(try await add("Second", as: local) == "Second")
        #expect(try await add("Third", as: stranger) == "Third")
        #expect(try await add("Fourth", as: local) == "Second")
        #expect(town.town.receipts.count == 1)
        // The digests of networks are those of this store.
        let (other, network) = (try await ServiceTown(), stranger.clientNetwork)
        #expect(other.service.key.digest(of: network) != town.service.key.digest(of: network))
    }
}
