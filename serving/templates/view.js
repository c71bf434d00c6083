"use strict";
// Pages that are served: they notice newer data, and what is decided on them is saved.
window.served = (() => {
  const { folder, kind, name, state } = document.currentScript.dataset;
  const base = document.currentScript.src.replace(/view\.js$/, "");
  let saved = {};
  const boxes = new Map();
  function make(tag, text, more = {}) { const made = document.createElement(tag); if (text) made.textContent = text; return Object.assign(made, more); }
  const tell = (id, text, bad = false) => { const line = boxes.get(id); if (line) { line.textContent = text; line.classList.toggle("bad", bad); } };

  async function refresh() {
    saved = await (await fetch(`${base}saved/${encodeURIComponent(folder)}`)).json();
    for (const id of boxes.keys()) tell(id, saved[id] ? `Saved: ${saved[id]}` : "");
  }
  async function save(id, key, said) {
    const sent = await fetch(`${base}save/${encodeURIComponent(folder)}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ id, ...said }) });
    const got = await sent.json();
    if (sent.ok) await refresh(); else tell(key, got.error, true);
  }
  const field = (label, tag = "input") => { const input = make(tag); const box = make("label", `${label} `); box.append(input); return [box, input]; };
  function form(id, choices, fields, seen, key = id) {
    const box = make("div", "", { className: "decide" }), line = make("p", saved[key] ? `Saved: ${saved[key]}` : "", { className: "saved" });
    line.setAttribute("role", "status");
    boxes.set(key, line);
    const inputs = Object.fromEntries(fields.map(([key, label, tag, value]) => { const [holder, input] = field(label, tag); input.value = value ?? ""; box.append(holder); return [key, input]; }));
    for (const choice of choices) {
      box.append(make("button", choice, { type: "button", onclick: () => save(id, key, { choice, seen, ...Object.fromEntries(Object.entries(inputs).map(([key, input]) => [key, input.value])) }) }));
    }
    box.append(line);
    return box;
  }
  const plain = (value) => typeof value === "string" ? value : value.map((part) => part.f ?? part.d ?? part).join("");
  const said = (card, name) => plain(card.rows?.find(([row]) => row === name)?.[1] ?? "");
  const folded = (title, content) => { const box = make("details"); box.append(make("summary", title), content); return box; };
  const forms = {
    evidence: (card) => form(card.id, ["keep a", "keep b", "variant", "not duplicate"], [["note", "Note"]], card.seen),
    suggestions: (card) => form(card.id, ["accept", "reject"], [["text", "Corrected text", "textarea"], ["note", "Note"]]),
    votes: (card) => card.facets.open?.includes("yes") ? form(card.id, card.facets.value, []) : null,
    suspects: (card) => form(card.id, ["the gold is wrong", "the gold is right"], [["text", "Should be", "input", said(card, "proposal")], ["note", "Reason"]]),
    release: (card) => folded("Erratum", form(card.problem, ["question", "answer", "solution", "unit"], [["text", "Should be", "textarea"], ["note", "Reason"]])),
  };
  // Each reply of a score may be judged: the verdict is bound to the reply.
  function judge(card, run) {
    return name && kind === "scores" && run.seen ? folded("Verdict of a person", form(card.id, ["right", "wrong"], [], run.seen, `${card.id} ${run.seen}`)) : null;
  }
  function decide(card) { return name && forms[kind] ? forms[kind](card) : null; }

  // Newer data: the page says so, and loads them when asked; what is being written is not lost.
  const shown = folder && location.pathname.split("/").pop();
  async function watch() {
    try {
      const now = (await (await fetch(`${base}state/${encodeURIComponent(folder)}?page=${shown}`)).json()).state;
      // A page of figures alone follows by itself; on one with samples somebody may be reading.
      if (now !== state && !document.getElementById("cards")) { location.reload(); return; }
      if (now !== state && !document.getElementById("newer")) {
        const line = make("p", "", { id: "newer" });
        line.setAttribute("role", "status");
        line.append("There are newer data. ", make("button", "Load them", { type: "button", onclick: () => location.reload() }));
        document.getElementById("main").prepend(line);
      }
    } catch { /* the server was stopped: the page stays as it is */ return; }
    setTimeout(watch, 2000);
  }
  // The first page: two runs are chosen, and explained against each other.
  function against() {
    const runs = [...document.querySelectorAll("#section-1 td a[href$='/report.html']")].map((a) => [a.textContent, a.getAttribute("href").split("/")[1]]);
    if (folder || runs.length < 2) return;
    const choice = (label, first) => {
      const [box, select] = field(label, "select");
      for (const [shown, name] of runs) select.append(Object.assign(make("option", shown), { value: name }));
      select.selectedIndex = first;
      return [box, select];
    };
    const [one, a] = choice("A", 0), [two, b] = choice("B", 1), box = make("div", "", { className: "decide" });
    box.append(one, two, make("button", "Explain A against B", { type: "button", onclick: () => { location.href = `at/${a.value}/against-${b.value}/explained.html`; } }));
    document.querySelector("#section-1").append(box);
  }
  addEventListener("DOMContentLoaded", () => { against(); if (name && (forms[kind] || kind === "scores")) refresh(); watch(); });
  // A history lies beside its release, which is served under its own name.
  const history = (path) => `${base}at/${path.replace(/\/$/, "").split("/").at(-1)}/`;
  return { decide, judge, history };
})();
