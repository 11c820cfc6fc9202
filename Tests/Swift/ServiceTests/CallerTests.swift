import SookeModel
import Store
import Testing

@testable import Service

/// What a caller is, as the request proves it.
@Suite struct CallerTests {
    /// A token acts for its account: that of an editor for an editor, with any scope, and that of a super admin
    /// for one with the scope `admin` only.
    @Test func scopes() async throws {
        let town = try await ServiceTown().town
        for scope in [Credential.Scope.read, .write, .admin] {
            let editor = Caller(proof: .token(credential: 5, person: 5, scope: scope))
            #expect(editor.isEditor(in: town) && !editor.isSuperAdmin(in: town))
            let admin = Caller(proof: .token(credential: 1, person: 1, scope: scope))
            #expect(admin.isEditor(in: town) == (scope == .admin))
        }
        #expect(!Caller(proof: .token(credential: 99, person: 5, scope: .admin)).isEditor(in: town))
    }

    /// What editors may do is public data; everything else is refused, also for an editor who owns a business.
    @Test func whatAnEditorMayDo() async throws {
        let town = try await ServiceTown()
        _ = try await town.store.write(by: .local) { try $0.update(1, Patch<Business> { $0.ownerID = 5 }) }
        let allowed: [Access] = [.anyone, .member, .businessEditor, .eventEditor, .eventReviewer, .editor]
        for access in Access.allCases {
            let slug = [.eventEditor, .eventReviewer].contains(access) ? Slug("quiz") : Slug("zeds")
            var result = "allowed"
            do throws(ServiceError) {
                try access.check(TestCaller.edda.caller, slug: slug, in: town.town)
            } catch {
                result = error.word
            }
            #expect(result == (allowed.contains(access) ? "allowed" : "forbidden"), "\(access)")
        }
    }
}
