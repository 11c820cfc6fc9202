import Foundation

/// A kind of records that lists and details show: `Businesses` or `Events`.
public protocol TownKind: Sendable {
    /// A record in a list.
    associatedtype Item: Codable & Identifiable<Int64> & Sendable
    /// A record by itself.
    associatedtype Details: Codable & Identifiable<Int64> & Sendable
    /// What lists are narrowed by.
    associatedtype Group: Codable & Identifiable<Int64> & Sendable

    /// The path of the list.
    static var path: String { get }
    /// The path of the groups.
    static var groupPath: String { get }
    /// The path of a record.
    static func path(of slug: String) -> String
    /// The parameters of a list.
    static func query(group: Group?, in timeZone: TimeZone) -> [URLQueryItem?]

    /// The records of a replica that match.
    static func items(
        of replica: TownReplica, matching search: String, group: Group?, in timeZone: TimeZone, at now: Date
    ) -> [Item]
    /// The groups of a replica.
    static func groups(of replica: TownReplica) -> [Group]
    /// A record of a replica.
    static func details(of replica: TownReplica, slug: String, at now: Date) -> Details?
    /// A record of a replica.
    static func details(of replica: TownReplica, id: Int64, at now: Date) -> Details?
}

/// The businesses of the town by name, narrowed by a category.
public enum Businesses: TownKind {
    /// The path of the list.
    public static var path: String { APIPath.businesses }
    /// The path of the categories.
    public static var groupPath: String { APIPath.categories }
    /// The path of a business.
    public static func path(of slug: String) -> String { APIPath.business(slug) }
    /// The parameters of a list.
    public static func query(group: Category?, in timeZone: TimeZone) -> [URLQueryItem?] {
        [URLQueryItem("category", unlessEmpty: group?.slug), URLQueryItem("tz", timeZone.identifier)]
    }
    /// The businesses of a replica that match.
    public static func items(
        of replica: TownReplica, matching search: String, group: Category?, in timeZone: TimeZone, at now: Date
    ) -> [Business] {
        replica.businesses(matching: search, category: group?.slug, in: timeZone, at: now)
    }
    /// The categories of a replica.
    public static func groups(of replica: TownReplica) -> [Category] { replica.categories }
    /// A business of a replica.
    public static func details(of replica: TownReplica, slug: String, at now: Date) -> BusinessDetails? {
        replica.business(slug: slug)
    }
    /// A business of a replica.
    public static func details(of replica: TownReplica, id: Int64, at now: Date) -> BusinessDetails? {
        replica.business(id: id)
    }
}

/// The coming events of the town by their start, narrowed by a type.
public enum Events: TownKind {
    /// The path of the list.
    public static var path: String { APIPath.events }
    /// The path of the types.
    public static var groupPath: String { APIPath.eventTypes }
    /// The path of an event.
    public static func path(of slug: String) -> String { APIPath.event(slug) }
    /// The parameters of a list.
    public static func query(group: EventType?, in timeZone: TimeZone) -> [URLQueryItem?] {
        [URLQueryItem("type", unlessEmpty: group?.slug)]
    }
    /// The events of a replica that match.
    public static func items(
        of replica: TownReplica, matching search: String, group: EventType?, in timeZone: TimeZone, at now: Date
    ) -> [EventDetails] {
        replica.events(matching: search, type: group?.slug, in: timeZone, at: now)
    }
    /// The types of events of a replica.
    public static func groups(of replica: TownReplica) -> [EventType] { replica.eventTypes }
    /// An event of a replica.
    public static func details(of replica: TownReplica, slug: String, at now: Date) -> EventDetails? {
        replica.event(slug: slug, at: now)
    }
    /// An event of a replica.
    public static func details(of replica: TownReplica, id: Int64, at now: Date) -> EventDetails? {
        replica.event(id: id, at: now)
    }
}
