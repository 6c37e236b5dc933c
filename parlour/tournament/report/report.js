
"use strict";
{
  const all = (what, inside = document) => [...inside.querySelectorAll(what)];
  const one = (name) => document.getElementById(name);

  /* light or dark */
  const root = document.documentElement;
  one("theme").addEventListener("click", () => {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const now = root.dataset.theme ?? (dark ? "dark" : "light");
    root.dataset.theme = now === "dark" ? "light" : "dark";
  });

  /* sort a table by a column; a second press turns it round */
  const valueOf = (row, at) => row.cells[at].dataset.value;
  function sort(table, heading) {
    const at = heading.cellIndex;
    const numbers = heading.classList.contains("number") || !Number.isNaN(Number(valueOf(table.tBodies[0].rows[0], at) || NaN));
    const first = numbers && at > 0 ? "descending" : "ascending";
    const second = first === "ascending" ? "descending" : "ascending";
    const order = heading.getAttribute("aria-sort") === first ? second : first;
    const sign = order === "ascending" ? 1 : -1;
    const compare = numbers
      ? (a, b) => Number(valueOf(a, at)) - Number(valueOf(b, at)) || 0
      : (a, b) => valueOf(a, at).localeCompare(valueOf(b, at), undefined, { numeric: true });
    for (const other of all("th[aria-sort]", table.tHead)) other.setAttribute("aria-sort", "none");
    heading.setAttribute("aria-sort", order);
    table.tBodies[0].append(...[...table.tBodies[0].rows].sort((a, b) => sign * compare(a, b)));
  }
  for (const button of all("th[aria-sort] button"))
    button.addEventListener("click", () => sort(button.closest("table"), button.closest("th")));

  /* follow a player: everything else steps back */
  const follow = one("follow");
  function showFollowed() {
    document.body.classList.toggle("following", follow.value !== "");
    for (const part of all("[data-p]"))
      part.classList.toggle("chosen", follow.value !== "" && part.dataset.p.split(" ").includes(follow.value));
    for (const button of all(".follow"))
      button.setAttribute("aria-pressed", String(button.dataset.follow === follow.value));
  }
  for (const part of all("[data-p='']")) part.removeAttribute("data-p");
  if (follow) {
    follow.addEventListener("change", showFollowed);
    for (const button of all(".follow"))
      button.addEventListener("click", () => {
        follow.value = follow.value === button.dataset.follow ? "" : button.dataset.follow;
        showFollowed();
      });
    showFollowed();
  }

  /* the heat map: one field can be reached with Tab, the others with the arrow keys */
  const heat = one("heat");
  if (heat) {
    const fields = all("td[data-verdict]", heat);
    const steps = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
    function tell(field) {
      const verdict = document.createElement("b");
      verdict.textContent = field.dataset.verdict;
      one("found").replaceChildren(verdict, field.dataset.more);
      for (const other of fields) other.tabIndex = other === field ? 0 : -1;
    }
    function move(event, field) {
      const step = steps[event.key];
      if (!step) return;
      event.preventDefault();
      let row = field.parentElement.rowIndex, column = field.cellIndex, next = null;
      do {
        row += step[0];
        column += step[1];
        next = heat.rows[row]?.cells[column];
      } while (next && !next.dataset.verdict);
      next?.focus();
    }
    for (const field of fields) {
      field.tabIndex = field === fields[0] ? 0 : -1;
      field.addEventListener("focus", () => tell(field));
      field.addEventListener("mouseenter", () => tell(field));
      field.addEventListener("click", () => field.focus());
      field.addEventListener("keydown", (event) => move(event, field));
    }
  }

  /* only pairs that are not decided */
  one("undecided")?.addEventListener("change", (event) => {
    for (const row of event.target.closest("section").querySelectorAll("table:not(.heat) tbody tr"))
      row.classList.toggle("filtered", event.target.checked && row.querySelector(".decided") !== null);
  });

  /* ratings at a moment */
  const plot = one("plot");
  if (plot) {
    const looks = JSON.parse(one("looks").textContent);
    const last = looks.length - 1;
    const cross = plot.querySelector(".cross");
    const signed = (value) => (value === null ? "?" : (value < 0 ? "\u2212" : "+") + Math.abs(value).toLocaleString("en"));
    function show(at) {
      const look = looks[at];
      const when = `after ${look.matches.toLocaleString("en")} matches`;
      cross.hidden = at === last;
      cross.style.left = `${(100 * look.matches) / looks[last].matches}%`;
      one("when").textContent = when;
      plot.setAttribute("aria-valuenow", at);
      plot.setAttribute("aria-valuetext", when);
      for (const button of all(".follow")) {
        const [rating, low, high] = look.ratings[button.dataset.follow];
        const range = low === null ? "" : ` (${signed(low)} to ${signed(high)})`;
        button.querySelector("output").textContent = signed(rating) + (at === last ? "" : range);
      }
    }
    const now = () => Number(plot.getAttribute("aria-valuenow"));
    plot.addEventListener("pointermove", (event) => {
      const box = plot.getBoundingClientRect();
      const played = ((event.clientX - box.left) / box.width) * looks[last].matches;
      let nearest = 0;
      for (let at = 0; at <= last; at++)
        if (Math.abs(looks[at].matches - played) < Math.abs(looks[nearest].matches - played)) nearest = at;
      show(nearest);
    });
    plot.addEventListener("pointerleave", () => show(last));
    plot.addEventListener("keydown", (event) => {
      const to = { ArrowLeft: now() - 1, ArrowDown: now() - 1, ArrowRight: now() + 1, ArrowUp: now() + 1, Home: 0, End: last }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      show(Math.max(0, Math.min(last, to)));
    });
  }

  /* copy a command */
  for (const button of all("[data-copy]"))
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(button.dataset.copy);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(button.previousElementSibling);
        button.textContent = "Selected";
      }
      setTimeout(() => (button.textContent = "Copy"), 2000);
    });
}
