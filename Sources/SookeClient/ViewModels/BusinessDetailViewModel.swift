import Observation

/// A business with its hours and menus.
@MainActor @Observable
public final class BusinessDetailViewModel {
    /// The client that sends the requests; without one nothing is fetched.
    public var apiClient: APIClient?
    /// The town from which the business derives, so that it is always current. Only what the town does not contain is
    /// fetched, such as a business by a slug that it had before.
    public var town: LiveTown?

    private let loader = Loader(BusinessDetails?.none)
    @ObservationIgnored private var shown = ShownRecord()

    /// A model that shows nothing yet.
    public init() {}

    /// The business; nil until it has been loaded, and when it has been deleted.
    public private(set) var businessDetails: BusinessDetails? {
        get {
            guard let town, town.hasRecords else { return loader.value }
            return shown.record(loader.value, id: town.replica.business(id:), slug: town.replica.business(slug:))
        }
        set { loader.value = newValue }
    }

    /// Whether the business is being loaded.
    public var isLoading: Bool { loader.isLoading || shown.slug != nil && town?.isLoading == true }
    /// Why the newest request failed; nil if it did not.
    public var error: (any Error)? { loader.error ?? (shown.slug == nil ? nil : town?.error) }

    /// Fetches a business. Another one is no longer shown meanwhile.
    public func fetchBusinessDetails(slug: String) async {
        if slug != shown.slug { businessDetails = nil }
        if slug != shown.slug || town?.hasRecords == true { shown = ShownRecord(slug: slug) }
        if let town, town.hasRecords, businessDetails != nil { return }
        guard let apiClient else { return }
        await loader.load {
            try await apiClient.get(APIPath.business(slug)) as BusinessDetails
        } show: {
            $0 = $1
        }
    }
}
