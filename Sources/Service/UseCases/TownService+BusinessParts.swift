import Bytes
import SookeModel
import Store

/// Sets the fields of a menu or an item in a request, and adds their problems.
package typealias MenuPartInput<Part: RecordPart> = @Sendable (inout Part, inout FieldProblems) -> Void

extension RecordPart {
    fileprivate mutating func apply(_ input: @escaping MenuPartInput<Self>, _ problems: inout FieldProblems) {
        let id = id
        input(&self, &problems)
        if self.id != id {
            self.id = id
            problems.add("id", "cannot be given here")
        }
    }
}

/// One menu, or one item on a menu, at a time. The outcome is the whole business.
extension TownService {
    package func addMenu(
        _ input: @escaping MenuPartInput<Menu>, to slug: Slug, for context: RequestContext
    ) -> Transaction<Outcome> {
        change(\.menus, ["menus"], of: slug, isCreated: true, for: context) { menus, problems throws(ServiceError) in
            var menu = Menu()
            menu.apply(input, &problems)
            menus.append(menu)
            return "menus[\(menus.count - 1)]."
        }
    }

    package func updateMenu(
        _ id: Int, _ input: @escaping MenuPartInput<Menu>, of slug: Slug, for context: RequestContext
    ) -> Transaction<Outcome> {
        change(\.menus, ["menus"], of: slug, for: context) { menus, problems throws(ServiceError) in
            let index = try menus.index(of: id)
            menus[index].apply(input, &problems)
            return "menus[\(index)]."
        }
    }

    package func removeMenu(_ id: Int, of slug: Slug, for context: RequestContext) -> Transaction<Outcome> {
        change(\.menus, ["menus"], of: slug, for: context) { menus, _ throws(ServiceError) in
            menus.remove(at: try menus.index(of: id))
            return ""
        }
    }

    package func addMenuItem(
        _ input: @escaping MenuPartInput<MenuItem>, to menu: Int, of slug: Slug, for context: RequestContext
    ) -> Transaction<Outcome> {
        change(\.menus, ["menus"], of: slug, isCreated: true, for: context) { menus, problems throws(ServiceError) in
            let index = try menus.index(of: menu)
            var item = MenuItem()
            item.apply(input, &problems)
            menus[index].items.append(item)
            return "menus[\(index)].items[\(menus[index].items.count - 1)]."
        }
    }

    package func updateMenuItem(
        _ id: Int, _ input: @escaping MenuPartInput<MenuItem>, on menu: Int, of slug: Slug, for context: RequestContext
    ) -> Transaction<Outcome> {
        change(\.menus, ["menus"], of: slug, for: context) { menus, problems throws(ServiceError) in
            let index = try menus.index(of: menu)
            let item = try menus[index].items.index(of: id)
            menus[index].items[item].apply(input, &problems)
            return "menus[\(index)].items[\(item)]."
        }
    }

    package func removeMenuItem(
        _ id: Int, from menu: Int, of slug: Slug, for context: RequestContext
    ) -> Transaction<Outcome> {
        change(\.menus, ["menus"], of: slug, for: context) { menus, _ throws(ServiceError) in
            let index = try menus.index(of: menu)
            menus[index].items.remove(at: try menus[index].items.index(of: id))
            return ""
        }
    }

    /// - Parameter change: returns the path of the changed part, with a dot at the end.
    private func change<Part>(
        _ parts: WritableKeyPath<Business, [Part]> & Sendable, _ field: FieldSet<Business>, of slug: Slug,
        isCreated: Bool = false, for context: RequestContext,
        _ change: @escaping @Sendable (inout [Part], inout FieldProblems) throws(ServiceError) -> String
    ) -> Transaction<Outcome> {
        once(for: context, .businessEditor, at: slug) { [self] transaction in
            let business = try business(slug, matching: context.precondition, in: transaction.town)
            var patch = Patch<Business>()
            var problems = FieldProblems()
            patch.values[keyPath: parts] = business.value[keyPath: parts]
            patch.fields = field
            let place = try change(&patch.values[keyPath: parts], &problems)
            problems.add(consequences: patch.values.problemsWithIDs(of: business), in: place)
            try transaction.requireNone(of: problems, in: place) { [patch] trial throws(WriteError) in
                try trial.update(business.id, patch)
            }
            try transaction.update(business.id, patch)
            let record = try transaction.town.joined(Business.self, id: business.id)
            return isCreated ? .created(record) : .updated(record)
        }
    }
}

extension Array where Element: RecordPart {
    fileprivate func index(of id: Int) throws(ServiceError) -> Int {
        guard let index = firstIndex(where: { $0.id == id }) else {
            throw .notFound(Element.self == Menu.self ? .menu : .menuItem)
        }
        return index
    }
}

/// One entry of the special hours of a business at a time. The outcome is the whole business.
extension TownService {
    package func addSpecialHours(
        _ row: SpecialHours, _ problems: FieldProblems, to slug: Slug, for context: RequestContext
    ) -> Transaction<Outcome> {
        change(\.specialHours, ["special_hours"], of: slug, isCreated: true, for: context) {
            rows, found throws(ServiceError) in
            if row.from != nil, rows.contains(where: { ($0.from, $0.to) == (row.from, row.to) }) { throw .datesTaken }
            rows.append(row)
            found = problems
            return "special_hours[\(rows.count - 1)]."
        }
    }

    /// All their spans. `to` is the last day; nil when no others begin on the first one.
    package func removeSpecialHours(
        from: CivilDate, to: CivilDate?, of slug: Slug, for context: RequestContext
    ) -> Transaction<Outcome> {
        change(\.specialHours, ["special_hours"], of: slug, for: context) { rows, _ throws(ServiceError) in
            let isNamed = { (row: SpecialHours) in row.from == from && (to == nil || row.to == to) }
            guard let first = rows.first(where: isNamed) else { throw .notFound(.specialHours) }
            guard rows.allSatisfy({ !isNamed($0) || $0.to == first.to }) else {
                throw .invalid("to", "is needed: several special hours begin on \(from.text)")
            }
            rows.removeAll(where: isNamed)
            return ""
        }
    }
}
