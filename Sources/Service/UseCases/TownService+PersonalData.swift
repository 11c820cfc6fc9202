import JSON
import SookeModel
import Store

extension TownService {
    /// What the town has stored of a person, as JSON: their account, the places they own or confirmed, what they sent
    /// or cancelled, and their credentials without the digests of secrets.
    package func personalData(of id: Int, for caller: Caller, in town: Town) throws(ServiceError) -> [UInt8] {
        if caller.personID != id { try Access.superAdmin.check(caller, slug: nil, in: town) }
        let person = try person(id, in: town)
        let places = town.businesses.inOrderOfID.lazy.map(\.value)
        let password = town.passwords[id]
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("person")
        person.write(to: &writer)
        writer.member("created_at", person.times.created)
        writer.member("updated_at", person.times.updated)
        writer.member("password_set_at", password?.setAt)
        writer.list("places", places.filter { $0.ownerID == id }, .all)
        writer.key("confirmed_places")
        writer.beginArray()
        for place in places where place.confirmedBy == id { writer.string(place.name) }
        writer.endArray()
        let events = town.events.inOrderOfID.lazy.map(\.value)
        writer.list("events", events.filter { $0.submittedBy == id || $0.cancelledBy == id }, .all)
        writer.list("proposals", town.proposals.of(account: id), .all)
        writer.list("credentials", town.credentials.of(person: id), .all.subtracting(["digest"]))
        writer.endObject()
        return writer.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func list<Value: StoredRecord>(
        _ name: StaticString, _ records: some Sequence<Value>, _ fields: FieldSet<Value>
    ) {
        key(name)
        beginArray()
        for record in records {
            beginObject()
            record.writeFields(fields, to: &self)
            endObject()
        }
        endArray()
    }
}
