"""Sixty texts that somebody might write to break a page, and a town that has them in every field."""

from typing import Any

RUN = "alert(1)"
TEXTS = [
    "<script>alert(1)</script>", "</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>",
    "\"><img src=x onerror=alert(1)>", "'><svg onload=alert(1)>", "<svg/onload=alert(1)>", "\" onmouseover=\"alert(1)",
    "' onfocus='alert(1)' autofocus='", "javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\tscript:alert(1)",
    "data:text/html,<script>alert(1)</script>", "</title><script>alert(1)</script>", "</style><script>alert(1)</script>",
    "</textarea><script>alert(1)</script>", "<!--<script>alert(1)//-->", "--><script>alert(1)</script>",
    "<![CDATA[<script>alert(1)</script>]]>", "<?php echo 1 ?>", "<iframe srcdoc='<script>alert(1)</script>'>",
    "<a href=javascript:alert(1)>x</a>", "<base href=//evil.example>", "<meta http-equiv=refresh content=0;url=//e.example>",
    "<link rel=stylesheet href=//evil.example/x.css>",
    "<form action=//evil.example><button>x", "<math><mtext><script>alert(1)",
    "<object data=//evil.example>", "<details open ontoggle=alert(1)>", "<video><source onerror=alert(1)>",
    "<body onload=alert(1)>", "</main></body></html>x", "<template><script>alert(1)</script>", "`${alert(1)}`",
    "${alert(1)}", "{{constructor.constructor('alert(1)')()}}", "#{alert(1)}", "\\\"-alert(1)-\\\"", "'-alert(1)-'",
    "\\x3cscript\\x3ealert(1)", "\\u003cscript\\u003ealert(1)", "%3Cscript%3Ealert(1)%3C/script%3E",
    "&lt;script&gt;alert(1)&lt;/script&gt;", "&#60;script&#62;", "&amp;amp; &nbsp; &copy; &notit; &", "a & b < c > d \" e ' f",
    "\\", "\\\\\"", "]]>", "\u202eevil\u202c", "\u2067right\u2069 left", "\u200fmark\u200e", "\u2028line\u2029par",
    "zero\u200bwidth\u200d\ufeff", "\u0301combining first", "𝄞 👩‍👩‍👧 🇨🇦", "ﷺ ﷽ ﷽", "T̸̢̛h̷̨e", "\x7fdelete", "+ADw-script+AD4-alert(1)",
    "<ScRiPt\n>alert(1)</sCrIpT\n>", "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
]


def written(number: int, text: str) -> dict[str, Any]:
    """A business with a text in each field that takes any."""
    return {"id": number, "name": text, "slug": f"b-{number}", "category": f"c-{number}", "address": text,
            "description": f"{text} one\n\n{text} two", "latitude": 48.37, "longitude": -123.7,
            "phone": f"250 {text}"[:50], "website": "https://x.example/?" + "".join(text.split()).strip("\x7f"),
            "opening_hours": "Mo-Su 09:00-17:00",
            "special_hours": [{"from": "2027-01-10", "to": "2027-01-10", "is_closed": True, "reason": text}],
            "menus": [{"id": number, "name": text, "description": text, "items": [
                {"id": number, "name": text, "description": text, "price": "9.50"}]}]}


def town() -> dict[str, Any]:
    """The dataset; names of categories and types must differ, so a number stands before the text."""
    numbered = list(enumerate(TEXTS, 1))
    return {
        "settings": [{"id": 1, "name": "Sooke " + TEXTS[1], "tagline": TEXTS[3], "theme": "harbour"}],
        "categories": [{"id": n, "name": f"{n:02} {text}", "slug": f"c-{n}"} for n, text in numbered],
        "event_types": [{"id": n, "name": f"{n:02} {text}", "slug": f"t-{n}"} for n, text in numbered],
        "businesses": [written(n, text) for n, text in numbered],
        "events": [{"id": n, "name": text, "slug": f"e-{n}", "event_type": f"t-{n}", "business": f"b-{n}",
                    "description": text, "starts_at": f"2027-01-{9 + n % 6:02}T{8 + n % 12:02}:00:00Z",
                    "status": "approved"} for n, text in numbered],
    }
