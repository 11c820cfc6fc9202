import SookeModel
import Store

/// Permissions to change public records.
extension AccessRow {
    static let recordRows: [AccessRow] = [
        AccessRow(
            "POST /api/v1/businesses", .editors, 201,
            good: #"{"name":"Kiosk","category":"bars","address":"9 A","latitude":48,"longitude":-123}"#,
            bad: #"{"name":"Kiosk","latitude":"north"}"#, isDone: { $0.businesses[Slug("kiosk")] != nil }),
        AccessRow(
            "POST /api/v1/businesses", .adminsAmongEditors, 201,
            good: #"{"name":"Kiosk","category":"bars","address":"9 A","latitude":48,"longitude":-123,"owner_id":3}"#,
            bad: #"{"name":"Kiosk","owner_id":"Otto"}"#, isDone: { $0.businesses[Slug("kiosk")]?.ownerID == 3 }),
        // Only super admins change the owner of a business.
        AccessRow(
            "PATCH /api/v1/businesses/{slug}", at: "/api/v1/businesses/zeds", .adminsAmongManagers, 200, stale: 412,
            good: #"{"owner_id":3}"#, bad: #"{"owner_id":"Otto"}"#,
            isDone: { $0.businesses[Slug("zeds")]?.ownerID == 3 }),
        // Without a category it is hidden.
        AccessRow(
            "PATCH /api/v1/businesses/{slug}", at: "/api/v1/businesses/zeds", .editorsAmongManagers, 200, stale: 412,
            good: #"{"category":null}"#, bad: #"{"category":"nothing"}"#,
            isDone: { $0.businesses[Slug("zeds")]?.categoryID == nil }),
        AccessRow(
            "PATCH /api/v1/businesses/{slug}", at: "/api/v1/businesses/zeds", .managers, 200, stale: 412,
            good: #"{"phone":"250-555-0100"}"#, bad: #"{"phone":250}"#,
            isDone: { $0.businesses[Slug("zeds")]?.value.phone == "250-555-0100" }),
        AccessRow(
            "PATCH /api/v1/businesses/{slug}", at: "/api/v1/businesses/den", .managersOfHidden, 200, stale: 412,
            good: #"{"phone":"250-555-0100"}"#, bad: #"{"phone":250}"#,
            isDone: { $0.businesses[Slug("den")]?.value.phone == "250-555-0100" }),
        AccessRow(
            "POST /api/v1/businesses/{slug}/confirm", at: "/api/v1/businesses/zeds/confirm", .managers, 200, stale: 412,
            isDone: { $0.businesses[Slug("zeds")]?.confirmedAt != nil }),
        AccessRow(
            "POST /api/v1/businesses/{slug}/confirmation-links", at: "/api/v1/businesses/zeds/confirmation-links",
            .ownersAndAdmins, 201, isDone: { $0.credentials.about(business: 1).count > 1 }),
        AccessRow(
            "POST /api/v1/confirmations", .everyone, 200, good: #"{"token":"\#(TestSecrets.confirmation.reveal())"}"#,
            bad: #"{"token":7}"#, isDone: { $0.businesses[Slug("zeds")]?.confirmedAt != nil }),
        AccessRow(
            "DELETE /api/v1/businesses/{slug}", at: "/api/v1/businesses/zeds", .editors, 204, stale: 412,
            isDone: { $0.businesses[Slug("zeds")] == nil }),

        // Without the digest of the history.
        AccessRow(
            "POST /api/v1/history/{sequence}/undo", at: "/api/v1/history/1/undo", .members, 428, stale: 412),
        AccessRow(
            "PATCH /api/v1/town", .admins, 200, stale: 412, good: #"{"name":"Otter"}"#, bad: #"{"name":7}"#,
            isDone: { $0.settings.name == "Otter" }),

        AccessRow(
            "POST /api/v1/notices", .editors, 201, good: #"{"title":"Flood"}"#, bad: #"{"title":""}"#,
            isDone: { $0.notices.count == 2 }),
        AccessRow(
            "PATCH /api/v1/notices/{slug}", at: "/api/v1/notices/snow", .editors, 200, stale: 412,
            good: #"{"severity":"danger"}"#, bad: #"{"severity":"bad"}"#,
            isDone: { $0.notices[1]?.severity == .danger }),
        AccessRow(
            "DELETE /api/v1/notices/{slug}", at: "/api/v1/notices/snow", .editors, 204, stale: 412,
            isDone: { $0.notices.count == 0 }),

        AccessRow(
            "POST /api/v1/categories", .editors, 201, good: #"{"name":"Libraries"}"#, bad: #"{"name":""}"#,
            isDone: { $0.categories[Slug("libraries")] != nil }),
        AccessRow(
            "PATCH /api/v1/categories/{slug}", at: "/api/v1/categories/bars", .editors, 200, stale: 412,
            good: #"{"name":"Pubs"}"#, bad: #"{"name":null}"#,
            isDone: { $0.categories[Slug("bars")]?.value.name == "Pubs" }),
        AccessRow(
            "DELETE /api/v1/categories/{slug}", at: "/api/v1/categories/unused", .editors, 204, stale: 412,
            isDone: { $0.categories[Slug("unused")] == nil }),
        AccessRow(
            "POST /api/v1/event-types", .editors, 201, good: #"{"name":"Theatre"}"#, bad: #"{"name":["Theatre"]}"#,
            isDone: { $0.eventTypes[Slug("theatre")] != nil }),
        AccessRow(
            "PATCH /api/v1/event-types/{slug}", at: "/api/v1/event-types/sports", .editors, 200, stale: 412,
            good: #"{"slug":"games"}"#, bad: #"{"id":9}"#, isDone: { $0.eventTypes[Slug("games")] != nil }),
        AccessRow(
            "DELETE /api/v1/event-types/{slug}", at: "/api/v1/event-types/unused", .editors, 204, stale: 412,
            isDone: { $0.eventTypes[Slug("unused")] == nil }),

        AccessRow(
            "POST /api/v1/businesses/{slug}/special-hours", at: "/api/v1/businesses/zeds/special-hours", .managers, 201,
            stale: 412, good: #"{"from":"2027-02-01","to":"2027-02-02","is_closed":true}"#,
            bad: #"{"from":"2027-02-01","to":"2027-01-02","is_closed":true}"#,
            isDone: { $0.businesses[Slug("zeds")]?.value.specialHours.count == 1 }),
        AccessRow(
            "DELETE /api/v1/businesses/{slug}/special-hours",
            at: "/api/v1/businesses/zeds/special-hours?from=2027-02-01&to=2027-02-02", .managers, 404, stale: 412),
        AccessRow(
            "DELETE /api/v1/businesses/{slug}/special-hours/{from}",
            at: "/api/v1/businesses/zeds/special-hours/2027-02-01",
            .managers, 404, stale: 412),
        AccessRow(
            "POST /api/v1/businesses/{slug}/menus", at: "/api/v1/businesses/zeds/menus", .managers, 201, stale: 412,
            good: #"{"name":"Brunch","items":[{"name":"egg","price":"3.50"}]}"#, bad: #"{"name":"Brunch","items":{}}"#,
            isDone: { $0.menus.contains { $0.name == "Brunch" && $0.items.first?.name == "egg" } }),
        AccessRow(
            "PATCH /api/v1/businesses/{slug}/menus/{id}", at: "/api/v1/businesses/zeds/menus/1", .managers, 200,
            stale: 412,
            good: #"{"name":"On tap"}"#, bad: #"{"name":""}"#,
            isDone: { $0.menus.contains { $0.id == 1 && $0.name == "On tap" } }),
        AccessRow(
            "DELETE /api/v1/businesses/{slug}/menus/{id}", at: "/api/v1/businesses/zeds/menus/1", .managers, 200,
            stale: 412, isDone: { !$0.menus.contains { $0.id == 1 } }),
        AccessRow(
            "POST /api/v1/businesses/{slug}/menus/{id}/items", at: "/api/v1/businesses/zeds/menus/1/items", .managers,
            201,
            stale: 412, good: #"{"name":"stout","price":"7.00"}"#, bad: #"{"name":"stout","price":7}"#,
            isDone: { $0.menus.contains { $0.id == 1 && $0.items.map(\.name) == ["stout"] } }),
        AccessRow(
            "PATCH /api/v1/businesses/{slug}/menus/{id}/items/{item}", at: "/api/v1/businesses/zeds/menus/2/items/1",
            .managers, 200, stale: 412, good: #"{"price":"5.25"}"#, bad: #"{"price":"4.5"}"#,
            isDone: { $0.menus.contains { $0.items.contains { $0.id == 1 && $0.price.text == "5.25" } } }),
        AccessRow(
            "DELETE /api/v1/businesses/{slug}/menus/{id}/items/{item}", at: "/api/v1/businesses/zeds/menus/2/items/1",
            .managers, 200, stale: 412, isDone: { !$0.menus.contains { $0.items.contains { $0.id == 1 } } }),
    ]
}

extension Town {
    /// The menus of the business that the rows are about.
    fileprivate var menus: [Menu] { self.businesses[Slug("zeds")]?.value.menus ?? [] }
}
