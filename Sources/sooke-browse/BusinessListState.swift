import Foundation
import Observation
import SookeClient

/// What the list of businesses shows, kept while the other list is shown.
@MainActor @Observable final class BusinessListState {
    let model = BusinessListViewModel()
    var selection: Business.ID?
    var isOpenOnly = false
    /// The newest answer of the server, which may be for another question.
    var found: ServerSearch?

    /// What the server is asked.
    func question(isLive: Bool) -> ServerSearch.Question {
        ServerSearch.Question(
            path: APIPath.businesses, text: model.searchText,
            filter: model.selectedCategory.map { URLQueryItem(name: "category", value: $0.slug) }, isLive: isLive)
    }

    /// The businesses that are shown.
    func items(_ browser: Browser) -> [Business] {
        let matches = matches(browser)
        return isOpenOnly ? matches.filter { browser.isOpen($0.slug) } : matches
    }

    private func matches(_ browser: Browser) -> [Business] {
        guard !model.searchText.isEmpty else { return model.items }
        let town = browser.town
        let local = town.replica.businesses(
            about: model.searchText, category: model.selectedCategory?.slug, at: town.moment)
        guard let found, found.question == question(isLive: browser.isLive) else { return local }
        return found.merged(with: local) { town.replica.listedBusiness(id: $0, at: town.moment) }
    }

    /// Whether not all businesses are wanted.
    var isNarrowed: Bool { !model.searchText.isEmpty || model.selectedCategory != nil || isOpenOnly }

    /// Shows a category, or all.
    func select(_ category: SookeClient.Category?) {
        (model.searchText, selection) = ("", nil)
        model.selectCategory(category)
    }
}
