import Foundation
import Observation

/// The coming events of the town by their start, narrowed by a search and by a type.
///
/// Its tasks end as those of `BusinessListViewModel`.
@MainActor @Observable
public final class EventListViewModel {
    /// The client that sends the requests; without one nothing is fetched.
    public var apiClient: APIClient?
    /// The town from which the lists derive; then nothing is fetched, and they are always current.
    public var town: LiveTown?
    /// What is searched. A change fetches the list after 300 ms without another change, or at once if the text is empty.
    public var searchText = "" {
        didSet { if searchText != oldValue { fetch(after: SearchDelay.after(changeTo: searchText)) } }
    }

    private var chosenEventType: EventType?
    private let list = Loader(PagedList<EventDetails>())
    private let typeList = Loader([EventType]())
    @ObservationIgnored private let background: BackgroundTask

    /// A model that shows nothing yet.
    ///
    /// - Parameter clock: measures the delay of a search.
    public init(clock: any Clock<Duration> = ContinuousClock()) {
        background = BackgroundTask(clock: clock)
    }

    /// The selected type, as it is now; nil for all.
    public var selectedEventType: EventType? {
        get { town.current(chosenEventType) }
        set { chosenEventType = newValue }
    }

    /// The events that have been loaded; all that match if they derive from the town.
    public var items: [EventDetails] {
        get {
            guard let town else { return list.value.items }
            return town.replica.events(matching: searchText, type: selectedEventType?.slug, at: town.moment)
        }
        set { list.value.items = newValue }
    }

    /// The types of events.
    public var eventTypes: [EventType] {
        get { town?.replica.eventTypes ?? typeList.value }
        set { typeList.value = newValue }
    }

    /// Why the newest request failed; nil if it did not.
    public var error: (any Error)? {
        get { town.map(\.error) ?? list.error ?? typeList.error }
        set { (list.error, typeList.error) = (newValue, nil) }
    }

    /// Whether the events or their types are being loaded.
    public var isLoading: Bool { isLoadingEvents || isLoadingEventTypes }
    /// Whether the events are being loaded.
    public var isLoadingEvents: Bool { town?.isLoading ?? list.isLoading }
    /// Whether the types are being loaded.
    public var isLoadingEventTypes: Bool { town?.isLoading ?? typeList.isLoading }
    /// Which pages of the list have been loaded; nil before the first response, and for a list without pages.
    public var pagination: Pagination? { town == nil ? list.value.pagination : nil }
    /// Whether the list has further pages.
    public var hasMore: Bool { town == nil && list.value.nextPage != nil }

    /// Fetches the first page of the list.
    public func fetchEvents() async {
        await currentFetch()?()
    }

    /// Fetches the next page and appends it to the list.
    public func fetchNextPage() async {
        guard town == nil, let apiClient, let page = list.value.nextPage, !list.isLoading else { return }
        let queryItems = queryItems + [URLQueryItem("page", "\(page)")]
        await list.load(isPart: true) {
            try await apiClient.get(APIPath.events, queryItems: queryItems) as PaginatedResponse<EventDetails>
        } show: {
            $0.append($1)
        }
    }

    /// Fetches the types of events.
    public func fetchEventTypes() async {
        guard town == nil, let apiClient else { return }
        await typeList.load {
            try await apiClient.get(APIPath.eventTypes) as EventTypeListResponse
        } show: {
            $0 = $1.items
        }
    }

    /// Selects a type, or all, and fetches the list.
    public func selectEventType(_ eventType: EventType?) {
        selectedEventType = eventType
        fetch()
    }

    /// Ends what the model has started, as when its screen is left.
    public func leave() {
        background.cancel()
    }

    private var queryItems: [URLQueryItem] {
        [
            URLQueryItem("search", unlessEmpty: searchText), URLQueryItem("type", unlessEmpty: selectedEventType?.slug),
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
                try await apiClient.get(APIPath.events, queryItems: queryItems) as PaginatedResponse<EventDetails>
            } show: {
                $0.replace(with: $1)
            }
        }
    }
}
