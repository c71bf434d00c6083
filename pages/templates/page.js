"use strict";
// Every page: light and dark, and tables that sort by a click on a column's name.
(() => {
  const root = document.documentElement;
  const kept = { get: () => { try { return localStorage.getItem("theme"); } catch { return null; } },
                 set: (value) => { try { localStorage.setItem("theme", value); } catch { /* not kept */ } } };
  if (kept.get()) root.dataset.theme = kept.get();
  const turn = () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    kept.set(root.dataset.theme);
  };
  document.getElementById("theme").addEventListener("click", turn);
  document.addEventListener("keydown", (event) => {
    if (event.key === "t" && !event.ctrlKey && !event.metaKey && !event.altKey && !event.target.closest("input, select, textarea")) turn();
  });

  const figure = (text) => { const found = text.replace(/,/g, "").match(/^[^\d-]*(-?\d+(\.\d+)?(e-?\d+)?)/); return found ? Number(found[1]) : null; };
  function sort(table, column, header) {
    const up = header.getAttribute("aria-sort") === "descending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", up ? "ascending" : "descending");
    const numeric = header.classList.contains("figure");
    const key = (row) => { const text = row.cells[column]?.textContent ?? ""; return numeric ? figure(text) : text; };
    const rows = [...table.tBodies[0].rows].map((row, k) => [key(row), k, row]);
    const compare = (a, b) => numeric ? a - b : a.localeCompare(b, "en", { numeric: true });
    rows.sort(([a, j], [b, k]) => a === null ? (b === null ? j - k : 1) : b === null ? -1 : (up ? 1 : -1) * compare(a, b) || j - k);
    table.tBodies[0].append(...rows.map(([, , row]) => row));
  }
  for (const table of document.querySelectorAll("table")) {
    [...(table.tHead?.rows[0]?.cells ?? [])].forEach((header, column) => {
      if (!header.textContent) return;
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = header.textContent;
      header.replaceChildren(button);
      button.addEventListener("click", () => sort(table, column, header));
    });
  }
})();
