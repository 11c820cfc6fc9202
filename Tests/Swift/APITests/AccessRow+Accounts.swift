import Service
import SookeModel
import Store

/// Permissions for accounts, links, tokens and administration.
extension AccessRow {
    static let accountRows: [AccessRow] = [
        AccessRow(
            "POST /api/v1/users", .admins, 201, good: #"{"email":"una@town.example"}"#,
            bad: #"{"email":"olga@town.example"}"#,
            isDone: { $0.people[email: "una@town.example"]?.role == .generalUser }),
        AccessRow(
            "PATCH /api/v1/users/{id}", at: "/api/v1/users/4", .admins, 200, stale: 412,
            good: #"{"display_name":"Mia"}"#,
            bad: #"{"role":"king"}"#, isDone: { $0.people[4]?.displayName == "Mia" }),
        AccessRow(
            "DELETE /api/v1/users/{id}", at: "/api/v1/users/4", .admins, 204, stale: 412,
            isDone: { $0.people[4] == nil }),
        AccessRow(
            "POST /api/v1/users/{id}/promote", at: "/api/v1/users/4/promote", .admins, 200, stale: 412,
            good: #"{"role":"business_owner"}"#, bad: #"{"role":"king"}"#,
            isDone: { $0.people[4]?.role == .businessOwner }),
        AccessRow(
            "POST /api/v1/users/{id}/password-reset", at: "/api/v1/users/3/password-reset", .admins, 201,
            isDone: { $0.credentials.of(person: 3).contains { $0.purpose == .passwordReset } }),
        AccessRow(
            "DELETE /api/v1/users/{id}/sessions", at: "/api/v1/users/4/sessions", .admins, 204,
            isDone: { $0.credentials.of(person: 4).allSatisfy { $0.purpose != .session } }),
        AccessRow(
            "POST /api/v1/users/{id}/password", at: "/api/v1/users/4/password", .folderOwner, 204,
            good: #"{"new_password":"\#(TestSecrets.newPassword)"}"#, bad: #"{"new_password":"short"}"#,
            isDone: { $0.passwords[4]?.hash != TestSecrets.hash?.stored }),
        AccessRow(
            "POST /api/v1/invitations", .admins, 201, good: #"{"email":"una@town.example"}"#, bad: #"{"email":"una"}"#,
            isDone: { $0.credentials.inOrderOfID.contains { $0.email == "una@town.example" } }),
        AccessRow(
            "POST /api/v1/admin/tokens", .admins, 201,
            good: #"{"name":"Sign","email":"mia@town.example","scope":"read"}"#,
            bad: #"{"name":"Sign","email":"nobody@town.example","scope":"all"}"#,
            isDone: { $0.credentials.of(person: 4).contains { $0.purpose == .apiToken } }),
        AccessRow(
            "DELETE /api/v1/admin/tokens/{id}", at: "/api/v1/admin/tokens/5", .admins, 204, stale: 412,
            isDone: { $0.credentials[5] == nil }),
        AccessRow("POST /api/v1/admin/setup-link", .folderOwner, 409),
        AccessRow("POST /api/v1/admin/snapshot", .admins, 200),
        AccessRow(
            "PUT /api/v1/admin/read-only", .admins, 200, good: #"{"read_only":true}"#, bad: #"{"reason":"moving"}"#),
        AccessRow(
            "POST /api/v1/admin/import", at: "/api/v1/admin/import?format=json", .editors, 200,
            good: #"{"categories":[{"name":"Brought"}]}"#, bad: nonsense,
            isDone: { $0.categories[Slug("brought")] != nil }),
    ]

    /// Routes that need only a secret, and routes for the caller's own account.
    static let sessionRows: [AccessRow] = [
        AccessRow(
            "POST /api/v1/session", .everyone, 201,
            good: #"{"email":"mia@town.example","password":"\#(TestSecrets.password)"}"#,
            bad: #"{"email":"mia@town.example"}"#,
            isDone: { $0.credentials.of(person: 4).filter { $0.purpose == .session }.count == 2 }),
        AccessRow(
            "DELETE /api/v1/session", .accounts, 204,
            isDone: { community in ![1, 2, 3, 4, 8].allSatisfy { community.credentials[$0] != nil } }),
        // Each caller has one session, so that there is no other to end.
        AccessRow("DELETE /api/v1/me/sessions", .accounts, 204),
        AccessRow(
            "DELETE /api/v1/me/sessions/{id}", at: "/api/v1/me/sessions/4", .mia, 204,
            isDone: { $0.credentials[4] == nil }),
        AccessRow(
            "POST /api/v1/me/password", .accounts, 204,
            good: #"{"password":"\#(TestSecrets.password)","new_password":"\#(TestSecrets.newPassword)"}"#,
            bad: #"{"password":"","new_password":"\#(TestSecrets.newPassword)"}"#,
            isDone: { community in !(1...5).allSatisfy { community.passwords[$0]?.hash == TestSecrets.hash?.stored } }),
        AccessRow(
            "POST /api/v1/invitations/accept", .everyone, 201,
            good: #"{"token":"\#(TestSecrets.invitation.reveal())","password":"\#(TestSecrets.newPassword)"}"#,
            bad: #"{"token":"\#(TestSecrets.invitation.reveal())","password":"short"}"#,
            isDone: { $0.people[email: "new@town.example"]?.role == .businessOwner }),
        AccessRow(
            "POST /api/v1/password-reset", .everyone, 201,
            good: #"{"token":"\#(TestSecrets.reset.reveal())","new_password":"\#(TestSecrets.newPassword)"}"#,
            bad: #"{"token":"\#(TestSecrets.reset.reveal())","new_password":"short"}"#,
            isDone: { $0.passwords[4]?.hash != TestSecrets.hash?.stored && $0.credentials[6] == nil }),
        // There are accounts, so the link of the first start is not valid.
        AccessRow(
            "POST /api/v1/setup", .everyone, 410,
            good: #"{"token":"sooke_set_","email":"una@town.example","password":"\#(TestSecrets.newPassword)"}"#,
            bad: nonsense, isDone: { $0.people[email: "una@town.example"] != nil }),
    ]
}
