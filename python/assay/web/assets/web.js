// What pages can do beyond links: sort tables, open the list of keys, keep the terminal's token.

const keys = document.getElementById("keys");
const writes = (node) => node.closest("input, select, textarea, [contenteditable]") !== null;

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || writes(event.target)) return;
  if (event.key === "?") {
    event.preventDefault();
    keys.showModal();
  } else if (event.key === "/") {
    const search = document.querySelector("input[type=search]");
    if (search === null) return;
    event.preventDefault();
    search.focus();
  }
});

// The address that the terminal prints ends in #token=…, which no server ever sees. It is kept for this tab.
const given = /^#token=([\w-]+)$/.exec(location.hash);
if (given) {
  sessionStorage.setItem("assay-token", given[1]);
  history.replaceState(null, "", location.pathname + location.search);
}

/** Asks the server for a change; answers with the response. Fails with 401 where the tab has no token. */
export function change(path, content) {
  return fetch(path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-assay-token": sessionStorage.getItem("assay-token") ?? "",
    },
    body: JSON.stringify(content),
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

// On a page without a server, the filter of a list works here.
for (const field of document.querySelectorAll("input[data-filters]")) {
  const rows = [...document.getElementById(field.dataset.filters).tBodies[0].rows];
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
  });
}
