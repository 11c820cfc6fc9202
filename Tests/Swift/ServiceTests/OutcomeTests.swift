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

    @Test func aRepeatedRequestGetsTheRecordAsItIs() async throws {
        let town = try await ServiceTown()
        let context = town.context(.ada, key: Self.key())
        let creation = town.service.createBusiness(
            PatchInput { business in
                (business.name, business.address, business.latitude, business.longitude) = ("Den 2", "1 A", 48, -123)
            }, for: context)
        let first = try await town.service.run(creation, for: context)
        let slug = try #require(first.record?.business?.slug)
        _ = try await town.record(of: .ada) {
            town.service.updateBusiness(slug, PatchInput { $0.phone = "7" }, for: $0)
        }
        let before = town.store.current.sequence
        let second = try await town.service.run(creation, for: context)
        #expect(first.word == "created" && second.word == "created")
        #expect(second.record?.id == first.record?.id && second.record?.business?.phone == "7")
        #expect(town.store.current.sequence == before)
        let receipt = try #require(town.town.receipts[person: 1, key: "once"])
        #expect(receipt.recordKind == "business" && receipt.record == first.record?.id && receipt.status == 201)
        #expect(receipt.version?.utf8.count == 16)

        #expect(await town.result(of: .ada) { town.service.deleteBusiness(slug, for: $0) } == "deleted")
        let gone = await #expect(throws: ServiceError.self) { try await town.service.run(creation, for: context) }
        #expect(gone?.word == "gone")
        let other = town.context(.ada, key: Self.key("another"))
        let reused = await #expect(throws: ServiceError.self) {
            try await town.service.run(town.service.resubmitEvent(Slug("walk"), for: other), for: other)
        }
        #expect(reused?.word == "keyReused")
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

    @Test func aSecretIsShownOnce() async throws {
        let town = try await ServiceTown()
        let context = town.context(.ada, key: Self.key())
        let input = TokenInput(name: "Sign", scope: nil, email: nil, expiresAt: nil)
        _ = try await town.service.issueToken(input, for: context)
        let error = await #expect(throws: ServiceError.self) { try await town.service.issueToken(input, for: context) }
        #expect(error?.word == "shownOnce")
        #expect(town.service.tokens(in: town.town).count == 1)
    }

    /// The error for a stale version contains the current record.
    @Test(arguments: [
        (Precondition(required: .init(digests: [1])), "preconditionFailed"),
        (Precondition(excluded: .init(includesAny: true)), "versionExcluded"),
        (Precondition(required: .init(includesAny: true)), "updated"),
        (Precondition(excluded: .init(digests: [1])), "updated"),
    ])
    func preconditions(_ precondition: Precondition, result: String) async throws {
        let town = try await ServiceTown()
        let context = town.context(.olga, precondition)
        let change = town.service.updateBusiness(Self.zeds, PatchInput { $0.phone = "1" }, for: context)
        do throws(ServiceError) {
            #expect(try await town.service.run(change, for: context).word == result)
        } catch {
            #expect(error.word == result)
            switch error {
            case .preconditionFailed(let current), .versionExcluded(let current):
                #expect(current?.business?.slug == Self.zeds)
            default: Issue.record("another error: \(error)")
            }
        }
    }
}
