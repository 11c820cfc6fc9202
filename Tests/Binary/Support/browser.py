"""A headless Chromium, as a phone or a desktop."""

import base64
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException, WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

PHONE, DESKTOP, NARROW = 390, 1280, 320
# Each page counts what its policy refuses, from before its own first script.
WATCH = """window.refused = [];
document.addEventListener('securitypolicyviolation', e => refused.push(e.violatedDirective + ' ' + e.blockedURI));
window.ran = [];
for (const name of ['alert', 'confirm', 'prompt']) window[name] = text => { ran.push(name + ' ' + text); };"""


class Browser:
    """One browser with a profile of its own."""

    _all: ClassVar[list["Browser"]] = []

    def __init__(self, scripts: bool = True) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                         "--hide-scrollbars", "--force-color-profile=srgb", "--lang=en-CA"]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        if not scripts:
            options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
        self.driver = started(options)
        self.driver.set_page_load_timeout(60)
        self.driver.set_script_timeout(60)
        self._all.append(self)
        if scripts:
            self.command("Page.addScriptToEvaluateOnNewDocument", source=WATCH)

    @classmethod
    def stop_all(cls) -> None:
        """Ends every browser that is left."""
        for browser in cls._all:
            browser.driver.quit()
        cls._all.clear()

    def stop(self) -> None:
        self._all.remove(self)
        self.driver.quit()

    def command(self, name: str, **parameters: Any) -> Any:
        """A command of Chromium's own protocol."""
        return self.driver.execute_cdp_cmd(name, parameters)

    def size(self, width: int, height: int = 844, dark: bool = False) -> "Browser":
        """Sets the size of the screen and its colours, since a window of Chromium cannot be as narrow as a phone."""
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                     mobile=width < 600)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.command("Emulation.setEmulatedMedia", features=[scheme])
        return self

    def open(self, url: str) -> None:
        self.driver.get(url)

    def js(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def one(self, selector: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def every(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    @property
    def text(self) -> str:
        # Of what a script reads, and not of an element that the next page may have replaced by then.
        return str(self.js("return (document.querySelector('main')?.innerText ?? '').replaceAll('\\u00a0', ' ')"))

    def has(self, text: str, seconds: float = 10) -> bool:
        """Waits until the page shows a text."""
        return until(lambda: text in self.text, seconds)

    def shot(self, file: Path, whole: bool = True) -> None:
        """A picture of the screen, or of the whole page."""
        shot = self.command("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(base64.b64decode(shot["data"]))

    def refused(self) -> list[str]:
        """What the policy of the page has refused, and what the console says was wrong."""
        logged = [line["message"] for line in self.driver.get_log("browser") if line["level"] == "SEVERE"]
        return [*self.js("return window.refused ?? []"), *logged]


def started(options: webdriver.ChromeOptions) -> webdriver.Chrome:
    """The driver picks a free port before it listens there: where another process was faster, it ends at once."""
    try:
        return webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    except WebDriverException as error:
        if "unexpectedly exited" not in str(error):
            raise
        return webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))


def until(holds: Callable[[], object], seconds: float) -> bool:
    """Waits until something holds; whether it does. While a page takes the place of another, nothing does."""
    end = time.monotonic() + seconds
    while True:
        try:
            if holds():
                return True
        except (NoSuchElementException, StaleElementReferenceException):
            pass
        if time.monotonic() >= end:
            return False
        time.sleep(0.02)
