import SookeClient
import SwiftUI

/// What is on, narrowed by a type of event.
struct EventListScreen: View {
    @Environment(LiveTown.self) private var town
    @State private var model = EventListViewModel()

    var body: some View {
        List(model.items) { event in
            NavigationLink(value: event) {
                VStack(alignment: .leading) {
                    Text(event.name)
                    Text(event.startTime).font(.caption).foregroundStyle(.secondary)
                }
            }
        }
        .navigationTitle("Events")
        .searchable(text: $model.searchText)
        .overlay { if model.isLoading { ProgressView() } }
        .toolbar {
            SwiftUI.Menu("Type") {
                Button("All") { model.selectEventType(nil) }
                ForEach(model.eventTypes) { type in Button(type.name) { model.selectEventType(type) } }
            }
        }
        .onAppear { model.town = town }
        .onDisappear { model.leave() }
    }
}

/// One event; of a series, the next time.
struct EventScreen: View {
    let slug: String

    @Environment(LiveTown.self) private var town
    @State private var model = EventDetailViewModel()

    var body: some View {
        Form {
            if let event = model.eventDetails {
                LabeledContent("Begins", value: event.startTime)
                if event.status == "cancelled" { Text("It is cancelled").foregroundStyle(.red) }
                if let place = event.businessName { LabeledContent("At", value: place) }
                if let description = event.description { Text(description) }
            } else if model.isLoading {
                ProgressView()
            } else {
                ContentUnavailableView("It is not there any more", systemImage: "questionmark")
            }
        }
        .navigationTitle(model.eventDetails?.name ?? "")
        .task {
            model.town = town
            await model.fetchEventDetails(slug: slug)
        }
    }
}
