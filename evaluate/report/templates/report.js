"use strict";
// Draws the samples that pass the filter, fifty at a time. Texts are set as text, never as markup.
const { samples, pictures } = JSON.parse(document.getElementById("data").textContent);
const form = document.getElementById("filter");
const cards = document.getElementById("cards");
const more = document.getElementById("more");
const PAGE = 50;
let found = [], drawn = 0;

for (const s of samples) {
  s.search = [s.id, s.question, s.reply, s.extracted, s.gold].join("\n").toLowerCase();
}

const verdicts = {
  "": () => true,
  right: (s) => s.ok,
  wrong: (s) => !s.ok,
  differ: (s) => "official" in s && s.official !== s.ok,
  judge: (s) => s.judge,
};

function passes(s, wanted) {
  return verdicts[wanted.verdict](s)
    && (!wanted.status || s.status === wanted.status)
    && wanted.labels.every(([label, value]) => (s.labels[label] || []).includes(value))
    && s.search.includes(wanted.text);
}

function element(tag, text, name) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (name) made.className = name;
  return made;
}

function evidence(s) {
  const list = element("dl");
  const rows = [
    ["gold", s.gold],
    ["extracted", s.extracted === undefined ? "nothing" : s.extracted],
    ["by", [s.rule, s.how, s.status === "ok" ? "" : s.status].filter(Boolean).join(" · ")],
  ];
  if ("official" in s) {
    rows.push(["official", (s.official ? "right" : "wrong") + (s.read ? ", read " + s.read : "")]);
  }
  for (const [name, value] of rows) {
    if (value) list.append(element("dt", name), element("dd", value));
  }
  return list;
}

function card(s) {
  const article = element("article", undefined, s.ok ? "right" : "wrong");
  const title = element("h3", s.id + " ");
  title.append(element("b", s.ok ? "right" : "wrong", s.ok ? "right" : "wrong"));
  for (const [label, values] of Object.entries(s.labels)) {
    title.append(element("span", `${label.replace("_", " ")}: ${values.join(", ")}`));
  }
  const side = element("div", undefined, "pictures");
  for (const number of s.pictures || []) {
    const image = element("img");
    image.src = "data:image/webp;base64," + pictures[number];
    image.alt = "picture of " + s.id;
    side.append(image);
  }
  const body = element("div");
  body.append(element("p", s.question || ""));
  for (const option of s.options || []) body.append(element("p", option));
  body.append(evidence(s));
  const reply = element("details");
  reply.append(element("summary", "Reply"), element("pre", s.reply || "(none)", "reply"));
  body.append(reply);
  if (s.said) {
    const said = element("details");
    said.append(element("summary", "Judge"), ...s.said.map((line) => element("p", line)));
    body.append(said);
  }
  article.append(title, side, body);
  return article;
}

function draw() {
  cards.append(...found.slice(drawn, drawn + PAGE).map(card));
  drawn = Math.min(found.length, drawn + PAGE);
  more.hidden = drawn >= found.length;
}

function filter() {
  const wanted = {
    text: form.elements.text.value.trim().toLowerCase(),
    verdict: form.elements.verdict.value,
    status: form.elements.status.value,
    labels: [...form.querySelectorAll("select[data-label]")]
      .filter((select) => select.value)
      .map((select) => [select.dataset.label, select.value]),
  };
  found = samples.filter((s) => passes(s, wanted));
  const right = found.filter((s) => s.ok).length;
  document.getElementById("shown").textContent =
    `${found.length} of ${samples.length} samples, ${right} right`;
  cards.replaceChildren();
  drawn = 0;
  draw();
}

form.addEventListener("input", filter);
form.addEventListener("submit", (event) => event.preventDefault());
more.addEventListener("click", draw);
filter();
document.body.dataset.ready = String(Math.round(performance.now()));
