import Foundation
import Observation

/// The businesses of the town by name, narrowed by a search and by a category.
///
/// Functions that are `async` run in the task of the caller: a view's `task` ends them when the view disappears.
/// A search and the choice of a category start a task of the model, which ends with `leave()`, or with the model.
@MainActor @Observable
public final class BusinessListViewModel {
    /// The client that sends the requests; without one nothing is fetched.
    public var apiClient: APIClient?
    /// The town from which the lists derive; then nothing is fetched, and they are always current.
    public var town: LiveTown?
    /// The time zone in which the current day is determined.
    public var timeZone = TimeZone.current
    /// What is searched. A change fetches the list after 300 ms without another change, or at once if the text is empty.
    public var searchText = "" {
        didSet { if searchText != oldValue { fetch(after: SearchDelay.after(changeTo: searchText)) } }
    }

    private var chosenCategory: Category?
    private let list = Loader(PagedList<Business>())
    private let categoryList = Loader([Category]())
    @ObservationIgnored private let background: BackgroundTask

    /// A model that shows nothing yet.
    ///
    /// - Parameter clock: measures the delay of a search.
    public init(clock: any Clock<Duration> = ContinuousClock()) {
        background = BackgroundTask(clock: clock)
    }

    /// The selected category, as it is now; nil for all.
    public var selectedCategory: Category? {
        get { town.current(chosenCategory) }
        set { chosenCategory = newValue }
    }

    /// The businesses that have been loaded; all that match if they derive from the town.
    public var items: [Business] {
        get {
            guard let town else { return list.value.items }
            return town.replica.businesses(
                matching: searchText, category: selectedCategory?.slug, in: timeZone, at: town.moment)
        }
        set { list.value.items = newValue }
    }

    /// The categories of the town.
    public var categories: [Category] {
        get { town?.replica.categories ?? categoryList.value }
        set { categoryList.value = newValue }
    }

    /// Why the newest request failed; nil if it did not.
    public var error: (any Error)? {
        get { town.map(\.error) ?? list.error ?? categoryList.error }
        set { (list.error, categoryList.error) = (newValue, nil) }
    }

    /// Whether the businesses or the categories are being loaded.
    public var isLoading: Bool { isLoadingBusinesses || isLoadingCategories }
    /// Whether the businesses are being loaded.
    public var isLoadingBusinesses: Bool { town?.isLoading ?? list.isLoading }
    /// Whether the categories are being loaded.
    public var isLoadingCategories: Bool { town?.isLoading ?? categoryList.isLoading }
    /// Which pages of the list have been loaded; nil before the first response, and for a list without pages.
    public var pagination: Pagination? { town == nil ? list.value.pagination : nil }
    /// Whether the list has further pages.
    public var hasMore: Bool { town == nil && list.value.nextPage != nil }

    /// Fetches the first page of the list.
    public func fetchBusinesses() async {
        await currentFetch()?()
    }

    /// Fetches the next page and appends it to the list.
    public func fetchNextPage() async {
        guard town == nil, let apiClient, let page = list.value.nextPage, !list.isLoading else { return }
        let queryItems = queryItems + [URLQueryItem("page", "\(page)")]
        await list.load(isPart: true) {
            try await apiClient.get(APIPath.businesses, queryItems: queryItems) as PaginatedResponse<Business>
        } show: {
            $0.append($1)
        }
    }

    /// Fetches the categories.
    public func fetchCategories() async {
        guard town == nil, let apiClient else { return }
        await categoryList.load {
            try await apiClient.get(APIPath.categories) as ListResponse<Category>
        } show: {
            $0 = $1.items
        }
    }

    /// Selects a category, or all, and fetches the list.
    public func selectCategory(_ category: Category?) {
        selectedCategory = category
        fetch()
    }

    /// Ends what the model has started, as when its screen is left.
    public func leave() {
        background.cancel()
    }

    private var queryItems: [URLQueryItem] {
        [
            URLQueryItem("search", unlessEmpty: searchText),
            URLQueryItem("category", unlessEmpty: selectedCategory?.slug),
            URLQueryItem("tz", timeZone.identifier),
        ].compactMap(\.self)
    }

    private func fetch(after delay: Duration = .zero) {
        background.start(after: delay) { [weak self] in await self?.currentFetch()?() }
    }

    /// The request for what is selected now. It does not retain the model.
    private func currentFetch() -> (@MainActor () async -> Void)? {
        guard town == nil, let apiClient else { return nil }
        return { [list, queryItems] in
            await list.load {
                try await apiClient.get(APIPath.businesses, queryItems: queryItems) as PaginatedResponse<Business>
            } show: {
                $0.replace(with: $1)
            }
        }
    }
}
