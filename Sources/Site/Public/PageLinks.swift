import Store

extension Page {
    /// Links to the pages before and after this one; nothing for a list of one page.
    ///
    /// - Parameter link: the address of a page.
    func links(_ link: (Int) -> Link) -> HTML {
        guard pageCount > 1 else { return "" }
        let number = request.number
        return """
            <nav class="pages" aria-label="Pages">\(if: number > 1 ? min(number - 1, pageCount) : nil, { earlier in
                """
                <a class="button quiet" rel="prev" href="\(link: link(earlier))">Previous</a>
                """
            })\(if: hasNext ? number + 1 : nil, { later in
                """
                <a class="button quiet" rel="next" href="\(link: link(later))">Next</a>
                """
            })</nav>
            """
    }
}
