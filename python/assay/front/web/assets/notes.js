// The dialog for notes, on the live page and on the page of a result.

import { by } from "./web.js";

/** Opens the dialog for a note: a new one about `run` and `from_wall_ns`, or one that `replaces` another.
 * `about` says in words what a new one is about. */
export function openNote(values = {}, about = "") {
  by("note-about").textContent = about;
  const fields = by("note-form").querySelectorAll("[data-value]");
  for (const field of fields) field.value = values[field.name] ?? "";
  by("note-remove").hidden = values.replaces === undefined;
  by("note-error").textContent = "";
  by("note-dialog").showModal();
}

document.addEventListener("click", (event) => {
  const edits = event.target.closest("[data-note-edit]");
  if (edits === null) return;
  const text = edits.closest("li").querySelector(".text").textContent;
  openNote({ replaces: edits.dataset.noteEdit, text });
});
document.querySelector("#notes #note")?.addEventListener("click", () => openNote());
