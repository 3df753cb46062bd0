// Sorting, filtering, copying and saving. The page says everything without it.
"use strict";
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  for (const hidden of all(".filter, .buttons")) hidden.hidden = false;
  for (const hint of all(".unscripted")) hint.hidden = true;

  // Rows without a value stay last, whichever way the others are sorted.
  const words = new Intl.Collator("en", { numeric: true });
  const valueOf = (row, place, kind) => {
    const cell = row.cells[place];
    if (kind === "text") return cell.textContent.trim();
    return "key" in cell.dataset ? Number(cell.dataset.key) : NaN;
  };
  const sort = (head, kind) => {
    const place = head.cellIndex;
    const turn = head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
    for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", turn);
    const body = head.closest("table").tBodies[0];
    const sign = turn === "ascending" ? 1 : -1;
    const rows = [...body.rows].map((row) => [valueOf(row, place, kind), row]);
    rows.sort(([a], [b]) => {
      if (kind === "text") return sign * words.compare(a, b);
      if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
      return sign * (a - b);
    });
    body.append(...rows.map(([, row]) => row));
  };
  for (const head of all(".sorted th[data-sort]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => sort(head, head.dataset.sort));
    head.append(button);
  }

  for (const filter of all(".filter")) {
    const [input] = all("input", filter);
    const [select] = all("select", filter);
    const [output] = all("output", filter);
    const rows = [...filter.parentElement.querySelector("tbody").rows].map((row) => ({
      row,
      text: row.textContent.toLowerCase(),
      tags: (row.dataset.tags || "").split(" "),
    }));
    const apply = () => {
      const wanted = input.value.trim().toLowerCase();
      const tag = select ? select.value : "";
      let shown = 0;
      for (const { row, text, tags } of rows) {
        row.hidden = !text.includes(wanted) || (tag !== "" && !tags.includes(tag));
        shown += !row.hidden;
      }
      output.textContent = `${shown} of ${rows.length} shown`;
    };
    input.addEventListener("input", apply);
    if (select) select.addEventListener("change", apply);
    apply();
  }

  // What a link or the address leads to is opened on the way.
  const reveal = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target) return;
    for (let part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  if (location.hash) reveal();

  for (const button of all("[data-open]")) {
    button.addEventListener("click", () => {
      for (const part of all("#numbers details")) part.open = button.dataset.open === "all";
    });
  }

  if (navigator.clipboard) {
    for (const place of all(".copy")) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = "Copy";
      button.addEventListener("click", async () => {
        try {
          await navigator.clipboard.writeText(place.querySelector("code").textContent);
          button.textContent = "Copied";
        } catch {
          button.textContent = "Select and copy by hand";
        }
      });
      place.append(button);
    }
  }

  const written = document.getElementById("report").textContent;
  const shown = document.getElementById("report-text");
  const actions = {
    save() {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([written], { type: "application/json" }));
      link.download = "report.json";
      link.click();
      URL.revokeObjectURL(link.href);
    },
    show(button) {
      const pre = shown.querySelector("pre");
      if (!pre.textContent) pre.textContent = JSON.stringify(JSON.parse(written), null, 1);
      shown.hidden = !shown.hidden;
      button.setAttribute("aria-expanded", String(!shown.hidden));
      button.textContent = shown.hidden ? "Show" : "Hide";
    },
  };
  for (const button of all("[data-json]")) button.addEventListener("click", () => actions[button.dataset.json](button));

  // Paper cannot be unfolded.
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = all("details:not([open])");
    for (const part of closed) part.open = true;
  });
  addEventListener("afterprint", () => {
    for (const part of closed) part.open = false;
  });
})();
