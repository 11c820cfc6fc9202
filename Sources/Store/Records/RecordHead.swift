import JSON
import SookeModel

/// The first members of an event in a response.
enum RecordHead {
    /// The members from `id` to `description`, with the opening brace and a trailing comma.
    static func encode(id: Int, name: String, slug: Slug, description: String?) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("id", id)
        writer.member("name", name)
        writer.member("slug", slug.text)
        writer.member("description", description)
        return writer.bytes + [UInt8(ascii: ",")]
    }
}
