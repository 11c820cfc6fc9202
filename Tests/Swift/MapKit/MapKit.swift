/// The names of MapKit that the example of `SookeClient` uses, as those of SwiftUI.
import SwiftUI

public struct CLLocationCoordinate2D: Sendable {
    public init(latitude: Double, longitude: Double) {}
}

public struct Map<Value: Hashable>: View {
    public init(selection: Binding<Value?>, @ViewBuilder content: () -> some View) {}
    public var body: Empty { Empty() }
}

public struct Marker: View {
    public init(_ title: some StringProtocol, coordinate: CLLocationCoordinate2D) {}
    public var body: Empty { Empty() }
}
