import Observation

/// An event.
@MainActor @Observable
public final class EventDetailViewModel {
    /// The client that sends the requests; without one nothing is fetched.
    public var apiClient: APIClient?
    /// The town from which the event derives, so that it is always current. Only what the town does not contain is
    /// fetched, such as a event by a slug that it had before.
    public var town: LiveTown?

    private let loader = Loader(EventDetails?.none)
    @ObservationIgnored private var shown = ShownRecord()

    /// A model that shows nothing yet.
    public init() {}

    /// The event; nil until it has been loaded, and when it has been deleted.
    public private(set) var eventDetails: EventDetails? {
        get {
            guard let town, town.hasRecords else { return loader.value }
            return shown.record(
                loader.value, id: { town.replica.event(id: $0, at: town.moment) },
                slug: { town.replica.event(slug: $0, at: town.moment) })
        }
        set { loader.value = newValue }
    }

    /// Whether the event is being loaded.
    public var isLoading: Bool { loader.isLoading || shown.slug != nil && town?.isLoading == true }
    /// Why the newest request failed; nil if it did not.
    public var error: (any Error)? { loader.error ?? (shown.slug == nil ? nil : town?.error) }

    /// Fetches an event. Another one is no longer shown meanwhile.
    public func fetchEventDetails(slug: String) async {
        if slug != shown.slug { eventDetails = nil }
        if slug != shown.slug || town?.hasRecords == true { shown = ShownRecord(slug: slug) }
        if let town, town.hasRecords, eventDetails != nil { return }
        guard let apiClient else { return }
        await loader.load {
            try await apiClient.get(APIPath.event(slug)) as EventDetails
        } show: {
            $0 = $1
        }
    }
}
