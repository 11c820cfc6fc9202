import Foundation
import Observation

/// The businesses of the town by name, narrowed by a search and by a category.
public typealias BusinessListViewModel = ListViewModel<Business, Category>
/// The coming events of the town by their start, narrowed by a search and by a type.
public typealias EventListViewModel = ListViewModel<EventDetails, EventType>

/// The records of a kind, narrowed by a search and by a group.
///
/// Functions that are `async` run in the task of the caller: a view's `task` ends them when the view disappears.
/// A search and the choice of a group start a task of the model, which ends with `leave()`, or with the model.
@MainActor @Observable
public final class ListViewModel<Item: TownItem, Group: TownItem> {
    /// The client that sends the requests; without one nothing is fetched.
    public var apiClient: APIClient?
    /// The town from which the lists derive; then nothing is fetched, and they are always current.
    public var town: LiveTown?
    /// The time zone in which the current day is determined; nil for that of the town, or in requests of the device.
    public var timeZone: TimeZone?
    /// What is searched. Without a town, a change fetches the list after 300 ms without another, at once if cleared.
    public var searchText = "" {
        didSet { if searchText != oldValue { fetch(after: searchText.isEmpty ? .zero : .milliseconds(300)) } }
    }

    private var chosenGroup: Group?
    private let list = Loader(PagedList<Item>())
    private let groupList = Loader([Group]())
    private let source: ListSource<Item, Group>
    @ObservationIgnored private let background: BackgroundTask

    fileprivate init(_ source: ListSource<Item, Group>, _ clock: any Clock<Duration>) {
        self.source = source
        background = BackgroundTask(clock: clock)
    }

    /// The records that have been loaded; all that match if they derive from the town.
    public var items: [Item] {
        get {
            guard let town else { return list.value.items }
            return source.items(town.replica, searchText, selectedGroup, timeZone, town.moment)
        }
        set { list.value.items = newValue }
    }

    /// Why the newest request failed; nil if it did not.
    public var error: (any Error)? {
        get { town.map(\.error) ?? list.error ?? groupList.error }
        set { (list.error, groupList.error) = (newValue, nil) }
    }

    /// Whether the records or their groups are being loaded.
    public var isLoading: Bool { isLoadingItems || isLoadingGroups }
    /// Which pages of the list have been loaded; nil before the first response, and for a list without pages.
    public var pagination: Pagination? { town == nil ? list.value.pagination : nil }
    /// Whether the list has further pages.
    public var hasMore: Bool { town == nil && list.value.nextPage != nil }

    /// Fetches the next page and appends it to the list.
    public func fetchNextPage() async {
        guard town == nil, let apiClient, let page = list.value.nextPage, !list.isLoading else { return }
        let queryItems = queryItems + [URLQueryItem("page", "\(page)")]
        await list.load(isPart: true) { [source] in
            try await apiClient.get(source.path, queryItems: queryItems) as PaginatedResponse<Item>
        } show: {
            $0.append($1)
        }
    }

    /// Ends what the model has started, as when its screen is left.
    public func leave() {
        background.cancel()
    }

    fileprivate var selectedGroup: Group? {
        get { town.current(chosenGroup, among: source.groups) }
        set { chosenGroup = newValue }
    }

    fileprivate var groups: [Group] {
        get { town.map { source.groups($0.replica) } ?? groupList.value }
        set { groupList.value = newValue }
    }

    fileprivate var isLoadingItems: Bool { town?.isLoading ?? list.isLoading }
    fileprivate var isLoadingGroups: Bool { town?.isLoading ?? groupList.isLoading }

    fileprivate func fetchItems() async {
        await currentFetch()?()
    }

    fileprivate func fetchGroups() async {
        guard town == nil, let apiClient else { return }
        await groupList.load { [source] in
            try await apiClient.get(source.groupPath) as ListResponse<Group>
        } show: {
            $0 = $1.items
        }
    }

    fileprivate func select(_ group: Group?) {
        selectedGroup = group
        fetch()
    }

    private var queryItems: [URLQueryItem] {
        ([URLQueryItem("search", unlessEmpty: searchText)] + source.query(selectedGroup, timeZone ?? .current))
            .compactMap(\.self)
    }

    private func fetch(after delay: Duration = .zero) {
        if town != nil { return }
        background.start(after: delay) { [weak self] in await self?.currentFetch()?() }
    }

    /// The request for what is selected now. It does not retain the model.
    private func currentFetch() -> (@MainActor () async -> Void)? {
        guard town == nil, let apiClient else { return nil }
        return { [list, source, queryItems] in
            await list.load {
                try await apiClient.get(source.path, queryItems: queryItems) as PaginatedResponse<Item>
            } show: {
                $0.replace(with: $1)
            }
        }
    }
}

extension BusinessListViewModel {
    /// A model that shows nothing yet; `clock` measures the delay of a search.
    public convenience init(clock: any Clock<Duration> = ContinuousClock()) {
        let source = ListSource<Business, Category>(path: APIPath.businesses, groupPath: APIPath.categories) {
            [URLQueryItem("category", unlessEmpty: $0?.slug), URLQueryItem("tz", $1.identifier)]
        } items: {
            $0.businesses(matching: $1, category: $2?.slug, in: $3, at: $4)
        } groups: {
            $0.categories
        }
        self.init(source, clock)
    }

    /// The selected category, as it is now; nil for all.
    public var selectedCategory: Category? {
        get { selectedGroup }
        set { selectedGroup = newValue }
    }

    /// The categories of the town.
    public var categories: [Category] {
        get { groups }
        set { groups = newValue }
    }

    /// Whether the businesses are being loaded.
    public var isLoadingBusinesses: Bool { isLoadingItems }
    /// Whether the categories are being loaded.
    public var isLoadingCategories: Bool { isLoadingGroups }
    /// Fetches the first page of the list.
    public func fetchBusinesses() async { await fetchItems() }
    /// Fetches the categories.
    public func fetchCategories() async { await fetchGroups() }
    /// Selects a category, or all, and fetches the list.
    public func selectCategory(_ category: Category?) { select(category) }
}

extension EventListViewModel {
    /// A model that shows nothing yet; `clock` measures the delay of a search.
    public convenience init(clock: any Clock<Duration> = ContinuousClock()) {
        let source = ListSource<EventDetails, EventType>(path: APIPath.events, groupPath: APIPath.eventTypes) {
            type, _ in
            [URLQueryItem("type", unlessEmpty: type?.slug)]
        } items: {
            $0.events(matching: $1, type: $2?.slug, in: $3, at: $4)
        } groups: {
            $0.eventTypes
        }
        self.init(source, clock)
    }

    /// The selected type, as it is now; nil for all.
    public var selectedEventType: EventType? {
        get { selectedGroup }
        set { selectedGroup = newValue }
    }

    /// The types of events.
    public var eventTypes: [EventType] {
        get { groups }
        set { groups = newValue }
    }

    /// Whether the events are being loaded.
    public var isLoadingEvents: Bool { isLoadingItems }
    /// The same, by the name in the app.
    public var isLoadingEvent: Bool { isLoadingItems }
    /// Whether the types are being loaded.
    public var isLoadingEventTypes: Bool { isLoadingGroups }
    /// The same, by the name in the app.
    public var isLoadingEventType: Bool { isLoadingGroups }
    /// Fetches the first page of the list.
    public func fetchEvents() async { await fetchItems() }
    /// Fetches the types of events.
    public func fetchEventTypes() async { await fetchGroups() }
    /// Selects a type, or all, and fetches the list.
    public func selectEventType(_ eventType: EventType?) { select(eventType) }
}

/// An item of a list.
public typealias TownItem = Codable & Identifiable<Int64> & Sendable

private struct ListSource<Item: Sendable, Group: Sendable>: Sendable {
    let path: String
    let groupPath: String
    let query: @Sendable (Group?, TimeZone) -> [URLQueryItem?]
    let items: @Sendable (TownReplica, _ search: String, Group?, TimeZone?, Date) -> [Item]
    let groups: @Sendable (TownReplica) -> [Group]
}

extension LiveTown {
    var hasRecords: Bool { replica.position != nil }
}

extension LiveTown? {
    @MainActor
    func current<Group: Identifiable<Int64>>(_ group: Group?, among groups: (TownReplica) -> [Group]) -> Group? {
        guard let self, self.hasRecords, let group else { return group }
        return groups(self.replica).first { $0.id == group.id }
    }
}
