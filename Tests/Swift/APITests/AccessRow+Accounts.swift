import Service
import SookeModel
import Store

/// Permissions for accounts, links, tokens and administration.
extension AccessRow {
    static let accountRows: [AccessRow] = [
        // Asked by:  nobody, mia, olga, otto, edda, ada, folder
        AccessRow(
            "POST /api/v1/users", good: #"{"email":"una@town.example"}"#, bad: #"{"email":"olga@town.example"}"#,
            passes: [401, 403, 403, 403, 403, 201, 201], fails: [401, 403, 403, 403, 403, 422, 422],
            isDone: { $0.people[email: "una@town.example"]?.role == .generalUser }),
        AccessRow(
            "PATCH /api/v1/users/{id}", "/api/v1/users/4",
            good: #"{"display_name":"Mia"}"#, bad: #"{"role":"king"}"#,
            passes: [401, 403, 403, 403, 403, 200, 200], fails: [401, 403, 403, 403, 403, 422, 422],
            stale: [401, 403, 403, 403, 403, 412, 412],
            isDone: { $0.people[4]?.displayName == "Mia" }),
        AccessRow(
            "DELETE /api/v1/users/{id}", "/api/v1/users/4",
            passes: [401, 403, 403, 403, 403, 204, 204], fails: [401, 403, 403, 403, 403, 204, 204],
            stale: [401, 403, 403, 403, 403, 412, 412],
            isDone: { $0.people[4] == nil }),
        AccessRow(
            "POST /api/v1/users/{id}/promote", "/api/v1/users/4/promote",
            good: #"{"role":"business_owner"}"#, bad: #"{"role":"king"}"#,
            passes: [401, 403, 403, 403, 403, 200, 200], fails: [401, 403, 403, 403, 403, 422, 422],
            stale: [401, 403, 403, 403, 403, 412, 412],
            isDone: { $0.people[4]?.role == .businessOwner }),
        AccessRow(
            "POST /api/v1/users/{id}/password-reset", "/api/v1/users/3/password-reset",
            passes: [401, 403, 403, 403, 403, 201, 201], fails: [401, 403, 403, 403, 403, 201, 201],
            isDone: { $0.credentials.of(person: 3).contains { $0.purpose == .passwordReset } }),
        AccessRow(
            "DELETE /api/v1/users/{id}/sessions", "/api/v1/users/4/sessions",
            passes: [401, 403, 403, 403, 403, 204, 204], fails: [401, 403, 403, 403, 403, 204, 204],
            isDone: { $0.credentials.of(person: 4).allSatisfy { $0.purpose != .session } }),
        AccessRow(
            "POST /api/v1/users/{id}/password", "/api/v1/users/4/password",
            good: #"{"new_password":"\#(TestSecrets.newPassword)"}"#, bad: #"{"new_password":"short"}"#,
            passes: [401, 403, 403, 403, 403, 403, 204], fails: [401, 403, 403, 403, 403, 403, 422],
            isDone: { $0.passwords[4]?.hash != TestSecrets.hash?.stored }),
        AccessRow(
            "POST /api/v1/invitations", good: #"{"email":"una@town.example"}"#, bad: #"{"email":"una"}"#,
            passes: [401, 403, 403, 403, 403, 201, 201], fails: [401, 403, 403, 403, 403, 422, 422],
            isDone: { $0.credentials.inOrderOfID.contains { $0.email == "una@town.example" } }),
        AccessRow(
            "POST /api/v1/admin/tokens", good: #"{"name":"Sign","email":"mia@town.example","scope":"read"}"#,
            bad: #"{"name":"Sign","email":"nobody@town.example","scope":"all"}"#,
            passes: [401, 403, 403, 403, 403, 201, 201], fails: [401, 403, 403, 403, 403, 422, 422],
            isDone: { $0.credentials.of(person: 4).contains { $0.purpose == .apiToken } }),
        AccessRow(
            "DELETE /api/v1/admin/tokens/{id}", "/api/v1/admin/tokens/5",
            passes: [401, 403, 403, 403, 403, 204, 204], fails: [401, 403, 403, 403, 403, 204, 204],
            stale: [401, 403, 403, 403, 403, 412, 412], isDone: { $0.credentials[5] == nil }),
        AccessRow(
            "POST /api/v1/admin/setup-link",
            passes: [401, 403, 403, 403, 403, 403, 409], fails: [401, 403, 403, 403, 403, 403, 409]),
        AccessRow(
            "POST /api/v1/admin/snapshot",
            passes: [401, 403, 403, 403, 403, 200, 200], fails: [401, 403, 403, 403, 403, 200, 200]),
        AccessRow(
            "PUT /api/v1/admin/read-only", good: #"{"read_only":true}"#, bad: #"{"reason":"moving"}"#,
            passes: [401, 403, 403, 403, 403, 200, 200], fails: [401, 403, 403, 403, 403, 422, 422]),
        AccessRow(
            "POST /api/v1/admin/import", "/api/v1/admin/import?format=json",
            good: #"{"categories":[{"name":"Brought"}]}"#,
            passes: [401, 403, 403, 403, 200, 200, 200], fails: [401, 403, 403, 403, 422, 422, 422],
            isDone: { $0.categories[Slug("brought")] != nil }),
    ]

    /// Routes that need only a secret, and routes for the caller's own account.
    static let sessionRows: [AccessRow] = [
        AccessRow(
            "POST /api/v1/session", good: #"{"email":"mia@town.example","password":"\#(TestSecrets.password)"}"#,
            bad: #"{"email":"mia@town.example"}"#,
            passes: [201, 201, 201, 201, 201, 201, 201], fails: [422, 422, 422, 422, 422, 422, 422],
            isDone: { $0.credentials.of(person: 4).filter { $0.purpose == .session }.count == 2 }),
        AccessRow(
            "DELETE /api/v1/session",
            passes: [401, 204, 204, 204, 204, 204, 403], fails: [401, 204, 204, 204, 204, 204, 403],
            isDone: { community in ![1, 2, 3, 4, 8].allSatisfy { community.credentials[$0] != nil } }),
        // Each caller has one session, so that there is no other to end.
        AccessRow(
            "DELETE /api/v1/me/sessions",
            passes: [401, 204, 204, 204, 204, 204, 403], fails: [401, 204, 204, 204, 204, 204, 403]),
        AccessRow(
            "DELETE /api/v1/me/sessions/{id}", "/api/v1/me/sessions/4",
            passes: [401, 204, 404, 404, 404, 404, 403], fails: [401, 204, 404, 404, 404, 404, 403],
            isDone: { $0.credentials[4] == nil }),
        AccessRow(
            "POST /api/v1/me/password",
            good: #"{"password":"\#(TestSecrets.password)","new_password":"\#(TestSecrets.newPassword)"}"#,
            bad: #"{"password":"","new_password":"\#(TestSecrets.newPassword)"}"#,
            passes: [401, 204, 204, 204, 204, 204, 403], fails: [401, 422, 422, 422, 422, 422, 403],
            isDone: { community in
                !(1...5).allSatisfy { community.passwords[$0]?.hash == TestSecrets.hash?.stored }
            }),
        AccessRow(
            "POST /api/v1/invitations/accept",
            good: #"{"token":"\#(TestSecrets.invitation.reveal())","password":"\#(TestSecrets.newPassword)"}"#,
            bad: #"{"token":"\#(TestSecrets.invitation.reveal())","password":"short"}"#,
            passes: [201, 201, 201, 201, 201, 201, 201], fails: [422, 422, 422, 422, 422, 422, 422],
            isDone: { $0.people[email: "new@town.example"]?.role == .businessOwner }),
        AccessRow(
            "POST /api/v1/password-reset",
            good: #"{"token":"\#(TestSecrets.reset.reveal())","new_password":"\#(TestSecrets.newPassword)"}"#,
            bad: #"{"token":"\#(TestSecrets.reset.reveal())","new_password":"short"}"#,
            passes: [201, 201, 201, 201, 201, 201, 201], fails: [422, 422, 422, 422, 422, 422, 422],
            isDone: { $0.passwords[4]?.hash != TestSecrets.hash?.stored && $0.credentials[6] == nil }),
        // There are accounts, so the link of the first start is not valid.
        AccessRow(
            "POST /api/v1/setup",
            good: #"{"token":"sooke_set_","email":"una@town.example","password":"\#(TestSecrets.newPassword)"}"#,
            passes: [410, 410, 410, 410, 410, 410, 410], fails: [422, 422, 422, 422, 422, 422, 422],
            isDone: { $0.people[email: "una@town.example"] != nil }),
    ]
}
