import Foundation
import Observation

/// A business with its hours and menus.
public typealias BusinessDetailViewModel = DetailViewModel<BusinessDetails>
/// An event.
public typealias EventDetailViewModel = DetailViewModel<EventDetails>

/// A record by itself.
@MainActor @Observable
public final class DetailViewModel<Details: TownItem> {
    /// The client that sends the requests; without one nothing is fetched.
    public var apiClient: APIClient?
    /// The town from which the record derives, so that it is always current. Only what the town does not contain is
    /// fetched, such as a record by a slug that it had before.
    public var town: LiveTown?

    private let loader = Loader(Details?.none)
    /// The slug with which the record was opened; from then on it is followed by its ID.
    @ObservationIgnored private var slug: String?
    @ObservationIgnored private var id: Int64?

    private let path: (_ slug: String) -> String
    private let findSlug: (TownReplica, String, Date) -> Details?
    private let findID: (TownReplica, Int64, Date) -> Details?

    fileprivate init(
        _ path: @escaping (String) -> String, slug findSlug: @escaping (TownReplica, String, Date) -> Details?,
        id findID: @escaping (TownReplica, Int64, Date) -> Details?
    ) {
        (self.path, self.findSlug, self.findID) = (path, findSlug, findID)
    }

    /// Whether the record is being loaded.
    public var isLoading: Bool { loader.isLoading || slug != nil && town?.isLoading == true }
    /// Why the newest request failed; nil if it did not.
    public var error: (any Error)? { loader.error ?? (slug == nil ? nil : town?.error) }

    fileprivate var details: Details? {
        guard let town, town.hasRecords else { return loader.value }
        let (replica, moment) = (town.replica, town.moment)
        if id == nil { id = slug.flatMap { findSlug(replica, $0, moment)?.id } ?? loader.value?.id }
        return id.flatMap { findID(replica, $0, moment) }
    }

    fileprivate func fetch(_ slug: String) async {
        if slug != self.slug { loader.value = nil }
        if slug != self.slug || town?.hasRecords == true { (self.slug, id) = (slug, nil) }
        if let town, town.hasRecords, details != nil { return }
        guard let apiClient else { return }
        let path = path(slug)
        await loader.load {
            try await apiClient.get(path) as Details
        } show: {
            $0 = $1
        }
    }
}

extension BusinessDetailViewModel {
    /// A model that shows nothing yet.
    public convenience init() {
        self.init(APIPath.business) {
            $0.business(slug: $1, at: $2)
        } id: {
            $0.business(id: $1, at: $2)
        }
    }

    /// The business; nil until it has been loaded, and when it has been deleted.
    public var businessDetails: BusinessDetails? { details }
    /// Fetches a business. Another one is no longer shown meanwhile.
    public func fetchBusinessDetails(slug: String) async { await fetch(slug) }
}

extension EventDetailViewModel {
    /// A model that shows nothing yet.
    public convenience init() {
        self.init(APIPath.event) {
            $0.event(slug: $1, at: $2)
        } id: {
            $0.event(id: $1, at: $2)
        }
    }

    /// The event; nil until it has been loaded, and when it has been deleted.
    public var eventDetails: EventDetails? { details }
    /// Fetches an event. Another one is no longer shown meanwhile.
    public func fetchEventDetails(slug: String) async { await fetch(slug) }
}
