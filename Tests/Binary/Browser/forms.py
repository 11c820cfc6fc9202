"""What people do with forms in a browser: they tap and type; and forms that are sent without their scripts."""

from browser import Browser, until
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

WAIT = 3.2  # seconds that a stranger takes at least to fill in a form
# Sets fields by name, and sends the form without its script, so that the answer is a page of its own.
SEND = """const form = document.querySelector('main form.form');
for (const [name, text] of Object.entries(arguments[0])) if (form.elements[name]) form.elements[name].value = text;
window.left = true;
form.submit();"""


class Hand:
    """Somebody with a browser, whose taps and fields are counted."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.done = 0

    def fill(self, name: str, text: str) -> None:
        """Types into the field with a name; a date or a day is chosen."""
        self.done += 1
        field = self.browser.driver.find_element(By.NAME, name)
        if field.get_attribute("type") == "date":
            year, month, day = text.split("-")
            field.send_keys(month + day + year)
        elif field.tag_name == "select":
            Select(field).select_by_value(text)
        elif field.get_attribute("type") in ("checkbox", "radio"):
            self.browser.js("document.querySelector(`[name='${arguments[0]}'][value='${arguments[1]}']`)"
                            ".closest('label').click()", name, text)
        else:
            field.clear()
            field.send_keys(text)

    def tap(self, text: str) -> None:
        """Taps on a link, a button or a choice that has a text, and waits for another page, if one comes."""
        self.done += 1
        kinds = "self::a or self::button or self::label or self::summary"
        places = self.browser.driver.find_elements(
            By.XPATH, f"//main//*[{kinds}][contains(normalize-space(.), {text!r})]")
        shown = [place for place in places if place.is_displayed()]
        if not shown:
            raise RuntimeError(f"there is no {text!r} at {self.browser.driver.current_url}: {self.browser.text[:600]}")
        self.browser.js("arguments[0].scrollIntoView({block: 'center'})", shown[-1])
        shown[-1].click()

    def log_in(self, email: str, password: str) -> None:
        self.fill("login-email", email)
        self.fill("login-password", password)
        self.tap("Log in")


def submit(browser: Browser, fields: dict[str, str]) -> None:
    """Sends the form of the page with some fields, and waits for the page that answers."""
    browser.js(SEND, fields)
    arrive(browser)


def arrive(browser: Browser) -> None:
    until(lambda: browser.js("return !window.left && document.readyState === 'complete'"), 10)
