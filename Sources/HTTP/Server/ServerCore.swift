import Platform

/// What the loops of a server share.
final class ServerCore: Sendable {
    let settings: ConnectionSettings
    let clock: TimeSource
    let renderError: @Sendable (HTTPError, Headers, RequestID?) -> Response
    let observe: (@Sendable (AccessRecord) -> Void)?
    let responder: Responder
    let admission: Admission

    init(
        _ configuration: ServerConfiguration, clock: TimeSource,
        renderError: @escaping @Sendable (HTTPError, Headers, RequestID?) -> Response,
        observe: (@Sendable (AccessRecord) -> Void)?, responder: @escaping Responder
    ) {
        let defaultLimit = configuration.limits.body
        settings = ConnectionSettings(
            limits: configuration.limits,
            admitBody: { request throws(HTTPError) in
                try configuration.admitBody?(request) ?? BodyAdmission(limit: defaultLimit)
            },
            hasPriority: configuration.hasPriority, proxies: Proxies(configuration.proxies))
        let limits = configuration.limits
        admission = Admission(
            limits, descriptorLimit: DescriptorLimit.raise(to: Admission.descriptors(for: limits)))
        (self.clock, self.renderError, self.observe, self.responder) = (clock, renderError, observe, responder)
    }
}
