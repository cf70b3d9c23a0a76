// What pages can do beyond links: send forms, sort and filter tables, list keys, keep the terminal's token.

export const by = (id) => document.getElementById(id);
const keys = by("keys");

/** Calls what stands at a key, unless the reader writes or the focus is on what `but` selects. */
export function onKeys(calls, but = "") {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(calls, event.key)) return;
    if (event.target.closest(`input, select, textarea, [contenteditable]${but}`) !== null) return;
    event.preventDefault();
    calls[event.key]();
  });
}
const search = document.querySelector("input[type=search]");
onKeys({ "?": () => keys.showModal(), ...(search !== null && { "/": () => search.focus() }) });

// The address of this view. Without a clipboard (a page over plain HTTP) it stands there, ready to be copied.
by("copy").hidden = false;
by("copy").addEventListener("click", async ({ target }) => {
  const isCopied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
  by("address").value = location.href;
  by("address").hidden = Boolean(isCopied);
  by("address").select();
  by("copy-said").textContent = isCopied ? target.dataset.copied : target.dataset.failed;
});

// The address that the terminal prints ends in #token=…, which no server sees. It is kept for this tab.
const given = /^#token=([\w-]+)$/.exec(location.hash);
if (given) {
  sessionStorage.setItem("assay-token", given[1]);
  history.replaceState(null, "", location.pathname + location.search);
}

/** Asks the server for a change, and returns whether it was made; otherwise says the reason in `place`. */
export async function change(path, content, place) {
  const token = sessionStorage.getItem("assay-token") ?? "";
  const headers = { "content-type": "application/json", "x-assay-token": token };
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(content) });
  const { error = `${answer.status}` } = await answer.json().catch(() => ({}));
  place.textContent = answer.ok ? "" : answer.status === 401 ? keys.dataset.needsToken : error;
  return answer.ok;
}

// A form for a change: where it was made, its dialog closes, or the page loads again.
for (const form of document.querySelectorAll("form[data-post]")) {
  form.addEventListener("submit", async (event) => {
    if (event.submitter?.value === "close") return;
    event.preventDefault();
    const content = Object.fromEntries(new FormData(form, event.submitter));
    if (!(await change(form.dataset.post, content, form.querySelector("[role=alert]")))) return;
    form.closest("dialog")?.close();
    if ("reloads" in form.dataset) location.reload();
  });
}

function valueOf(cell) {
  if (cell === undefined) return ""; // a row with a cell over several columns
  const found = cell.querySelector("data");
  const text = found === null ? cell.textContent.trim() : found.value;
  const value = Number(text);
  return text === "" || Number.isNaN(value) ? text : value;
}

function before(one, other) {
  if (typeof one === typeof other) return one < other ? -1 : one > other ? 1 : 0;
  return typeof one === "number" ? -1 : 1; // words after numbers
}

function sort(table, column, heading) {
  const falls = heading.getAttribute("aria-sort") === "ascending";
  for (const one of table.tHead.querySelectorAll("th[aria-sort]")) one.setAttribute("aria-sort", "none");
  heading.setAttribute("aria-sort", falls ? "descending" : "ascending");
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row, place) => ({ row, place, value: valueOf(row.cells[column]) }));
  rows.sort((a, b) => (falls ? before(b.value, a.value) : before(a.value, b.value)) || a.place - b.place);
  body.append(...rows.map((one) => one.row));
}

for (const table of document.querySelectorAll("table.sortable")) {
  const headings = table.tHead.rows[table.tHead.rows.length - 1].cells;
  [...headings].forEach((heading, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    heading.setAttribute("aria-sort", "none");
    button.addEventListener("click", () => sort(table, column, heading));
  });
}

// A list that was not complete yet, unless the reader is already at work on it or leaves it.
if (document.querySelector("[data-again]") !== null) {
  const isIdle = () => document.activeElement === document.body && scrollY === 0;
  const again = setTimeout(() => isIdle() && location.reload(), 1500);
  addEventListener("beforeunload", () => clearTimeout(again));
}

// The filter of a long table; the list of results has it where there is no server to ask.
for (const field of document.querySelectorAll("input[data-filters]")) {
  const rows = document.querySelectorAll(`#${CSS.escape(field.dataset.filters)} tbody tr`);
  field.closest("p").hidden = false;
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
  });
}
