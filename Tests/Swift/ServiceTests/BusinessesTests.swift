import Service
import SookeModel
import Store
import Testing

/// The directory.
@Suite struct BusinessesTests {
    /// A business without a category is hidden from others.
    @Test func anUnlistedOneIsHidden() async throws {
        let town = try await ServiceTown()
        let input = PatchInput<Business> { $0.phone = "1" }
        for (caller, result) in [
            (TestCaller.olga, "updated"), (.otto, "notFound"), (.edda, "updated"), (.ada, "updated"),
        ] {
            await town.expect(result, of: caller) { town.service.updateBusiness(Slug("den"), input, for: $0) }
            let found = try? town.service.business(Slug("den"), for: caller.caller, in: town.town)
            #expect((found == nil) == (result == "notFound"))
        }
    }

    /// One error lists the fields that could not be read, that the caller may not set and that violate a rule.
    @Test func everyInvalidFieldIsNamedAtOnce() async throws {
        let town = try await ServiceTown()
        var input = PatchInput<Business> { business in
            (business.slug, business.ownerID, business.email) = (Slug("mine"), 3, "nowhere")
            business.menus = [Menu()]
            business.menus[0].id = 77
        }
        input.problems.add("latitude", "must be a number")
        input.patch.fields.insert("latitude")
        #expect(
            await town.result(of: .olga) { town.service.updateBusiness(Slug("zeds"), input, for: $0) }
                == "invalid email latitude menus[0].id menus[0].name owner_id slug")
        // An editor may set the slug, a super admin also the owner.
        #expect(
            await town.result(of: .edda) { town.service.updateBusiness(Slug("zeds"), input, for: $0) }
                == "invalid email latitude menus[0].id menus[0].name owner_id")
        #expect(
            await town.result(of: .ada) { town.service.updateBusiness(Slug("zeds"), input, for: $0) }
                == "invalid email latitude menus[0].id menus[0].name")
        // A field that cannot be read is not also reported as missing.
        var creation = PatchInput<Business> { $0.category = Slug("nothing") }
        creation.problems.add("name", "must be a text")
        #expect(
            await town.result(of: .ada) { town.service.createBusiness(creation, for: $0) }
                == "invalid category latitude longitude name slug")
    }

    /// An editor adds, hides and removes businesses, and neither takes nor gives away one.
    @Test func anEditorSetsNoOwner() async throws {
        let town = try await ServiceTown()
        for owner in [nil, 3, 5] {
            var input = PatchInput<Business> { $0.ownerID = owner }
            input.patch.fields.insert("owner_id")
            let change = await town.result(of: .edda) { town.service.updateBusiness(Slug("zeds"), input, for: $0) }
            #expect(change == "invalid owner_id")
        }
        var kiosk = PatchInput<Business> { business in
            (business.name, business.address, business.ownerID) = ("Kiosk", "1 A", 5)
            (business.latitude, business.longitude) = (48, -123)
        }
        await town.expect("invalid owner_id", of: .edda) { town.service.createBusiness(kiosk, for: $0) }
        kiosk.patch.fields = kiosk.patch.fields.subtracting(["owner_id"])
        let made = try await town.record(of: .edda) { town.service.createBusiness(kiosk, for: $0) }
        #expect(town.town.businesses[made.id]?.ownerID == nil)
        var hidden = PatchInput<Business> { $0.category = nil }
        hidden.patch.fields.insert("category")
        await town.expect("updated", of: .edda) { town.service.updateBusiness(Slug("zeds"), hidden, for: $0) }
        #expect(town.town.businesses[Slug("zeds")]?.categoryID == nil)
        #expect(town.town.businesses[Slug("zeds")]?.ownerID == 2)
        #expect(await town.result(of: .edda) { town.service.deleteBusiness(Slug("anchor"), for: $0) } == "deleted")
    }

    @Test func menusOneAtATime() async throws {
        let town = try await ServiceTown()
        let lunch: MenuPartInput<Menu> = { menu, _ in menu.name = "Lunch" }
        let soup: MenuPartInput<MenuItem> = { item, _ in (item.name, item.price) = ("Soup", Price("4.50") ?? .unpriced)
        }
        let broken: MenuPartInput<MenuItem> = { item, problems in
            item.id = 9
            problems.add("price", "must be a price")
        }
        let slug = Slug("zeds")
        #expect(await town.result(of: .olga) { town.service.addMenu(lunch, to: slug, for: $0) } == "created")
        let id = try #require(town.town.businesses[slug]?.value.menus.first?.id)
        #expect(await town.result(of: .olga) { town.service.addMenuItem(soup, to: id, of: slug, for: $0) } == "created")
        #expect(
            await town.result(of: .olga) { town.service.addMenuItem(broken, to: id, of: slug, for: $0) }
                == "invalid id menus[0].items[1].name price")
        let item = try #require(town.town.businesses[slug]?.value.menus.first?.items.first?.id)
        await town.expect("notFound", of: .olga) { town.service.removeMenuItem(item + 1, from: id, of: slug, for: $0) }
        #expect(await town.result(of: .otto) { town.service.removeMenu(id, of: slug, for: $0) } == "forbidden")
        #expect(await town.result(of: .olga) { town.service.removeMenu(id, of: slug, for: $0) } == "updated")
        #expect(town.town.businesses[slug]?.value.menus == [])
    }
}
