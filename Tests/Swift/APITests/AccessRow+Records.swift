import SookeModel
import Store

/// Permissions to change public records.
extension AccessRow {
    static let recordRows: [AccessRow] = [
        // Asked by:  nobody, mia, olga, otto, edda, ada, folder
        AccessRow(
            "POST /api/v1/businesses",
            good: #"{"name":"Kiosk","category":"bars","address":"9 A","latitude":48,"longitude":-123}"#,
            bad: #"{"name":"Kiosk","latitude":"north"}"#,
            passes: [401, 403, 403, 403, 201, 201, 201], fails: [401, 403, 403, 403, 422, 422, 422],
            isDone: { $0.businesses[Slug("kiosk")] != nil }),
        AccessRow(
            "POST /api/v1/businesses",
            good: #"{"name":"Kiosk","category":"bars","address":"9 A","latitude":48,"longitude":-123,"owner_id":3}"#,
            bad: #"{"name":"Kiosk","owner_id":"Otto"}"#,
            passes: [401, 403, 403, 403, 422, 201, 201], fails: [401, 403, 403, 403, 422, 422, 422],
            isDone: { $0.businesses[Slug("kiosk")]?.ownerID == 3 }),
        // Only super admins change the owner of a business.
        AccessRow(
            "PATCH /api/v1/businesses/{slug}", "/api/v1/businesses/zeds",
            good: #"{"owner_id":3}"#, bad: #"{"owner_id":"Otto"}"#,
            passes: [401, 403, 422, 403, 422, 200, 200], fails: [401, 403, 422, 403, 422, 422, 422],
            stale: [401, 403, 412, 403, 412, 412, 412],
            isDone: { $0.businesses[Slug("zeds")]?.ownerID == 3 }),
        // Without a category it is hidden.
        AccessRow(
            "PATCH /api/v1/businesses/{slug}", "/api/v1/businesses/zeds",
            good: #"{"category":null}"#, bad: #"{"category":"nothing"}"#,
            passes: [401, 403, 422, 403, 200, 200, 200], fails: [401, 403, 422, 403, 422, 422, 422],
            stale: [401, 403, 412, 403, 412, 412, 412],
            isDone: { $0.businesses[Slug("zeds")]?.categoryID == nil }),
        AccessRow(
            "PATCH /api/v1/businesses/{slug}", "/api/v1/businesses/zeds",
            good: #"{"phone":"250-555-0100"}"#, bad: #"{"phone":250}"#,
            passes: [401, 403, 200, 403, 200, 200, 200], fails: [401, 403, 422, 403, 422, 422, 422],
            stale: [401, 403, 412, 403, 412, 412, 412],
            isDone: { $0.businesses[Slug("zeds")]?.value.phone == "250-555-0100" }),
        AccessRow(
            "PATCH /api/v1/businesses/{slug}", "/api/v1/businesses/den",
            good: #"{"phone":"250-555-0100"}"#, bad: #"{"phone":250}"#,
            passes: [401, 404, 200, 404, 200, 200, 200], fails: [401, 404, 422, 404, 422, 422, 422],
            stale: [401, 404, 412, 404, 412, 412, 412],
            isDone: { $0.businesses[Slug("den")]?.value.phone == "250-555-0100" }),
        AccessRow(
            "POST /api/v1/businesses/{slug}/confirm", "/api/v1/businesses/zeds/confirm",
            passes: [401, 403, 200, 403, 200, 200, 200], fails: [401, 403, 200, 403, 200, 200, 200],
            stale: [401, 403, 412, 403, 412, 412, 412],
            isDone: { $0.businesses[Slug("zeds")]?.confirmedAt != nil }),
        AccessRow(
            "POST /api/v1/businesses/{slug}/confirmation-links", "/api/v1/businesses/zeds/confirmation-links",
            passes: [401, 403, 201, 403, 403, 201, 201], fails: [401, 403, 201, 403, 403, 201, 201],
            isDone: { $0.credentials.confirming(1).count > 1 }),
        AccessRow(
            "POST /api/v1/confirmations",
            good: #"{"token":"\#(TestSecrets.confirmation.reveal())"}"#, bad: #"{"token":7}"#,
            passes: [200, 200, 200, 200, 200, 200, 200], fails: [422, 422, 422, 422, 422, 422, 422],
            isDone: { $0.businesses[Slug("zeds")]?.confirmedAt != nil }),
        AccessRow(
            "DELETE /api/v1/businesses/{slug}", "/api/v1/businesses/zeds",
            passes: [401, 403, 403, 403, 204, 204, 204], fails: [401, 403, 403, 403, 204, 204, 204],
            stale: [401, 403, 403, 403, 412, 412, 412],
            isDone: { $0.businesses[Slug("zeds")] == nil }),

        AccessRow(
            "PATCH /api/v1/town", good: #"{"name":"Otter"}"#, bad: #"{"name":null}"#,
            passes: [401, 403, 403, 403, 403, 200, 200], fails: [401, 403, 403, 403, 403, 422, 422],
            stale: [401, 403, 403, 403, 403, 412, 412],
            isDone: { $0.settings.name == "Otter" }),

        AccessRow(
            "POST /api/v1/categories", good: #"{"name":"Libraries"}"#, bad: #"{"name":""}"#,
            passes: [401, 403, 403, 403, 201, 201, 201], fails: [401, 403, 403, 403, 422, 422, 422],
            isDone: { $0.categories[Slug("libraries")] != nil }),
        AccessRow(
            "PATCH /api/v1/categories/{slug}", "/api/v1/categories/bars",
            good: #"{"name":"Pubs"}"#, bad: #"{"name":null}"#,
            passes: [401, 403, 403, 403, 200, 200, 200], fails: [401, 403, 403, 403, 422, 422, 422],
            stale: [401, 403, 403, 403, 412, 412, 412],
            isDone: { $0.categories[Slug("bars")]?.value.name == "Pubs" }),
        AccessRow(
            "DELETE /api/v1/categories/{slug}", "/api/v1/categories/unused",
            passes: [401, 403, 403, 403, 204, 204, 204], fails: [401, 403, 403, 403, 204, 204, 204],
            stale: [401, 403, 403, 403, 412, 412, 412],
            isDone: { $0.categories[Slug("unused")] == nil }),
        AccessRow(
            "POST /api/v1/event-types", good: #"{"name":"Theatre"}"#, bad: #"{"name":["Theatre"]}"#,
            passes: [401, 403, 403, 403, 201, 201, 201], fails: [401, 403, 403, 403, 422, 422, 422],
            isDone: { $0.eventTypes[Slug("theatre")] != nil }),
        AccessRow(
            "PATCH /api/v1/event-types/{slug}", "/api/v1/event-types/sports",
            good: #"{"slug":"games"}"#, bad: #"{"id":9}"#,
            passes: [401, 403, 403, 403, 200, 200, 200], fails: [401, 403, 403, 403, 422, 422, 422],
            stale: [401, 403, 403, 403, 412, 412, 412],
            isDone: { $0.eventTypes[Slug("games")] != nil }),
        AccessRow(
            "DELETE /api/v1/event-types/{slug}", "/api/v1/event-types/unused",
            passes: [401, 403, 403, 403, 204, 204, 204], fails: [401, 403, 403, 403, 204, 204, 204],
            stale: [401, 403, 403, 403, 412, 412, 412],
            isDone: { $0.eventTypes[Slug("unused")] == nil }),

        AccessRow(
            "POST /api/v1/businesses/{slug}/special-hours", "/api/v1/businesses/zeds/special-hours",
            good: #"{"from":"2027-02-01","to":"2027-02-02","is_closed":true}"#,
            bad: #"{"from":"2027-02-01","to":"2027-01-02","is_closed":true}"#,
            passes: [401, 403, 201, 403, 201, 201, 201], fails: [401, 403, 422, 403, 422, 422, 422],
            stale: [401, 403, 412, 403, 412, 412, 412],
            isDone: { $0.businesses[Slug("zeds")]?.value.specialHours.count == 1 }),
        AccessRow(
            "DELETE /api/v1/businesses/{slug}/special-hours",
            "/api/v1/businesses/zeds/special-hours?from=2027-02-01&to=2027-02-02",
            passes: [401, 403, 404, 403, 404, 404, 404], fails: [401, 403, 404, 403, 404, 404, 404],
            stale: [401, 403, 412, 403, 412, 412, 412]),
        AccessRow(
            "DELETE /api/v1/businesses/{slug}/special-hours/{from}",
            "/api/v1/businesses/zeds/special-hours/2027-02-01",
            passes: [401, 403, 404, 403, 404, 404, 404], fails: [401, 403, 404, 403, 404, 404, 404],
            stale: [401, 403, 412, 403, 412, 412, 412]),
        AccessRow(
            "POST /api/v1/businesses/{slug}/menus", "/api/v1/businesses/zeds/menus",
            good: #"{"name":"Brunch","items":[{"name":"egg","price":"3.50"}]}"#, bad: #"{"name":"Brunch","items":{}}"#,
            passes: [401, 403, 201, 403, 201, 201, 201], fails: [401, 403, 422, 403, 422, 422, 422],
            stale: [401, 403, 412, 403, 412, 412, 412],
            isDone: { $0.menus.contains { $0.name == "Brunch" && $0.items.first?.name == "egg" } }),
        AccessRow(
            "PATCH /api/v1/businesses/{slug}/menus/{id}", "/api/v1/businesses/zeds/menus/1",
            good: #"{"name":"On tap"}"#, bad: #"{"name":""}"#,
            passes: [401, 403, 200, 403, 200, 200, 200], fails: [401, 403, 422, 403, 422, 422, 422],
            stale: [401, 403, 412, 403, 412, 412, 412],
            isDone: { $0.menus.contains { $0.id == 1 && $0.name == "On tap" } }),
        AccessRow(
            "DELETE /api/v1/businesses/{slug}/menus/{id}", "/api/v1/businesses/zeds/menus/1",
            passes: [401, 403, 200, 403, 200, 200, 200], fails: [401, 403, 200, 403, 200, 200, 200],
            stale: [401, 403, 412, 403, 412, 412, 412],
            isDone: { !$0.menus.contains { $0.id == 1 } }),
        AccessRow(
            "POST /api/v1/businesses/{slug}/menus/{id}/items", "/api/v1/businesses/zeds/menus/1/items",
            good: #"{"name":"stout","price":"7.00"}"#, bad: #"{"name":"stout","price":7}"#,
            passes: [401, 403, 201, 403, 201, 201, 201], fails: [401, 403, 422, 403, 422, 422, 422],
            stale: [401, 403, 412, 403, 412, 412, 412],
            isDone: { $0.menus.contains { $0.id == 1 && $0.items.map(\.name) == ["stout"] } }),
        AccessRow(
            "PATCH /api/v1/businesses/{slug}/menus/{id}/items/{item}", "/api/v1/businesses/zeds/menus/2/items/1",
            good: #"{"price":"5.25"}"#, bad: #"{"price":null}"#,
            passes: [401, 403, 200, 403, 200, 200, 200], fails: [401, 403, 422, 403, 422, 422, 422],
            stale: [401, 403, 412, 403, 412, 412, 412],
            isDone: { $0.menus.contains { $0.items.contains { $0.id == 1 && $0.price?.text == "5.25" } } }),
        AccessRow(
            "DELETE /api/v1/businesses/{slug}/menus/{id}/items/{item}", "/api/v1/businesses/zeds/menus/2/items/1",
            passes: [401, 403, 200, 403, 200, 200, 200], fails: [401, 403, 200, 403, 200, 200, 200],
            stale: [401, 403, 412, 403, 412, 412, 412],
            isDone: { !$0.menus.contains { $0.items.contains { $0.id == 1 } } }),
    ]
}

extension Town {
    /// The menus of the business that the rows are about.
    fileprivate var menus: [Menu] { self.businesses[Slug("zeds")]?.value.menus ?? [] }
}
