import SookeModel

/// Executes the plan.
extension BusinessPlan {
    /// A page of the list.
    func page(_ request: PageRequest) -> Page<BusinessRecord> {
        switch walk {
        case .nothing: return Page(records: [], request: request, total: 0)
        case .run(let run): return page(request, of: run)
        case .named(let text):
            guard query.after == nil else { return page(request, of: namedRun(text)) }
            // Most chunks of names lie outside the page, where counting is faster than finding IDs.
            let isIncluded = matching.map { matching in { (id: Int) in matching.contains(id) } }
            let (ids, total) = table.listedNames.matches(of: text, at: request.ranks(in: .max), where: isIncluded)
            return Page(records: table.records(with: ids), request: request, total: total)
        case .circle(let circle): return page(request, in: circle, from: SurfacePoint(circle.center))
        case .box(let box, let center): return page(request, in: box, from: center)
        }
    }

    /// The whole list.
    func list() -> BusinessList {
        switch walk {
        case .nothing: BusinessList(BusinessRun([]))
        case .run(let run): BusinessList(run, matching: matching)
        case .named(let text): BusinessList(namedRun(text), matching: matching)
        case .circle(let circle):
            BusinessList(nearest(in: circle, from: SurfacePoint(circle.center)), in: table)
        case .box(let box, let center): BusinessList(nearest(in: box, from: center), in: table)
        }
    }

    /// A page of businesses in the order of the list.
    private func page(_ request: PageRequest, of run: BusinessRun) -> Page<BusinessRecord> {
        let start = query.after.map { key in run.firstRank { key < query.key(of: $0) } }
        guard let matching else {
            let ranks = start.map { $0..<min(run.count, $0 + request.size) } ?? request.ranks(in: run.count)
            return Page(
                records: run.records(ranks), request: request, total: run.count, hasNext: ranks.upperBound < run.count)
        }
        // The ranks of the page among the matches after the start.
        let wanted = start == nil ? request.ranks(in: .max) : 0..<request.size
        var (ids, before, after) = ([Int](), 0, 0)
        for ranks in run.slices {
            for (rank, id) in zip(ranks, run.ids(ranks)) where matching.contains(id) {
                if rank < start ?? 0 { before += 1; continue }
                if wanted.contains(after) { ids.append(id) }
                after += 1
            }
        }
        return Page(
            records: table.records(with: ids), request: request, total: before + after,
            hasNext: wanted.upperBound < after)
    }

    /// All businesses whose name contains a text.
    private func namedRun(_ text: [UInt8]) -> BusinessRun {
        BusinessRun(table.listedNames.ids(matching: text), in: table)
    }

    /// A page of the businesses in a region, the nearest first.
    private func page(
        _ request: PageRequest, in region: some GeoRegion, from center: SurfacePoint
    ) -> Page<BusinessRecord> {
        let places = table.listedPlaces
        let count = query.after == nil ? request.ranks(in: places.count).upperBound : request.size + 1
        var (ids, total) = ([Int](), 0)
        if let matching, matching.count < places.count / 64 {
            let found = table.records(with: matching.sorted).filter { $0.isPlaced(in: region) }
            total = found.count
            ids = found.compactMap { $0.neighbour(of: center) }.filter(isAfterKey).sorted().prefix(count).map(\.id)
        } else {
            total = places.count(in: region, among: matching)
            var nearest = nearest(in: region, from: center)
            while ids.count < count, let neighbour = nearest.next() { ids.append(neighbour.id) }
        }
        let ranks = query.after == nil ? request.ranks(in: ids.count) : 0..<min(ids.count, request.size)
        return Page(
            records: table.records(with: Array(ids[ranks])), request: request, total: total,
            hasNext: query.after.map { _ in ids.count > request.size })
    }

    /// The matches in a region by their distance.
    private func nearest<Region: GeoRegion>(in region: Region, from center: SurfacePoint) -> NearestPlaces<Region> {
        let (after, matching) = (query.after, matching)
        return NearestPlaces(table.listedPlaces, from: center, in: region) { neighbour in
            (matching?.contains(neighbour.id) ?? true) && (after.map { $0 < neighbour.key } ?? true)
        }
    }

    private func isAfterKey(_ neighbour: Neighbour) -> Bool { query.after.map { $0 < neighbour.key } ?? true }
}

extension Neighbour {
    /// Its place in a list by distance.
    fileprivate var key: BusinessKey { .distance(squaredChord: squaredChord, id: id) }
}

extension BusinessRecord {
    /// Whether it has a location in a region.
    fileprivate func isPlaced(in region: some GeoRegion) -> Bool { place.map(region.contains) ?? false }

    /// The business as seen from a point; nil without a location.
    func neighbour(of point: SurfacePoint) -> Neighbour? {
        place.map { Neighbour(squaredChord: point.squaredChord(to: SurfacePoint($0)), id: id) }
    }
}
