// Keeps the page as the server would show it now: by the feed, by the clock, and while somebody searches.
"use strict";
(() => {
  const root = document.documentElement, page = root.dataset;
  // How the server's clock differs from the device's, in ms: that of a phone may be wrong.
  let skew = 0;
  let feed, timer, alarm, running, again, typed, tapped;
  // When the last byte came, and since when the page waits for one: the feed sends one each 15 s.
  let heard = Date.now(), waits = heard, isLost = false;

  const dirty = (c) => c === document.activeElement || (c.type === "checkbox" || c.type === "radio"
    ? c.checked !== c.defaultChecked : c.options ? [...c.options].some((o) => o.selected !== o.defaultSelected)
    : c.defaultValue !== undefined && c.value !== c.defaultValue);
  // An answer has what was sent.
  const touched = (form) => form.isAnswer || [...form.elements].some((c) => c.type !== "hidden" && c.type !== "submit" && dirty(c));
  const key = (node) => node.nodeType === 1 ? node.id || node.dataset.key : undefined;

  // Makes a part of the page the same as a new one; what is in both stays.
  function morph(from, to) {
    if (from.isEqualNode(to)) return;
    if (from.nodeType !== 1) { from.nodeValue = to.nodeValue; return; }
    if (from.tagName === "FORM" ? touched(from) : from.id === "look" && [...document.forms].some(touched)) return;
    for (const { name, value } of [...to.attributes]) if (from.getAttribute(name) !== value) from.setAttribute(name, value);
    for (const { name } of [...from.attributes]) if (!to.hasAttribute(name) && !/^(open|tabindex)$/.test(name)) from.removeAttribute(name);
    if (from.tagName === "TEXTAREA" || from.dataset.own !== undefined) return;
    // What goes makes room first, so that what stays is not moved.
    const kept = new Set([...to.children].map(key));
    for (const child of [...from.children]) {
      if (key(child) && !kept.has(key(child)) && !child.contains(document.activeElement)) child.remove();
    }
    const keyed = new Map([...from.children].map((child) => [key(child), child]));
    let at = from.firstChild;
    for (const wanted of [...to.childNodes]) {
      const k = key(wanted);
      let found = k ? keyed.get(k) : at;
      while (!k && found && key(found)) found = found.nextSibling;
      if (found && found.nodeName === wanted.nodeName) {
        if (found !== at) (from.moveBefore ?? from.insertBefore).call(from, found, at);
        morph(found, wanted);
        at = found.nextSibling;
      } else {
        const made = document.importNode(wanted, true);
        // Of a danger a screen reader says at once that it is there.
        if (made.matches?.(".notice.danger")) made.role = "alert";
        from.insertBefore(made, at);
      }
    }
    while (at) { const next = at.nextSibling; if (!at.contains(document.activeElement)) at.remove(); at = next; }
  }

  // The first row that is read stays where it is; when it goes, the next one does.
  function still(change) {
    const rows = [...document.querySelectorAll("main li[data-key]")].map((row) => [row, row.getBoundingClientRect()])
      .filter(([, box]) => box.bottom > 0);
    change();
    const [row, { top }] = rows.find(([row]) => row.isConnected) ?? [null, {}];
    if (row && scrollY > 0) scrollBy(0, row.getBoundingClientRect().top - top);
  }

  // What opens while a list is read stands at its end: a tap or a reload puts it where it belongs.
  function settle(next) {
    const seen = [...document.querySelectorAll("main li[data-key^=b]")].map(key), at = (row) => (seen.indexOf(key(row)) + 1) || 1e9;
    for (const list of next.querySelectorAll("main .rows")) {
      if (list.firstElementChild?.dataset.key?.startsWith("b")) list.append(...[...list.children].sort((a, b) => at(a) - at(b)));
    }
  }

  function show(text) {
    const next = new DOMParser().parseFromString(text, "text/html");
    document.title = next.title;
    prepare(next);
    if (!tapped) settle(next);
    tapped = false;
    still(() => morph(document.querySelector("main"), next.querySelector("main")));
    Object.assign(page, next.documentElement.dataset);
    schedule();
  }

  async function refresh() {
    if (running) { again = true; return; }
    running = true;
    const url = location.href;
    try {
      const response = await fetch(url, { cache: "no-cache" });
      const date = Date.parse(response.headers.get("Date"));
      if (date) skew = date - Date.now();
      const text = await response.text(), { pathname } = new URL(response.url);
      const isOut = response.redirected && pathname === "/login" && location.pathname !== pathname;
      // What was renamed has another address now, and a form is sent to that.
      if (response.redirected && response.ok && !isOut) history.replaceState(null, "", response.url);
      if (response.ok && !isOut && (url === location.href || response.redirected)) show(text);
      if (response.status < 500) {
        hear();
        say(isOut ? "Your session ended. What you typed is still here."
          : response.status === 404 || response.status === 410 ? "This was removed. What you see is what it was." : "");
      } else { lose(); }
    } catch { lose(); }
    running = false;
    if (again) { again = false; refresh(); }
  }
  // The first of several changes sets the time: a steady stream must not put it off.
  const soon = (ms) => { timer ||= setTimeout(() => { timer = 0; refresh(); }, ms); };

  // Something opens or closes, or a day ends: not all pages ask at once.
  function schedule() {
    clearTimeout(alarm);
    if (document.hidden || !page.until) return;
    const wait = page.until * 1000 - Date.now() - skew;
    alarm = setTimeout(refresh, Math.min(Math.max(wait, 0) + Math.random() * 700, 2 ** 31 - 1));
  }

  // A hidden page follows nothing, so that a seventh tab works and a phone sleeps.
  function follow() {
    feed?.close();
    clearTimeout(timer);
    timer = 0;
    waits = Date.now();
    schedule();
    if (document.hidden || !page.topics) return;
    feed = new EventSource("/api/v1/changes?since=now&bookmarks=true&topics=" + page.topics);
    feed.onopen = () => { hear(); soon(0); };
    feed.onerror = () => { lose(); if (feed.readyState === 2) setTimeout(follow, 5000); };
    feed.addEventListener("bookmark", hear);
    for (const topic of page.topics.split(",")) feed.addEventListener(topic, () => { hear(); soon(50 + Math.random() * 100); });
    feed.addEventListener("settings", () => location.reload());
    // After a reset the same stream goes on; another one would be reset, too.
    feed.addEventListener("reset", () => soon(0));
    feed.addEventListener("revoked", () => setTimeout(follow, 5000));
  }

  function say(text) {
    const line = document.getElementById("connection");
    if (line && line.textContent !== text) line.textContent = text;
  }

  // A page without a connection says of when it is, and its clock stops until a byte comes.
  function hear() {
    heard = waits = Date.now();
    if (!isLost) return;
    isLost = false;
    say("");
    soon(0);
  }
  function lose() {
    isLost = true;
    say(page.offline + " " + time(heard) + ".");
  }

  // On the clocks of the town, by the server's time and offset: browsers may know other rules of zones.
  const local = (ms) => new Date(ms + skew + page.offset * 1000), zone = { timeZone: "UTC" };
  function time(ms) {
    if (page.hours === "24") return local(ms).toISOString().slice(11, 16);
    const text = local(ms).toLocaleTimeString("en-US", { ...zone, hour: "numeric", minute: "2-digit" })
      .replace(/:00/, "").replace("AM", "am").replace("PM", "pm").replace(/\s/, " ");
    return text === "12 pm" ? "noon" : text === "12 am" ? "midnight" : text;
  }
  function tick() {
    if (!document.hidden && page.topics && Date.now() - waits > 40000) lose();
    const clock = document.querySelector("[data-clock]");
    if (clock && !isLost) clock.textContent = local(Date.now()).toLocaleDateString("en-CA", { ...zone, weekday: "long" }) + " " + time(Date.now());
  }

  // What needs a script is hidden without one.
  function prepare(part) {
    if (navigator.share) part.querySelector("[data-share='']")?.removeAttribute("hidden");
    if (navigator.geolocation && isSecureContext) for (const c of part.querySelectorAll("[data-near], [data-here]")) c.hidden = false;
    part.querySelector("[data-print]")?.removeAttribute("hidden");
  }

  function search(form) {
    const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
    history.replaceState(null, "", form.action.split("?")[0] + (query.size ? "?" + query : ""));
    tapped = true;
    refresh();
  }

  addEventListener("input", (event) => {
    const form = event.target.form;
    if (form?.id !== "filter" || event.target.name === "near") return;
    clearTimeout(typed);
    typed = setTimeout(() => search(form), event.target.type === "search" ? 300 : 0);
  });
  addEventListener("change", (event) => {
    const box = event.target;
    if (box.name !== "near") return;
    if (!box.checked) { search(box.form); return; }
    // To a hundred metres: the address may be shared.
    navigator.geolocation.getCurrentPosition(({ coords }) => {
      box.value = coords.latitude.toFixed(3) + "," + coords.longitude.toFixed(3);
      search(box.form);
    }, () => { box.checked = false; say("We could not get your location."); });
  });
  addEventListener("click", (event) => {
    const button = event.target.closest("[data-share='']");
    if (button) navigator.share({ title: document.title, url: location.href }).catch(() => { /* Not now. */ });
  });
  addEventListener("click", (event) => { if (event.target.closest("[data-print]")) print(); });
  addEventListener("offline", lose);
  addEventListener("online", follow);
  document.addEventListener("visibilitychange", follow);
  addEventListener("pageshow", (event) => { if (event.persisted) follow(); });
  addEventListener("pagehide", () => feed?.close());
  prepare(document);
  setInterval(tick, 1000);
  follow();
})();
