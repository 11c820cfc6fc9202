/// A mistake in the description of a view. The tree shows it at the place of the view and goes on.
public enum TreeError: Error, Hashable, CustomStringConvertible {
    /// No ancestor put an object of the type into the environment.
    case missingObject(view: String, property: String, type: String)
    /// A state or an environment value was used before its view was in the tree, such as in an initializer.
    case usedBeforeInstalled(view: String, property: String)
    /// One value of a view is at two places, which would share its state.
    case usedTwice(view: String, property: String)
    /// Two elements of a list have the same ID; the second is not shown.
    case duplicateID(view: String, id: String)
    /// The actions of these views invalidate views again and again.
    case unstable(views: [String])

    /// The mistake, where it is, and what to do.
    public var description: String {
        switch self {
        case .missingObject(let view, let property, let type):
            "\(view).\(property): the environment has no \(type); add .environment(_:) to a view around it"
        case .usedBeforeInstalled(let view, let property):
            "\(view).\(property) is used before the view is in the tree; use it in the body or in an action"
        case .usedTwice(let view, let property):
            "\(view).\(property): one view value is at two places; create a value for each"
        case .duplicateID(let view, let id):
            "\(view): two elements have the ID \(id)"
        case .unstable(let views):
            "\(views.joined(separator: ", ")): each redraw causes another"
        }
    }
}
