"use strict";
// The sample viewer. Texts are set as text, never as markup; formulas are drawn when they are seen.
const benchwright = (() => {
  const $ = (name) => document.getElementById(name);
  const SHOWN = 20, FEWEST = 3; // cards drawn at a time; of those that fill a piece each, so few
  const MARKED = 3000; // cells of a glance drawn at a time
  const PARTS = 2000; // of a text drawn at a time
  const EXCERPT = 260; // characters of a reply that are shown without a click
  const KEPT = 64; // pieces kept in memory; those of a big set come and go
  const MATHS = { output: "html", throwOnError: true, errorColor: "inherit", strict: "ignore", trust: false, maxSize: 40, maxExpand: 400, macros: {
    "\\mbox": "\\text{#1}", "\\textsc": "\\text{#1}", "\\overarc": "\\overgroup{#1}", "\\textdollar": "\\text{\\$}", "\\cm": "\\mathrm{cm}", "\\units": "\\mathrm{#1}", "\\*": "*", "\\indent": "", "\\tag": "\\quad(#1)",
  } };
  const RESERVED = new Set(["q", "where", "sample", "problem", "together", "view", "sort", "run", "runs", "base"]);
  const ROWS = 100; // of the grid drawn at a time
  const SORTED = 20000; // samples up to which the grid sorts: it reads them all
  const CELLS = ["read", "status", "finish", "tokens", "of thoughts", "of the prompt", "seconds", "cost"]; // of a reply, as the data have them
  const MANY = 6; // runs past which a card shows the first four, or those that are chosen
  const BESIDE = 4; // runs beside each other whose every cell the grid shows
  const HIDDEN = new Set(); // columns of the grid that nobody wants
  // A card is a row, or as many as it has rounds of replies: by card its first row, and those of its rounds that are found.
  let firsts = null, owners = null, fault = "", lines = [];
  const matched = new Map();
  const roundsOf = (k) => index.rounds ? index.rounds[k] : 1;
  let index = null, place = { history: "" }, found = [], drawn = 0, asked = 0, undrawn = 0, open = false;
  const pieces = new Map(), waiting = new Map();

  // Data: the index at once, pieces as they are needed.
  function load(number) {
    if (pieces.has(number)) return Promise.resolve(pieces.get(number));
    if (!waiting.has(number)) {
      const folder = encodeURIComponent($("cards").dataset.folder);
      const name = `${folder}/samples-${String(number).padStart(5, "0")}.js`;
      waiting.set(number, script(name)
        .then(() => { if (!pieces.has(number)) throw new Error(name); return pieces.get(number); }).finally(() => waiting.delete(number)));
    }
    return waiting.get(number);
  }
  function piece([number, cards]) {
    if (pieces.size >= KEPT) pieces.delete(pieces.keys().next().value);
    pieces.set(number, cards);
  }
  function pieceOf(k) {
    let low = 0, high = index.starts.length - 1;
    while (low < high) { const middle = (low + high + 1) >> 1; if (index.starts[middle] <= k) low = middle; else high = middle - 1; }
    return low;
  }
  // Histories: pages of another folder, to which problems fall by the hash of their names (CRC-32).
  let pages = 0;
  const pasts = new Map();
  function script(src) {
    return new Promise((done, failed) => {
      const made = document.createElement("script");
      made.src = src;
      made.onload = () => { made.remove(); done(); };
      made.onerror = () => { made.remove(); failed(new Error(src)); };
      document.head.append(made);
    });
  }
  async function past(problem) {
    const root = window.served?.history(place.history) ?? place.history;
    if (!pages) await script(`${root}index.js`);
    let hash = -1;
    for (const byte of new TextEncoder().encode(problem)) {
      hash ^= byte;
      for (let k = 0; k < 8; k++) hash = hash >>> 1 ^ (hash & 1 && 0xedb88320);
    }
    const number = ~hash & pages - 1;
    if (!pasts.has(number)) await script(`${root}past-${String(number).padStart(5, "0")}.js`);
    return pasts.get(number)?.[problem] ?? [];
  }
  function stages(card) {
    const box = make("div", "history");
    past(card.problem).then((found) => {
      box.append(...found.map(([stage, rows]) => make("section", "", make("h4", "", stage.replace(/^\d+-/, "")), list(rows))));
      if (!found.length) box.append("Nothing is recorded.");
      tell();
    }, () => box.append(`It is kept where the release was built, in ${decodeURIComponent(place.history).replace(/\/$/, "").split("/").at(-1)}, which is not beside this page.`));
    return [box];
  }
  const atOnce = () => Math.max(FEWEST, Math.min(SHOWN, Math.round(2 * index.ids.length / index.starts.length)));
  const cardAt = async (k) => { const number = pieceOf(k); return (await load(number))[k - index.starts[number]]; };

  // Elements.
  function make(tag, name, ...children) {
    const made = document.createElement(tag);
    if (name) made.className = name;
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
  }
  function drawing(tex, display) {
    const made = make("span", display ? "maths display" : "maths");
    try {
      if (tex.length > 4000) throw new Error("too long");
      set(tex, made, display);
      made.setAttribute("role", "img");
      made.setAttribute("aria-label", tex);
      if (display || tex.length > 24) { made.classList.add("long"); made.tabIndex = 0; } // scrolls
      return made;
    } catch {
      undrawn += 1;
      return make("code", "raw", tex);
    }
  }
  // Line ends that were written out (\nf is a line end and f), and rules of tables that are gone.
  function set(tex, made, display, tries = 4) {
    try { katex.render(tex, made, { ...MATHS, macros: { ...MATHS.macros }, displayMode: display }); } catch (error) {
      const word = /Undefined control sequence: (\\n[A-Za-z]+)/.exec(error.message)?.[1];
      const mended = word ? tex.replaceAll(word, ` ${word.slice(2)}`) : tex.replaceAll("\\hline", " ");
      if (mended === tex || !tries) throw error;
      set(mended, made, display, tries - 1);
    }
  }
  function plain(text) {
    return text.split(/(<image\d+>)/).map((part) => /^<image\d+>$/.test(part) ? make("span", "chip", `picture ${part.slice(6, -1)}`) : part);
  }
  function rich(text) {
    if (typeof text === "string") return plain(text);
    return text.flatMap((part) => typeof part === "string" ? plain(part)
      : "f" in part ? [drawing(part.f, false)]
      : "d" in part ? [drawing(part.d, true)]
      : "r" in part ? [make("span", "verbatim", ...verbatim(part.r))]
      : [marked(part, rich(part.p))]);
  }
  const verbatim = (parts) => parts.map((part) => typeof part === "string" ? part : marked(part, verbatim(part.p)));
  function marked(part, inside) {
    const made = make("mark", part.m, ...inside);
    if (part.t) made.title = part.t;
    return made;
  }
  const raw = (text) => typeof text === "string" ? text : text.map((part) => typeof part === "string" ? part : part.f ?? part.d ?? part.u?.join("") ?? raw(part.p ?? part.r)).join("");
  // Replies come as they were said, in three pieces where the middle one is the place of the answer. They are cut into
  // formulas and words when somebody looks: what latex/delimiters.py says of problems, in short.
  const CLOSERS = { "\\[": "\\]", "\\(": "\\)", "$$": "$$", $: "$" }, BOX = 2000; // characters of a box
  const PROSE = /(?<![\\A-Za-z])[A-Za-z]{3,}\s+[A-Za-z]{2,}/, GROUPS = /\\(?:text[a-z]{0,2}|mbox|mathrm)\s{0,3}\{[^{}]*\}/g;
  const OF_TEXT = /^(?:tabular|figure|table|itemize|enumerate|center|document|quote|verbatim|lstlisting|theorem|proof)/;
  function formulas(text) {
    const found = [], known = {};
    const find = (mark, from) => { // goes over no stretch of the text twice
      const [since, at] = known[mark] ?? [1, 0];
      if (from < since || from > at) known[mark] = [from, text.includes(mark, from) ? text.indexOf(mark, from) : Infinity];
      return known[mark][1];
    };
    const starts = /\\[[(\\$]|\\boxed\s{0,3}\{|\\begin\{(\w{1,20}\*?)\}|\$\$?/g;
    for (let match; (match = starts.exec(text));) {
      const [mark, environment] = match, from = starts.lastIndex, paragraph = find("\n\n", from);
      let end = -1, span = null;
      if (environment) {
        end = OF_TEXT.test(environment) ? Infinity : find(`\\end{${environment}}`, from) + environment.length + 6;
        if (end - 1 < paragraph) span = { d: text.slice(match.index, end) };
      } else if (mark.startsWith("\\boxed")) {
        for (let at = from, depth = 1; at < Math.min(text.length, from + BOX); at += text[at] === "\\" ? 2 : 1) {
          depth += { "{": 1, "}": -1 }[text[at]] ?? 0;
          if (!depth) { end = at + 1; break; }
        }
        const inside = text.slice(from, end - 1).replaceAll("$", "").replace(/(?<!\\)[%#]/g, "\\$&");
        if (end > 0) span = { f: !inside.includes("\\") && /[A-Za-z]{3}/.test(inside) ? `\\boxed{\\text{${inside}}}` : `\\boxed{${inside}}` };
      } else if (CLOSERS[mark]) {
        let at = find(CLOSERS[mark], from);
        while (mark === "$" && at < paragraph && text[at - 1] === "\\") at = find("$", at + 1);
        const body = at < paragraph ? text.slice(from, at).trim() : "", behind = text.slice(at + 1, at + 3);
        const money = mark === "$" && (/^\d/.test(behind) || (/^-\d/.test(behind) && text[at - 1] === " "));
        end = at + CLOSERS[mark].length;
        if (body && !money && !(mark === "$" && PROSE.test(body.replace(GROUPS, "")))) span = { [mark === "$$" || mark === "\\[" ? "d" : "f"]: body };
      }
      if (!span) continue;
      found.push([match.index, end, span]);
      starts.lastIndex = end;
    }
    return found;
  }
  function looked(value) {
    if (!value?.[0]?.u) return value;
    const pieces = value[0].u, text = pieces.join("").replace(/(?<!\\)\\n(?![A-Za-z])/g, "\n "), spans = formulas(text), parts = [];
    let [from, to] = pieces.length > 1 ? [pieces[0].length, pieces[0].length + pieces[1].length] : [-1, -1], at = 0, into = parts;
    for (const [start, end] of spans) if (start < to && from < end) [from, to] = [Math.min(from, start), Math.max(to, end)];
    const say = (until) => { if (until > at) into.push(text.slice(at, until).replaceAll("\\$", "$")); at = Math.max(at, until); };
    const turn = (until) => { // the mark begins, or ends
      if (into === parts && from >= at && from <= until && from < to) { say(from); into = []; parts.push({ m: "evidence", p: into }); }
      if (into !== parts && to <= until) { say(to); into = parts; }
    };
    for (const [start, end, span] of spans) {
      turn(start);
      say(start);
      into.push(span);
      at = end;
    }
    turn(text.length);
    say(text.length);
    return parts;
  }
  // A text of very many parts is shown in pieces: a megabyte of formulas must not stop the page.
  const prose = (value, name = "") => fill(make("div", `prose ${name}`), typeof value === "string" ? [value] : value);
  function fill(box, parts, from = 0) {
    for (const part of parts.slice(from, from + PARTS)) box.append(...rich([part]));
    const left = parts.length - from - PARTS;
    if (left > 0) {
      const more = make("button", "", `Show more (${left.toLocaleString("en")} parts are left)`);
      more.type = "button";
      more.addEventListener("click", () => { more.remove(); fill(box, parts, from + PARTS); tell(); });
      box.append(more);
    }
    return box;
  }
  function list(rows, name = "") {
    if (!rows.length) return null;
    if (rows.length === 1 && !rows[0][0]) return prose(rows[0][1]);
    return make("dl", name, ...rows.map(([term, value]) => make("div", "", make("dt", "", term), fill(make("dd", "prose"), typeof value === "string" ? [value] : value))));
  }
  function fold(title, content, unfolded = false) {
    const made = make("details", "", make("summary", "", title));
    const unfold = () => { if (made.childElementCount === 1) { made.append(...content()); tell(); } };
    if (unfolded) { made.open = true; unfold(); } else made.addEventListener("toggle", unfold);
    return made;
  }
  function picture(path, id, number, name) {
    const image = make("img");
    image.loading = "lazy";
    image.alt = `picture ${number} of ${id}`;
    image.src = index.root + path.split("/").map(encodeURIComponent).join("/");
    const button = make("button", name, image);
    button.type = "button";
    button.addEventListener("click", () => zoom(image));
    return button;
  }
  function zoom(image) {
    const dialog = $("zoom");
    dialog.classList.remove("full");
    dialog.querySelector("img").src = image.src;
    dialog.querySelector("img").alt = image.alt;
    dialog.querySelector("p").textContent = image.alt;
    dialog.showModal();
  }
  const verdict = (right) => make("span", `verdict ${right ? "right" : "wrong"}`, right ? "right" : "wrong");

  function options(card) {
    if (!card.options?.length) return null;
    const short = card.options.every(([, value]) => raw(value).length < 24);
    return make("ul", short ? "options short" : "options", ...card.options.map(([label, value, path], k) => {
      const row = make("li", card.gold?.includes(label) ? "gold" : "", make("b", "", label), raw(value) === label ? null : prose(value));
      if (path) row.append(picture(path, card.id, label, "pick"));
      return row;
    }));
  }
  // A raw row as it stands, and the problems that it became.
  function stands(card) {
    return make("div", "stands", ...card.raw.map(([name, value, paths]) => make("div", "cell", make("h4", "", name),
      raw(value) ? long(prose(value), value, name || "Raw text") : null,
      paths.length ? make("div", "thumbs", ...paths.map((path, n) => picture(path, card.id, n + 1, ""))) : null)));
  }
  const long = (box, value, label) => raw(value).length > 400 ? scrolled(box, label) : box;
  function issues(card) {
    if (!card.issues?.length) return null;
    return make("ul", "issues", ...card.issues.map((one) => make("li", one.level ?? "error",
      make("b", "", one.code), one.where ? make("span", "where", one.where) : null, long(make("span", "prose", one.what), one.what, one.code), make("small", "", one.remedy))));
  }
  function became(one) {
    const shown = make("div", "shown", make("div", "", prose(one.question ?? "", "question"), options(one), list(one.rows ?? [])));
    const flaw = (path) => one.issues?.find((issue) => issue.what.startsWith(path))?.level ?? "";
    if (one.pictures?.length) shown.append(make("div", "pictures", ...one.pictures.map((path, n) => picture(path, one.id, n + 1, flaw(path)))));
    const facts = Object.entries(one.facets).flatMap(([name, values]) => values.map((value) => make("span", value === "dropped" ? "verdict wrong" : "fact", value)));
    return make("section", "problem", make("header", "", make("h4", "", one.id), ...facts), issues(one), one.question || one.options?.length || one.rows?.length ? shown : null,
      one.more?.length ? make("div", "folds", ...one.more.map(([title, rows]) => fold(title, () => [list(rows)]))) : null);
  }
  const calledReply = (card, one) => {
    const isOneOfMany = card.rounds?.length || card.runs.some((other) => other !== one && other.name === one.name);
    return [one.name, isOneOfMany ? `reply ${one.round ?? 1}` : ""].filter(Boolean).join(" ");
  };
  function run(card, one) {
    const name = calledReply(card, one);
    [one.reply, one.thoughts] = [looked(one.reply), looked(one.thoughts)];
    const title = make("h4", "", name, name ? " " : "", one.right === undefined || one.right === null || !name ? null : verdict(one.right));
    const said = Boolean(one.reply?.length), cut = said ? excerpt(one.reply) : null;
    const reply = cut?.whole ? cut.box : said ? fold("Whole reply", () => [scrolled(prose(one.reply, "reply"))], open) : null;
    if (reply && !cut.whole) reply.classList.add("replied");
    const thoughts = one.thoughts?.length ? fold("Thoughts, not graded", () => [scrolled(prose(one.thoughts, "reply"), "Thoughts")]) : null;
    const asked = one.asked?.length ? fold("Message as sent", () => [scrolled(prose(one.asked, "reply"), "Message as sent")]) : null;
    const judge = one.said?.length ? fold("Judge", () => one.said.map((line) => prose(line))) : null;
    return make("div", "run", name ? title : null, one.text ? prose(one.text, "question") : null,
      one.pictures?.length ? make("div", "pictures", ...one.pictures.map((path, n) => picture(path, one.name ?? "", n + 1, ""))) : null, list(one.rows ?? [], "brief"), cut && !cut.whole ? cut.box : null, reply, thoughts, asked, judge, window.served?.judge(card, one));
  }
  // What a reader wants to see of a reply without a click: the place of the answer, or the end.
  function excerpt(value) {
    const whole = typeof value === "string" ? [value] : value, evidence = (part) => part.m === "evidence";
    const place = whole.findIndex(evidence), middle = place < 0 ? whole.length : place;
    const near = whole.slice(Math.max(0, middle - EXCERPT), middle + EXCERPT); // a megabyte is not looked through
    const words = (text) => text.length > 4 * EXCERPT ? [...text.slice(0, 2 * EXCERPT).split(/(?<=\s)/), "", ...text.slice(-2 * EXCERPT).split(/(?<=\s)/)] : text.split(/(?<=\s)/);
    const parts = near.flatMap((part) => typeof part === "string" ? words(part) : [part]);
    const length = (part) => typeof part === "string" ? part.length : raw([part]).length;
    const total = parts.reduce((sum, part) => sum + length(part), 0);
    if (total <= EXCERPT && near.length === whole.length) return { whole: true, box: prose(value, "reply") };
    const mark = parts.findIndex(evidence);
    let from = mark < 0 ? parts.length : mark, to = mark < 0 ? parts.length : mark + 1;
    const reach = (step, most) => { // whole words and formulas on one side
      for (let room = most; ;) {
        const next = step < 0 ? parts[from - 1] : parts[to];
        if (next === undefined || (room -= length(next)) < 0) return;
        if (step < 0) from -= 1; else to += 1;
      }
    };
    reach(1, EXCERPT / 4);
    reach(-1, EXCERPT * 3 / 4);
    return { whole: false, box: prose([from > 0 ? "… " : "", ...parts.slice(from, to), to < parts.length ? " …" : ""], "excerpt") };
  }
  function scrolled(box, label = "Reply") { box.classList.add("scrolled"); box.tabIndex = 0; box.setAttribute("role", "region"); box.setAttribute("aria-label", label); return box; }
  function link(address, name) { const made = make("a", "", name); made.href = `#${new URLSearchParams(address)}`; return made; }

  function article(card, k, inGroup = false) {
    const head = make("header", "", make("h3", "", link({ sample: card.id }, inGroup ? card.version || card.id : card.id)));
    const runs = card.runs ?? [];
    const named = new Set(runs.flatMap((one) => [one.name, `run ${one.name}`])); // their verdicts stand beside them
    if (runs.length === 1 && !runs[0].name && typeof runs[0].right === "boolean") head.append(verdict(runs[0].right));
    for (const [name, values] of Object.entries(card.facets)) {
      if (card.raw && name !== "source") continue; // told beside it
      if (name === "verdict" || name in index.same || named.has(name) || (inGroup && name !== "status")) continue;
      const facet = index.facets.find((f) => f.name === name);
      values.forEach((value) => {
        const tag = make(facet ? "button" : "span", "fact", `${name.replaceAll("_", " ")}: ${value}`);
        if (facet) { tag.type = "button"; tag.addEventListener("click", () => go({ ...state(), problem: "", sample: "", [key(name)]: value })); }
        head.append(tag);
      });
    }
    const siblings = index.sizes[index.problems[k]];
    if (siblings > 1 && !inGroup) head.append(link({ problem: card.problem }, `${siblings} side by side`));
    const body = make("div", "", prose(card.question ?? "", "question"), options(card), list(card.rows ?? []));
    const made = make("article", "", head,
      card.warnings?.length ? make("ul", "warnings", ...card.warnings.map((line) => make("li", "", line))) : null,
      ...(card.raw ? [stands(card), make("div", "became", issues(card), ...(card.became ?? []).map(became))] : [body]));
    if (card.raw) made.classList.add("beside");
    if (card.pictures?.length) {
      made.classList.add("pictured");
      made.append(make("div", "pictures", ...card.pictures.map((path, n) => picture(path, card.id, n + 1, ""))));
    }
    const hits = matched.get(k), wanted = onCards(runs);
    const isHit = (one) => (!hits || hits.includes((one.round ?? 1) - 1)) && (!wanted || wanted.has(one.name ?? ""));
    if (runs.length) made.append(make("div", "runs", ...runs.filter(isHit).map((one) => run(card, one))));
    const others = runs.filter((one) => !isHit(one));
    if (others.length) made.append(make("div", "folds", fold(`${others.length} other ${others.length > 1 ? "replies" : "reply"}`, () => [make("div", "runs", ...others.map((one) => run(card, one)))])));
    const folds = (card.more ?? []).map(([title, rows]) => fold(title, () => [list(rows)]));
    if (place.history) folds.push(fold("History", () => stages(card)));
    if (folds.length) made.append(make("div", "folds", ...folds));
    const decide = window.served?.decide(card); // a page that is served saves what people decide
    if (decide) made.append(decide);
    made.dataset.problem = card.problem;
    made.dataset.id = card.id;
    made.tabIndex = -1;
    return made;
  }

  // Many runs: a column each, a row a sample, at one glance; sorted by how many are right.
  let marks = null;
  function runMarks() {
    if (marks) return marks;
    const part = (value) => { const said = /^(\d+) of (\d+)$/.exec(value); return value === "right" ? 1 : value === "wrong" ? 0 : said ? said[1] / said[2] : null; };
    const all = index.facets.filter((f) => f.name.startsWith("run ")).map((f) => {
      const shares = f.values.map(part);
      const of = f.codes.map((codes) => { for (const code of [codes].flat()) if (shares[code] !== null) return shares[code]; return null; });
      return { name: f.name.slice(4), field: f.name, of, single: f.values.every((value) => value === "right" || value === "wrong") };
    });
    for (const [name, value] of Object.entries(index.same)) if (name.startsWith("run ") && part(value) !== null) all.push({ name: name.slice(4), field: name, of: index.ids.map(() => part(value)), single: true });
    const order = index.pairs?.names ?? [];
    const place = (one) => { const k = order.indexOf(one.name); return k < 0 ? order.length : k; };
    marks = all.sort((a, b) => place(a) - place(b));
    return marks;
  }
  const picked = () => { const said = state().runs; return said ? said.split(".").map(Number) : null; };
  const shownRuns = () => { const only = picked(), all = runMarks(); return only ? all.filter((_, k) => only.includes(k)) : all; };
  function onCards(runs) {
    const names = [...new Set(runs.map((one) => one.name ?? ""))];
    if (picked()) return new Set(shownRuns().map((one) => one.name));
    return names.length > MANY ? new Set(names.slice(0, BESIDE)) : null;
  }
  const sumOf = (row, runs) => runs.reduce((sum, one) => sum + (one.of[row] ?? 0), 0);
  function glanced(wanted) {
    const runs = shownRuns(), down = wanted.sort !== "right";
    const sums = new Map(found.map((k) => [k, sumOf(firsts ? firsts[k] : k, runs)]));
    lines = [...found].sort((a, b) => (down ? -1 : 1) * (sums.get(a) - sums.get(b)) || a - b);
  }
  function glance(from, to, wanted) {
    const runs = shownRuns();
    let table = $("cards").querySelector("table.glance");
    if (!table) {
      const sort = make("button", "", wanted.sort === "right" ? "right ↑" : "right ↓");
      sort.type = "button";
      sort.addEventListener("click", () => go({ ...state(), sort: state().sort === "right" ? "" : "right" }, true));
      const head = make("tr", "", ...["sample"].map((name) => make("th", "", name)), make("th", "", sort), ...runs.map((one) => make("th", "", make("span", "", one.name))));
      for (const cell of head.cells) cell.scope = "col";
      table = make("table", "glance", make("thead", "", head), make("tbody"));
      const box = make("div", "wide", table);
      box.tabIndex = 0; box.setAttribute("role", "region"); box.setAttribute("aria-label", "Samples and runs");
      $("cards").append(make("p", "note", "A tick is a right reply, an empty field a wrong one; of several replies the number that are right, in tenths."), box);
    }
    table.tBodies[0].append(...lines.slice(from, to).map((k) => {
      const row = firsts ? firsts[k] : k, name = make("th", "", link({ sample: index.ids[k] }, index.ids[k]));
      name.scope = "row";
      const sum = sumOf(row, runs);
      return make("tr", "", name, make("td", "sum", `${sum.toLocaleString("en", { maximumFractionDigits: 1 })} of ${runs.filter((one) => one.of[row] !== null).length}`), ...runs.map((one) => {
        const share = one.of[row], cell = make("td", share === null ? "lacks" : "", share === null ? "–" : share === 1 ? "✓" : share === 0 ? "" : String(Math.round(10 * share)));
        cell.style.setProperty("--of", `${100 * (share ?? 0)}%`);
        return cell;
      }));
    }));
  }
  // A base chosen on the page: every other run against it, on the samples that are found.
  function against(wanted) {
    const all = runMarks(), base = all[Number(wanted.base) - 1];
    if (!base) return null;
    const place = (one) => index.pairs?.names.indexOf(one.name) ?? -1;
    const where = (a, b) => a.single && b.single ? `"${a.field}" = right and "${b.field}" = wrong` : `"${a.field}" > "${b.field}"`;
    const cell = (n, a, b) => make("td", "figure", n ? link({ ...Object.fromEntries(Object.entries(wanted).filter(([name]) => name !== "base" && name !== "view")), where: [wanted.where ? `(${wanted.where})` : "", where(a, b)].filter(Boolean).join(" and ") }, n.toLocaleString("en")) : "0");
    const rows = all.filter((one) => one !== base).map((one) => {
      let n = 0, gap = 0, ours = 0, theirs = 0;
      for (const k of found) {
        const row = firsts ? firsts[k] : k, a = base.of[row], b = one.of[row];
        if (a === null || b === null) continue;
        n += 1; gap += a - b; ours += a > b; theirs += b > a;
      }
      const [i, j] = [place(base), place(one)].sort((a, b) => a - b), p = i < 0 ? null : index.pairs.p[i][j - i - 1];
      const points = `${gap < 0 ? "" : "+"}${(n ? 100 * gap / n : 0).toFixed(1)}`;
      return make("tr", "", make("td", "", one.name), make("td", "figure", n.toLocaleString("en")), make("td", "figure", points), cell(ours, base, one), cell(theirs, one, base), make("td", "figure", p === null ? "" : p < .001 ? "<.001" : p.toFixed(3)));
    });
    const heads = ["against", "samples", "base minus it", "only the base right", "only it right", "p (corrected, all samples)"];
    const table = make("table", "against", make("caption", "", `Base: ${base.name}`), make("thead", "", make("tr", "", ...heads.map((name, k) => { const head = make("th", k ? "figure" : "", name); head.scope = "col"; return head; }))), make("tbody", "", ...rows));
    const box = make("div", "wide", table);
    box.tabIndex = 0; box.setAttribute("role", "region"); box.setAttribute("aria-label", `${base.name} against each`);
    return box;
  }
  function runChooser() {
    const all = runMarks();
    if (all.length < 3) return;
    const base = make("select", "", new Option("no run", ""), ...all.map((one, k) => new Option(one.name, String(k + 1))));
    base.name = "base-run";
    base.addEventListener("change", () => go({ ...state(), sample: "", problem: "", base: base.value }));
    $("facets").append(make("label", "", "base", base));
    const box = make("details", "columns", make("summary", "", `Runs shown (${all.length})`));
    const ticks = all.map((one) => { const tick = make("input"); tick.type = "checkbox"; box.append(make("label", "", tick, one.name)); return tick; });
    const set = () => { const on = ticks.flatMap((tick, k) => tick.checked ? [k] : []); go({ ...state(), runs: on.length === all.length || !on.length ? "" : on.join(".") }, true); };
    for (const tick of ticks) tick.addEventListener("change", set);
    const none = make("button", "", "None"); none.type = "button";
    none.addEventListener("click", () => { for (const tick of ticks) tick.checked = false; });
    box.append(none);
    $("filter").after(box);
    $("glance-open").hidden = false;
    $("glance-open").addEventListener("click", () => go({ ...state(), sample: "", problem: "", sort: "", view: state().view === "glance" ? "" : "glance" }));
    chosenAgain = () => { const only = picked(); ticks.forEach((tick, k) => { tick.checked = !only || only.includes(k); }); base.value = state().base ?? ""; $("glance-open").setAttribute("aria-pressed", String(state().view === "glance")); };
  }
  let chosenAgain = () => {};

  // The grid: a line a sample, columns to choose, sorted over all that is found.
  function columns(card) {
    const gold = (one) => raw((one.rows ?? []).find(([name]) => name === "gold")?.[1] ?? "");
    const own = (one, name, round) => one.runs?.find((run) => (run.name ?? "") === name && (run.round ?? 1) === round + 1) ?? {};
    const list = [["sample", (one) => one.id], ["question", (one) => raw(one.question ?? "")], ["gold", gold]];
    if (index.rounds) list.splice(1, 0, ["reply", (one, round) => round + 1]);
    const names = [...new Set((card.runs ?? []).map((run) => run.name ?? ""))];
    for (const name of names) {
      const of = names.length > 1 ? `${name}: ` : "";
      list.push([`${of}verdict`, (one, round) => { const right = own(one, name, round).right; return right === true ? "right" : right === false ? "wrong" : ""; }]);
      CELLS.forEach((cell, j) => { if (names.length <= BESIDE || j === 0) list.push([`${of}${cell}`, (one, round) => own(one, name, round).cells?.[j] ?? ""]); });
    }
    return list;
  }
  function gridded(cards, rounds, wanted) {
    const all = columns(cards[0]).filter(([name]) => grid.some((one) => one === name));
    let table = $("cards").querySelector("table.grid");
    if (!table) {
      const head = make("tr", "", ...all.map(([name]) => {
        const button = make("button", "", name), cell = make("th", "", button), [sorted, down] = sorting(wanted);
        cell.scope = "col";
        button.type = "button";
        if (sorted === name) cell.setAttribute("aria-sort", down ? "descending" : "ascending");
        button.addEventListener("click", () => go({ ...state(), sort: sorted === name && !down ? `-${name}` : name }, true));
        return cell;
      }));
      table = make("table", "grid", make("thead", "", head), make("tbody"));
      const box = make("div", "wide", table);
      box.tabIndex = 0; box.setAttribute("role", "region"); box.setAttribute("aria-label", "Grid of samples");
      $("cards").append(chooser(cards[0]), box);
    }
    table.tBodies[0].append(...cards.map((card, n) => make("tr", "", ...all.map(([name, read]) => {
      const value = read(card, rounds[n]), cell = make("td", typeof value === "number" ? "figure" : name === "question" ? "long" : "");
      if (name === "sample") cell.append(link({ sample: card.id }, card.id));
      else if (value === "right" || value === "wrong") cell.append(verdict(value === "right"));
      else cell.textContent = typeof value === "number" ? value.toLocaleString("en", { maximumSignificantDigits: value < 1 ? 3 : 21 }) : value.length > 160 ? `${value.slice(0, 160)}…` : value;
      return cell;
    }))));
  }
  let grid = [];
  const sorting = (wanted) => { const name = wanted.sort ?? ""; return name.startsWith("-") ? [name.slice(1), true] : [name, false]; };
  function chooser(card) {
    const box = make("details", "columns", make("summary", "", "Columns"));
    for (const [name] of columns(card)) {
      const tick = make("input"), label = make("label", "", tick, name);
      tick.type = "checkbox";
      tick.checked = !HIDDEN.has(name);
      tick.addEventListener("change", () => { if (tick.checked) HIDDEN.delete(name); else HIDDEN.add(name); show(); });
      box.append(label);
    }
    box.open = open;
    box.addEventListener("toggle", () => { open = box.open; });
    return box;
  }
  const linesOf = (cards) => cards.flatMap((k) => (matched.get(k) ?? [...Array(roundsOf(k)).keys()]).map((round) => [k, round]));
  async function ordered(wanted) {
    if (wanted.view === "glance") { glanced(wanted); return; }
    lines = linesOf(found);
    const [name, down] = sorting(wanted);
    if (!name || found.length > SORTED) return;
    const cards = new Map();
    for (const k of found) cards.set(k, await cardAt(k));
    const column = cards.size ? columns(cards.get(found[0])).find(([one]) => one === name) : null;
    if (!column) return;
    const keyed = lines.map((line, k) => [column[1](cards.get(line[0]), line[1]), k, line]);
    const less = (a, b) => typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
    keyed.sort(([a, j], [b, k]) => (a === "") - (b === "") || (down ? -1 : 1) * less(a, b) || j - k);
    lines = keyed.map(([, , line]) => line);
  }

  // The address says what is shown.
  const key = (name) => RESERVED.has(name) ? `label-${name}` : name;
  function state() {
    const said = new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
    return Object.fromEntries([...said].filter(([, value]) => value));
  }
  function go(wanted, replace = false) {
    const said = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value));
    const address = `#${String(said) || "samples"}`;
    if (replace) history.replaceState(null, "", address); else history.pushState(null, "", address);
    show();
  }

  function chosen(wanted) {
    matched.clear();
    fault = "";
    const tests = Object.entries(wanted).filter(([name]) => !RESERVED.has(name)).map(([name, value]) => having(name, value));
    if (wanted.where) try { tests.push(condition(wanted.where)); } catch (error) { fault = error.message; return []; }
    const kept = [], problem = index.problem_names.indexOf(wanted.problem);
    const only = wanted.sample ? index.ids.indexOf(wanted.sample) : -1;
    for (let k = 0; k < index.ids.length; k += 1) {
      if (wanted.problem && index.problems[k] !== problem || wanted.sample && k !== only) continue;
      const first = firsts ? firsts[k] : k, size = roundsOf(k), hits = [];
      for (let n = 0; n < size; n += 1) if (tests.every((test) => test(first + n))) hits.push(n);
      if (!hits.length) continue;
      kept.push(k);
      if (hits.length < size) matched.set(k, hits);
    }
    return kept;
  }
  const has = (codes, row, code) => { const own = codes[row]; return typeof own === "number" ? own === code : own.includes(code); };
  function having(name, value) {
    const facet = index.facets.find((f) => key(f.name) === name);
    if (!facet) { const same = Object.entries(index.same).some(([one, all]) => key(one) === name && all === value); return () => same; }
    const code = facet.values.indexOf(value);
    return (row) => has(facet.codes, row, code);
  }
  // A condition: comparisons of fields, joined by and, or, not and brackets. Its texts are compared, never run.
  const COMPARED = { "=": (a, b) => a === b, "!=": (a, b) => a !== b, "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b };
  const called = (name) => name.toLowerCase().replaceAll("_", " ");
  function field(name) {
    const column = index.numbers.find(([one]) => called(one) === called(name));
    if (column) return (row) => column[1][row] === null ? [] : [column[1][row]];
    const facet = index.facets.find((one) => called(one.name) === called(name));
    if (facet) return (row) => [facet.codes[row]].flat().map((code) => facet.values[code]);
    const same = Object.entries(index.same).find(([one]) => called(one) === called(name));
    if (same) return () => [same[1]];
    if (called(name) === "sample") return (row) => [index.ids[owners ? owners[row] : row]];
    return null;
  }
  const fields = () => [...index.numbers.map(([name]) => name), ...index.facets.map((f) => f.name)].map((name) => name.replaceAll("_", " "));
  function condition(text) {
    const words = text.match(/"[^"]*"|<=|>=|!=|[=<>~()]|[^\s=<>!~()"]+/g) ?? [];
    let at = 0;
    const is = (word) => words[at]?.toLowerCase() === word;
    const phrase = (ends) => { const said = []; while (at < words.length && !ends.test(words[at])) { said.push(words[at].replaceAll('"', "")); at += 1; } return said.join(" "); };
    const joined = (word, next, join) => { let left = next(); while (is(word)) { at += 1; const one = left, other = next(); left = (row) => join(one(row), () => other(row)); } return left; };
    const either = () => joined("or", both, (one, other) => one || other());
    const both = () => joined("and", single, (one, other) => one && other());
    const single = () => {
      if (is("not")) { at += 1; const one = single(); return (row) => !one(row); }
      if (is("(")) { at += 1; const one = either(); if (!is(")")) throw new Error("a bracket is not closed"); at += 1; return one; }
      return comparison();
    };
    const comparison = () => {
      const name = phrase(/^(<=|>=|!=|[=<>~])$/), read = field(name), sign = words[at];
      if (!read) throw new Error(`no field is called ${name || "so"}: ${fields().slice(0, 40).join(", ")}`);
      if (sign === undefined) throw new Error(`${name} is compared with nothing: ${name} = ...`);
      at += 1;
      const said = phrase(/^(and|or|\))$/i), other = field(said);
      if (!said) throw new Error(`${name} is compared with nothing`);
      return (row) => compared(read(row), sign, other ? other(row) : [said]);
    };
    const test = either();
    if (at < words.length) throw new Error(`nothing joins what stands before ${words[at]}`);
    return test;
  }
  function compared(ours, sign, theirs) {
    const pair = (a, b) => {
      if (sign === "~") return String(a).toLowerCase().includes(String(b).toLowerCase());
      const numeric = [a, b].map((one) => typeof one === "number" ? one : /^-?[\d.]+(?= of \d+$|$)/.test(one) ? parseFloat(one) : NaN);
      if (numeric.every((one) => !Number.isNaN(one))) return COMPARED[sign](...numeric);
      return sign === "=" || sign === "!=" ? COMPARED[sign](String(a).toLowerCase(), String(b).toLowerCase()) : false;
    };
    return sign === "!=" ? ours.every((a) => theirs.every((b) => pair(a, b))) : ours.some((a) => theirs.some((b) => pair(a, b)));
  }
  const haystack = (card) => {
    if (!card.hay) {
      Object.defineProperty(card, "hay", { value: [card.id, raw(card.question ?? ""), ...(card.options ?? []).map(([, value]) => raw(value)),
        ...(card.rows ?? []).map(([, value]) => raw(value)),
        ...(card.runs ?? []).flatMap((one) => [raw(one.reply ?? ""), raw(one.text ?? ""), ...(one.rows ?? []).map(([, value]) => raw(value)), ...(one.said ?? [])]),
        ...(card.more ?? []).flatMap(([, rows]) => rows.map(([, value]) => raw(value))),
        ...(card.raw ?? []).map(([, value]) => raw(value)), ...(card.became ?? []).map(haystack),
        ...Object.values(card.facets).flat()].join("\n").toLowerCase() });
    }
    return card.hay;
  };
  async function search(candidates, words, turn) {
    const hits = [];
    let before = performance.now();
    for (let at = 0; at < candidates.length;) {
      const number = pieceOf(candidates[at]), cards = await load(number);
      if (turn !== asked) return null;
      const end = index.starts[number + 1] ?? index.ids.length;
      for (; at < candidates.length && candidates[at] < end; at += 1) {
        const hay = haystack(cards[candidates[at] - index.starts[number]]);
        if (words.every((word) => hay.includes(word))) hits.push(candidates[at]);
      }
      if (performance.now() - before > 150) {
        found = hits.slice();
        lines = linesOf(found);
        if (drawn < atOnce()) await draw(turn);
        count(` (searched ${Math.round(100 * at / candidates.length)} %)`);
        before = performance.now();
        await new Promise((next) => setTimeout(next));
        if (turn !== asked) return null;
      }
    }
    return hits;
  }
  function count(more = "") {
    const facet = index.facets.find((f) => f.name === "verdict");
    const code = facet ? facet.values.indexOf("right") : -1;
    const said = (n) => n.toLocaleString("en");
    let rows = 0, rights = 0;
    for (const k of found) {
      const first = firsts ? firsts[k] : k, hits = matched.get(k), size = roundsOf(k);
      rows += hits ? hits.length : size;
      if (facet) for (let n = 0; n < size; n += 1) if ((!hits || hits.includes(n)) && has(facet.codes, first + n, code)) rights += 1;
    }
    const samples = `${said(found.length)} of ${said(index.ids.length)} ${index.noun}`;
    const replies = index.rounds ? `${said(rows)} of ${said(owners.length)} replies to ` : "";
    $("shown").textContent = `${replies}${samples}${facet ? `, ${said(rights)} right` : ""}${more}`;
    $("fault").textContent = fault;
  }
  function tell() {
    $("undrawn").textContent = undrawn ? `${undrawn} formulas on show are no LaTeX that can be drawn; they stand as they were written.` : "";
  }

  async function draw(turn = asked) {
    const wanted = state(), together = wanted.problem || (index.together && !wanted.sample) || wanted.together;
    const inGrid = wanted.view === "grid" && !wanted.sample && !wanted.problem;
    if (wanted.view === "glance" && !wanted.sample && !wanted.problem && runMarks().length) {
      const from = drawn;
      drawn = Math.min(lines.length, drawn + Math.max(20, Math.ceil(MARKED / shownRuns().length)));
      glance(from, drawn, wanted);
      $("more").hidden = drawn >= lines.length;
      return true;
    }
    const all = inGrid ? lines : found;
    let stop = Math.min(all.length, drawn + (inGrid ? ROWS : atOnce()));
    while (together && !inGrid && stop < found.length && index.problems[found[stop]] === index.problems[found[stop - 1]]) stop += 1;
    const part = all.slice(drawn, stop), batch = inGrid ? part.map(([k]) => k) : part;
    const from = drawn;
    drawn = stop;
    let cards;
    try { cards = await Promise.all(batch.map(cardAt)); } catch (error) {
      unread(error);
      return false;
    }
    if (turn !== asked) return false;
    if (inGrid && cards.length) {
      if (!from) grid = columns(cards[0]).filter(([name, read]) => !HIDDEN.has(name) && cards.some((card, n) => read(card, part[n][1]) !== "")).map(([name]) => name);
      gridded(cards, part.map(([, round]) => round), wanted);
      $("more").hidden = drawn >= all.length;
      return true;
    }
    const articles = cards.map((card, j) => article(card, batch[j], Boolean(together)));
    if (!together) $("cards").append(...articles);
    else for (const made of articles) {
      let group = $("cards").lastElementChild;
      if (!group || group.dataset.problem !== made.dataset.problem) {
        const row = make("div", "together");
        row.tabIndex = 0; row.setAttribute("role", "region"); row.setAttribute("aria-label", made.dataset.problem);
        group = make("div", "group", make("h3", "", link({ problem: made.dataset.problem }, made.dataset.problem)), row);
        group.dataset.problem = made.dataset.problem;
        $("cards").append(group);
      }
      group.lastElementChild.append(made);
    }
    $("more").hidden = drawn >= found.length;
    if (wanted.sample && from === 0) for (const details of $("cards").querySelectorAll("details.replied")) details.open = true;
    tell();
    return true;
  }
  function unread(error) {
    $("shown").textContent = `The samples could not be read: ${error.message} is missing or half written. Keep the folder beside this page, or write the page again.`;
    $("more").hidden = true;
  }

  async function show() {
    const turn = asked += 1, wanted = state(), before = performance.now();
    const words = (wanted.q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    if ($("where").value !== (wanted.where ?? "") && document.activeElement !== $("where")) $("where").value = wanted.where ?? "";
    if ($("words").value !== (wanted.q ?? "") && document.activeElement !== $("words")) $("words").value = wanted.q ?? "";
    $("grid-open").textContent = wanted.view === "grid" ? "Cards" : "Grid";
    $("grid-open").setAttribute("aria-pressed", String(wanted.view === "grid"));
    for (const select of $("facets").querySelectorAll("select[name]")) {
      select.value = wanted[select.name] ?? "";
      select.parentElement.classList.toggle("set", Boolean(select.value));
    }
    undrawn = 0; drawn = 0; found = chosen(wanted);
    $("cards").replaceChildren();
    if (wanted.sample || wanted.problem) $("cards").append(make("div", "banner", link({}, "← all samples")));
    chosenAgain();
    if (wanted.base) { const table = against(wanted); if (table) $("cards").append(table); }
    if (words.length) {
      const candidates = found;
      found = [];
      let hits;
      try { hits = await search(candidates, words, turn); } catch (error) { unread(error); return; }
      if (!hits) return;
      const shown = drawn;
      found = hits;
      await ordered(wanted);
      if (turn !== asked || !shown && !await draw(turn)) return;
    } else {
      await ordered(wanted);
      if (turn !== asked || !await draw(turn)) return;
    }
    if (turn !== asked) return;
    $("more").hidden = drawn >= (["grid", "glance"].includes(wanted.view) && !wanted.sample && !wanted.problem ? lines : found).length;
    count();
    document.body.dataset.filtered = String(Math.round(performance.now() - before));
  }

  // Keyboard: j and k walk through the cards, o opens the reply, v shows what belongs together.
  function walk(step) {
    const all = [...$("cards").querySelectorAll("article")];
    const at = all.findIndex((one) => one.classList.contains("here"));
    const next = all[at < 0 ? 0 : Math.max(0, Math.min(all.length - 1, at + step))];
    if (!next) return;
    all[at]?.classList.remove("here");
    next.classList.add("here");
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "start" });
    if (at + step >= all.length - 2 && !$("more").hidden) draw();
  }
  function pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || $("zoom").open) return;
    if (event.target.closest("input, select, textarea")) { if (event.key === "Escape") event.target.blur(); return; }
    const here = $("cards").querySelector("article.here") ?? $("cards").querySelector("article");
    if (event.key === "/") { event.preventDefault(); $("words").focus(); }
    else if (event.key === "j") walk(1);
    else if (event.key === "k") walk(-1);
    else if (event.key === "o" && here) for (const details of here.querySelectorAll("details.replied")) details.open = !details.open;
    else if (event.key === "v" && here) go({ problem: here.dataset.problem });
    else if (event.key === "Escape" && (state().sample || state().problem)) history.back();
  }

  // Many runs: one is chosen, then whether it is right, in place of a list for each.
  function pick(runs) {
    const who = make("select", "", new Option("any run", ""), ...runs.map((f) => new Option(f.name.slice(4), key(f.name))));
    const how = make("select", "", new Option("right or wrong", ""), new Option("right", "right"), new Option("wrong", "wrong"));
    const set = () => { if (who.value) go({ ...state(), sample: "", problem: "", [who.value]: how.value }); };
    who.addEventListener("change", () => { how.value = state()[who.value] ?? ""; });
    how.addEventListener("change", set);
    $("facets").append(make("label", "", "run", who), make("label", "", "is", how));
  }

  // A set that fits into memory is fetched while nobody waits, so that the first search is quick.
  function warm(number) {
    if (number < index.starts.length) requestIdleCallback(() => load(number).then((cards) => { cards.forEach(haystack); warm(number + 1); }, () => {}));
  }

  function begin() {
    if (!index) {
      $("shown").textContent = `The samples lie in the folder ${$("cards").dataset.folder}, which is not beside this page, or half written: keep both together.`;
      document.body.dataset.ready = "0";
      return;
    }
    const same = Object.entries(index.same).filter(([name]) => name !== "verdict").map(([name, value]) => `${name.replaceAll("_", " ")}: ${value}`);
    $("same").textContent = same.length ? `All have ${same.join(", ")}` : "";
    if (index.rounds) {
      firsts = [];
      owners = [];
      index.rounds.forEach((size, k) => { firsts.push(owners.length); for (let n = 0; n < size; n += 1) owners.push(k); });
    }
    index.sizes = [];
    for (const code of index.problems) index.sizes[code] = (index.sizes[code] ?? 0) + 1;
    const telling = index.facets.filter((f) => f.values.length > 1 || f.codes.some((code) => code.length === 0));
    const runs = telling.filter((f) => f.name.startsWith("run "));
    if (runs.length > 3) pick(runs);
    runChooser();
    for (const facet of telling.filter((f) => runs.length <= 3 || !runs.includes(f))) {
      const select = make("select", "", new Option("all", ""), ...facet.values.map((value) => new Option(value, value)));
      select.name = key(facet.name);
      select.addEventListener("change", () => go({ ...state(), sample: "", problem: "", [select.name]: select.value }));
      $("facets").append(make("label", "", facet.name.replaceAll("_", " "), select));
    }
    $("facets-open").hidden = !$("facets").childElementCount;
    const unfold = (wide) => { $("facets").hidden = !wide; $("facets-open").setAttribute("aria-expanded", String(wide)); };
    unfold(innerWidth > 700 && $("facets").childElementCount <= 12);
    $("facets-open").addEventListener("click", () => unfold($("facets").hidden));
    let typing = 0;
    $("words").addEventListener("input", () => {
      clearTimeout(typing);
      typing = setTimeout(() => go({ ...state(), sample: "", problem: "", q: $("words").value.trim() }, true), 120);
    });
    $("where").addEventListener("change", () => go({ ...state(), sample: "", problem: "", where: $("where").value.trim() }));
    $("where").title = `Fields: ${fields().slice(0, 40).join(", ")}`;
    $("filter").addEventListener("submit", (event) => { event.preventDefault(); if (document.activeElement === $("where")) $("where").dispatchEvent(new Event("change")); });
    $("grid-open").addEventListener("click", () => go({ ...state(), sample: "", problem: "", sort: "", view: state().view === "grid" ? "" : "grid" }));
    $("more").addEventListener("click", () => draw());
    const near = new IntersectionObserver((seen) => {
      if (!seen.at(-1).isIntersecting || $("more").hidden) return;
      near.unobserve($("more")); // and again afterwards: it may still be near
      draw().then(() => near.observe($("more")));
    }, { rootMargin: "600px" });
    near.observe($("more"));
    addEventListener("popstate", show);
    document.addEventListener("keydown", pressed);
    document.addEventListener("click", (event) => {
      const anchor = event.target.closest("a[href^='#']");
      if (anchor && !/^#(section-|main|samples|cards)/.test(anchor.getAttribute("href")) && !event.ctrlKey && !event.metaKey) { event.preventDefault(); history.pushState(null, "", anchor.getAttribute("href")); show(); $("samples").scrollIntoView(); }
    });
    $("zoom").addEventListener("click", (event) => { if (event.target.tagName === "IMG") $("zoom").classList.toggle("full"); else $("zoom").close(); });
    show().then(() => {
      if (Object.keys(state()).length) $("samples").scrollIntoView();
      document.body.dataset.ready = String(Math.round(performance.now()));
      if (index.starts.length <= KEPT) warm(0);
    });
  }
  return {
    index: (value) => { index = value; }, place: (value) => { place = value; }, piece, begin, drawing,
    pasts: (value) => { pages = value; }, past: ([number, found]) => pasts.set(number, found),
  };
})();
