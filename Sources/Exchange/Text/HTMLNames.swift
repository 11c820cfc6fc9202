import Bytes

/// The tags and entities of HTML that texts have.
enum HTMLNames {
    /// What a tag means for a text without layout.
    enum Tag {
        /// Nothing.
        case inline
        /// A line of its own.
        case line
        case paragraph
        case lineBreak
        case cell
        case link
        /// Its content is no text.
        case hidden
    }

    static let tags: [String: Tag] = {
        var tags: [String: Tag] = [
            "br": .lineBreak, "a": .link, "script": .hidden, "style": .hidden, "svg": .hidden, "td": .cell,
            "th": .cell,
        ]
        for (kind, names) in [
            (
                Tag.line,
                "div li ul ol dl dt dd tr table tbody thead tfoot section article header footer nav main aside address hr body html head center figure figcaption form details summary"
            ),
            (.paragraph, "p h1 h2 h3 h4 h5 h6 blockquote pre"),
            (
                .inline,
                "abbr acronym b bdi bdo big cite code del em font i iframe img ins kbd label link mark meta q s samp small span strike strong sub sup time title tt u var wbr input button picture source html-blob noscript dfn object embed video audio"
            ),
        ] {
            for name in names.split(separator: " ") { tags[String(name)] = kind }
        }
        return tags
    }()

    /// What a tag means; nil for an unknown one. Those of office programs, such as `o:p`, mean nothing.
    static func tag(_ name: String) -> Tag? {
        tags[name] ?? (["o:", "w:", "v:", "st1:"].contains(where: name.hasPrefix) ? .inline : nil)
    }

    /// The most bytes between `&` and `;`.
    static let longestEntity = 10

    /// The character of a named entity; nil for an unknown name.
    static func entity(_ name: ArraySlice<UInt8>) -> Unicode.Scalar? {
        entities[String(decoding: name, as: UTF8.self)]
    }

    private static let entities: [String: Unicode.Scalar] = {
        var entities: [String: Unicode.Scalar] = [
            "amp": "&", "AMP": "&", "lt": "<", "LT": "<", "gt": ">", "GT": ">", "quot": "\"", "QUOT": "\"", "apos": "'",
            "ndash": "–", "mdash": "—", "lsquo": "‘", "rsquo": "’", "sbquo": "‚", "ldquo": "“", "rdquo": "”",
            "bdquo": "„",
            "lsaquo": "‹", "rsaquo": "›", "hellip": "…", "bull": "•", "dagger": "†", "Dagger": "‡", "permil": "‰",
            "prime": "′", "Prime": "″", "trade": "™", "euro": "€", "ensp": " ", "emsp": " ", "thinsp": " ",
            "zwnj": "\u{200C}",
            "zwj": "\u{200D}", "lrm": "\u{200E}", "rlm": "\u{200F}", "OElig": "Œ", "oelig": "œ", "Scaron": "Š",
            "scaron": "š",
            "Yuml": "Ÿ", "fnof": "ƒ", "circ": "ˆ", "tilde": "˜", "larr": "←", "uarr": "↑", "rarr": "→", "darr": "↓",
            "harr": "↔", "minus": "−", "infin": "∞", "ne": "≠", "le": "≤", "ge": "≥", "asymp": "≈", "star": "☆",
            "starf": "★", "phone": "☎", "hearts": "♥", "check": "✓", "num": "#", "lpar": "(", "rpar": ")", "comma": ",",
            "period": ".", "colon": ":", "semi": ";", "excl": "!", "quest": "?", "commat": "@", "dollar": "$",
            "percnt": "%", "plus": "+", "equals": "=", "sol": "/", "bsol": "\\", "lowbar": "_", "ast": "*", "vert": "|",
            "Tab": "\t", "NewLine": "\n",
        ]
        // Latin-1 from the no-break space on, in the order of the characters.
        let latin = """
            nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute \
            micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig \
            Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times \
            Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave \
            eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave \
            uacute ucirc uuml yacute thorn yuml
            """
        for (index, name) in latin.split(separator: " ").enumerated() {
            entities[String(name)] = Unicode.Scalar(UInt8(0xA0 + index))
        }
        return entities
    }()
}
