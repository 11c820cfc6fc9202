import MapKit
import SookeClient
import SwiftUI

/// The businesses whose location is known; the selected one opens below.
struct MapScreen: View {
    @Environment(LiveTown.self) private var town
    @State private var model = MapViewModel()

    var body: some View {
        Map(selection: $model.selectedBusiness) {
            ForEach(model.filteredBusinesses) { business in
                Marker(
                    business.name,
                    coordinate: CLLocationCoordinate2D(latitude: business.latitude, longitude: business.longitude)
                )
                .tag(business)
            }
        }
        .safeAreaInset(edge: .bottom) {
            if let business = model.selectedBusiness { NavigationLink(business.name, value: business) }
        }
        .onAppear {
            model.town = town
            model.requestLocationPermission()
        }
    }
}
