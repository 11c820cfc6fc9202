// Keeps what people type: on the device until it is sent, and on the page when it could not be sent.
"use strict";
(() => {
  const say = (text) => { document.getElementById("connection").textContent = text; };
  const key = (form) => "draft " + form.dataset.draft + " " + location.pathname;
  // A device may be shared: the address of a stranger is not kept.
  const isText = (c) => c.name && !["hidden", "password", "submit"].includes(c.type) && (c.type !== "email" || c.form.dataset.draft !== "0");

  function keep(form) {
    const typed = [...form.elements].filter(isText).map((c) => [c.name, c.type === "checkbox" || c.type === "radio"
      ? c.value + "=" + c.checked : c.value]);
    try { localStorage.setItem(key(form), JSON.stringify(typed)); } catch { /* No room, or not allowed: the page keeps it. */ }
  }

  function restore(form) {
    const typed = JSON.parse(localStorage.getItem(key(form)) ?? "[]");
    let found = false;
    for (const c of [...form.elements].filter(isText)) {
      const box = c.type === "checkbox" || c.type === "radio";
      const index = typed.findIndex(([name, value]) => name === c.name && (!box || value.startsWith(c.value + "=")));
      if (index < 0) continue;
      const [[, value]] = typed.splice(index, 1);
      const wanted = box ? value.endsWith("=true") : value;
      if (wanted === (box ? c.checked : c.value)) continue;
      if (box) c.checked = wanted; else c.value = wanted;
      found = true;
    }
    if (!found) return;
    // In the form, which stays as it is while somebody types; the line of the connection changes with it.
    const note = Object.assign(document.createElement("p"), { className: "echo", textContent: "What you typed before is here again." });
    note.setAttribute("role", "status");
    form.prepend(note);
  }

  // Focuses what is wrong, what was done, or the heading: it is nowhere else after a form was sent.
  function focus() {
    const place = document.querySelector("main [autofocus]") ?? document.querySelector("main h1");
    if (place.tabIndex < 0) place.tabIndex = -1;
    place.focus({ preventScroll: true });
    return place;
  }

  // What the server answers with stands where the form was.
  function show(text) {
    const next = new DOMParser().parseFromString(text, "text/html");
    document.title = next.title;
    document.querySelector("main").replaceWith(document.importNode(next.querySelector("main"), true));
    prepare(keep);
    focus().scrollIntoView();
  }

  // The draft of what is being sent: who logs in on the way sends another form last.
  let draft;
  async function send(form, button) {
    if (form.dataset.draft) draft = key(form);
    const fields = new FormData(form, button), body = form.enctype[0] === "m" ? fields : new URLSearchParams(fields);
    form.setAttribute("aria-busy", "true");
    try {
      const response = await fetch(form.action, { method: "POST", body });
      if (response.redirected && response.ok) {
        if (draft) localStorage.removeItem(draft);
        if (form.dataset.ends) for (const name of Object.keys(localStorage)) if (name.startsWith("draft ")) localStorage.removeItem(name);
        try { sessionStorage.setItem("sent", "yes"); } catch { /* Not allowed: the focus is where the browser has it. */ }
        const here = location.href;
        location.assign(response.url);
        if (response.url.split("#")[0] === here.split("#")[0]) location.reload();
      } else {
        // What goes on after a log-in may be refused, too.
        if (response.redirected) history.replaceState(null, "", response.url);
        say("");
        show(await response.text());
      }
    } catch { say("No connection. What you typed is still here; send it again in a while."); }
    form.removeAttribute("aria-busy");
  }

  // What the server understands of a form, and how people will see it, while somebody types.
  let looking;
  async function look(form) {
    const body = new URLSearchParams(new FormData(form));
    body.set(form.dataset.look, "yes");
    const response = await fetch(form.action, { method: "POST", body }).catch(() => undefined);
    if (!response?.ok || response.redirected) return;
    const next = new DOMParser().parseFromString(await response.text(), "text/html");
    // Whoever types stays where they are.
    for (const part of next.querySelectorAll("[autofocus]")) part.removeAttribute("autofocus");
    for (const part of document.querySelectorAll("[data-said], #look")) {
      const found = next.getElementById(part.id);
      if (found && !part.isEqualNode(found)) part.replaceWith(document.importNode(found, true));
    }
    for (const c of form.elements) {
      if (next.getElementById(c.id)?.hasAttribute("aria-invalid")) c.setAttribute("aria-invalid", "true");
      else c.removeAttribute("aria-invalid");
    }
  }

  // The code of a link moves into its field, out of the address.
  function prepare(each) {
    const place = document.querySelector("[data-code]"), code = decodeURIComponent(location.hash.slice(1));
    if (place && code.startsWith("sooke_")) {
      place.querySelector("input").value = code;
      place.hidden = true;
      history.replaceState(null, "", location.pathname + location.search);
    }
    // Where the browser seems to be: people agree by sending it.
    const country = document.querySelector("[data-guess]");
    if (country && !country.value) {
      const { timeZone, hourCycle } = new Intl.DateTimeFormat(undefined, { hour: "numeric" }).resolvedOptions();
      const { zone, clock } = country.form.elements, options = [...country.options];
      zone.value = timeZone;
      clock.value = hourCycle === "h12" ? 12 : 24;
      const found = options.find((o) => o.dataset.zones?.split(",").includes(timeZone))
        ?? options.find((o) => o.value === new Intl.Locale(navigator.language).region);
      if (found) country.value = found.value;
    }
    for (const part of document.querySelectorAll("[data-scripted]")) part.hidden = false;
    for (const field of document.querySelectorAll("[type=password]")) {
      const button = Object.assign(document.createElement("button"), { type: "button", className: "plain", textContent: "Show password" });
      button.addEventListener("click", () => {
        field.type = field.type === "text" ? "password" : "text";
        button.textContent = (field.type === "text" ? "Hide" : "Show") + " password";
      });
      field.after(button);
    }
    const isDone = new URLSearchParams(location.search).has("done");
    for (const [name, on] of [["copy", navigator.clipboard], ["share", navigator.share]]) {
      for (const button of document.querySelectorAll(`[data-${name}]`)) button.hidden = !on;
    }
    for (const form of document.querySelectorAll("form[data-draft]:not([data-draft=''])")) {
      form.isAnswer = each === keep;
      if (isDone) localStorage.removeItem(key(form)); else each(form);
    }
  }

  // The places that a text may name: a list to choose from, or a warning below the field.
  let asked;
  async function lookUp(field) {
    const text = field.value.trim(), part = document.getElementById(field.name + "-names"), isList = part.tagName === "DATALIST";
    const query = new URLSearchParams({ q: text, fields: "name,slug,address,area", per_page: 8 });
    const response = text.length > 1 && await fetch("/api/v1/businesses?" + query).catch(() => 0);
    const items = response?.ok ? (await response.json()).items : [];
    if (text !== field.value.trim()) return;
    if (isList) field.setAttribute("list", part.id);
    part.replaceChildren(...items.map(({ name, slug, address, area }) => {
      const words = name + ", " + (address || area || "");
      const isAlone = items.filter((other) => other.name.toLowerCase() === name.toLowerCase()).length < 2;
      return isList ? new Option(words, isAlone ? name : slug) : Object.assign(document.createElement("a"),
        { href: "/businesses/" + encodeURIComponent(slug), textContent: words });
    }));
    if (items.length && !isList) part.prepend("In the directory already: ");
  }

  function here(field) {
    say("Looking for your location …");
    navigator.geolocation.getCurrentPosition(({ coords: { latitude, longitude } }) => {
      say("");
      field.value = latitude.toFixed(5) + ", " + longitude.toFixed(5);
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }, () => say("Your location is not known. Paste a link from a map instead."), { enableHighAccuracy: true });
  }

  addEventListener("input", (event) => {
    const { form } = event.target;
    if (event.target.dataset.names !== undefined) { clearTimeout(asked); asked = setTimeout(lookUp, 300, event.target); }
    if (form?.dataset.draft) keep(form);
    if (!form?.dataset.look) return;
    clearTimeout(looking);
    looking = setTimeout(look, 700, form);
  });
  // A file goes into a field as text.
  addEventListener("change", async ({ target }) => {
    if (target.dataset.into) document.getElementById(target.dataset.into).value = await target.files[0]?.text() ?? "";
  });
  addEventListener("click", ({ target: { dataset } }) => {
    if (dataset?.copy) navigator.clipboard.writeText(dataset.copy).then(() => say("Copied."), () => {});
    if (dataset?.share) navigator.share({ url: dataset.share }).catch(() => {});
    if (dataset?.here) here(document.getElementById(dataset.here));
  });
  addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method !== "post") return;
    event.preventDefault();
    // A second tap while the first is on its way is the same one.
    if (!form.hasAttribute("aria-busy")) send(form, event.submitter);
  });
  prepare(document.querySelector(".summary") ? keep : restore);
  try { if (sessionStorage.getItem("sent")) focus(); sessionStorage.removeItem("sent"); } catch { /* Not allowed. */ }
})();
