import Foundation
import Observation

#if canImport(CoreLocation)
    import CoreLocation
#endif

/// All businesses of the town, for a map.
@MainActor @Observable
public final class MapViewModel {
    /// The client that sends the requests; without one nothing is fetched.
    public var apiClient: APIClient?
    /// The town from which the map derives; then nothing is fetched, and it is always current.
    public var town: LiveTown?
    /// The time zone in which the current day is determined; nil for that of the town, or in requests of the device.
    public var timeZone: TimeZone?

    private var chosenCategory: Category?
    private var chosenBusiness: Business?
    private let list = Loader([Business]())
    private let categoryList = Loader([Category]())
    #if canImport(CoreLocation)
        @ObservationIgnored private let locations = CLLocationManager()
    #endif

    /// A model that shows nothing yet.
    public init() {}

    /// The selected category, as it is now; nil for all.
    public var selectedCategory: Category? {
        get { town.current(chosenCategory, among: \.categories) }
        set { chosenCategory = newValue }
    }

    /// The business whose pin is selected, as it is now; nil for none.
    public var selectedBusiness: Business? {
        get {
            guard let town, town.hasRecords, let chosenBusiness else { return chosenBusiness }
            return businesses.first { $0.id == chosenBusiness.id }
        }
        set { chosenBusiness = newValue }
    }

    /// All businesses.
    public var businesses: [Business] {
        get { town.map { $0.replica.businesses(in: timeZone, at: $0.moment) } ?? list.value }
        set { list.value = newValue }
    }

    /// The categories of the town.
    public var categories: [Category] {
        get { town?.replica.categories ?? categoryList.value }
        set { categoryList.value = newValue }
    }

    /// Whether the businesses are being loaded.
    public var isLoadingBusinesses: Bool {
        get { town?.isLoading ?? list.isLoading }
        set { list.isLoading = newValue }
    }

    /// Whether the categories are being loaded.
    public var isLoadingCategories: Bool {
        get { town?.isLoading ?? categoryList.isLoading }
        set { categoryList.isLoading = newValue }
    }

    /// Why the newest request failed; nil if it did not.
    public var error: (any Error)? {
        get { town.map(\.error) ?? list.error ?? categoryList.error }
        set { (list.error, categoryList.error) = (newValue, nil) }
    }

    /// The businesses of the selected category whose location is known.
    public var filteredBusinesses: [Business] {
        let located = businesses.filter(\.hasLocation)
        guard let selectedCategory else { return located }
        return located.filter { $0.categorySlug == selectedCategory.slug }
    }

    /// Asks once whether the app may know where the person is while it is used; nothing where nobody can be asked.
    public func requestLocationPermission() {
        #if canImport(CoreLocation)
            locations.requestWhenInUseAuthorization()
        #endif
    }

    /// Fetches all businesses.
    public func fetchBusinesses() async {
        guard town == nil, let apiClient else { return }
        let queryItems = [URLQueryItem("tz", (timeZone ?? .current).identifier)]
        await list.load {
            try await apiClient.getAll(APIPath.businesses, queryItems: queryItems) as [Business]
        } show: {
            $0 = $1
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

    /// Selects a category, or all. A business of another category is no longer selected.
    public func selectCategory(_ category: Category?) {
        selectedCategory = category
        if let selectedBusiness, let category, selectedBusiness.categorySlug != category.slug {
            self.selectedBusiness = nil
        }
    }
}
