"""What people do with forms: they tap and type, in a browser or by plain requests."""

import html
import re
from urllib.parse import urlencode

from browser import Browser
from harness import Answer, send
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

FORM = "application/x-www-form-urlencoded"
OWN = {"Sec-Fetch-Site": "same-origin"}


class Hand:
    """Somebody with a browser, whose taps and fields are counted."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.done = 0

    def fill(self, name: str, text: str) -> None:
        """Types into the field with a name; a date is chosen."""
        self.done += 1
        field = self.browser.driver.find_element(By.NAME, name)
        if field.get_attribute("type") == "date":
            year, month, day = text.split("-")
            field.send_keys(month + day + year)
        elif field.tag_name == "select":
            Select(field).select_by_value(text)
        else:
            field.clear()
            field.send_keys(text)

    def tap(self, text: str) -> None:
        """Taps on a link, a button or a choice that has a text, and waits for another page, if one comes."""
        self.done += 1
        places = self.browser.driver.find_elements(
            By.XPATH, f"//main//*[self::a or self::button or self::label or self::summary][contains(normalize-space(.), {text!r})]")
        shown = [place for place in places if place.is_displayed()]
        if not shown:
            raise RuntimeError(f"there is no {text!r} at {self.browser.driver.current_url}: {self.browser.text[:600]}")
        self.browser.js("arguments[0].scrollIntoView({block: 'center'})", shown[-1])
        shown[-1].click()

    def log_in(self, email: str, password: str) -> None:
        self.fill("login-email", email)
        self.fill("login-password", password)
        self.tap("Log in")


class Client:
    """Somebody who sends forms by plain requests, with the cookie of a session."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.cookie = ""

    def log_in(self, email: str, password: str) -> "Client":
        answer = self.post("/login", {"login-email": email, "login-password": password})
        if answer.status != 303:
            raise RuntimeError(f"the log-in of {email} was answered with {answer.status}")
        self.cookie = answer.headers["Set-Cookie"].split(";")[0]
        return self

    def get(self, path: str, **headers: str) -> Answer:
        fields = {name.replace("_", "-"): text for name, text in headers.items()}
        return send(self.url, path, "GET", ({"Cookie": self.cookie} if self.cookie else {}) | fields)

    def post(self, path: str, fields: dict[str, str], headers: dict[str, str] | None = None) -> Answer:
        own = OWN if headers is None else headers
        cookie = {"Cookie": self.cookie} if self.cookie else {}
        return send(self.url, path, "POST", {"Content-Type": FORM, **cookie, **own}, urlencode(fields).encode() or b"a=")

    def form(self, path: str) -> dict[str, str]:
        return self.fields(self.get(path))

    @staticmethod
    def fields(answer: Answer) -> dict[str, str]:
        """The fields of the form in an answer."""
        return fields_of(answer.body.decode())


def fields_of(page: str) -> dict[str, str]:
    """The fields of the form on a page that is sent to the page itself, as a browser would send them."""
    form = re.search(r'<form class="form" method="post"[^>]*>(.*?)</form>', page, re.S)
    if not form:
        raise RuntimeError(f"there is no form: {page[-1500:]}")
    return fields_in(form[1])


def forms_of(page: str, path: str) -> list[tuple[str, dict[str, str]]]:
    """All forms of a page that change something: where they are sent to, and their fields."""
    found = []
    for attributes, content in re.findall(r"<form\b([^>]*)>(.*?)</form>", page, re.S):
        action = re.search(r'action="([^"]*)"', attributes)
        if 'method="post"' in attributes:
            found.append((html.unescape(action[1]) if action else path, fields_in(content)))
    return found


def fields_in(form: str) -> dict[str, str]:
    """The fields of a form, as a browser would send them."""
    found: dict[str, str] = {}
    for tag in re.finditer(r"<(input|textarea|select)\b([^>]*)>", form):
        attributes = dict(re.findall(r'([\w-]+)="([^"]*)"', tag[2]))
        name = html.unescape(attributes.get("name", ""))
        if not name or attributes.get("type") in ("checkbox", "radio") and not re.search(r"\bchecked\b", tag[2]):
            continue
        if tag[1] == "textarea":
            text = form[tag.end():form.index("</textarea>", tag.end())].removeprefix("\n")
        elif tag[1] == "select":
            options = form[tag.end():form.index("</select>", tag.end())]
            chosen = re.search(r'value="([^"]*)" selected', options) or re.search(r'value="([^"]*)"', options)
            text = chosen[1] if chosen else ""
        else:
            text = attributes.get("value", "")
        found[name] = html.unescape(text)
    return found
