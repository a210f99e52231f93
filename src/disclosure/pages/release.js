"use strict";
// Copies the numbers of one row of the tables to where the page shows them. It computes nothing but the lengths of bars.
(() => {
  const one = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const noise = one("#noise");
  const chance = one("#chance");

  // Copy the cells of a row into the places of the same names.
  function copy(row, into) {
    for (const place of all("[data-copy]", into)) {
      const cell = one(`[data-name="${place.dataset.copy}"]`, row);
      if (!cell) continue;
      const shown = cell.matches("data") ? [cell] : [...cell.childNodes];
      place.replaceChildren(...shown.map((node) => {
        const twin = node.cloneNode(true);
        if (twin.hidden) twin.hidden = false;
        return twin;
      }));
    }
  }

  // Noise in units of the sampling error, on one scale for all statistics; without a sampling error there is nothing to compare.
  function bars(rows) {
    const times = rows.map((row) => {
      const [error, sampling] = all("td data", row).slice(0, 2).map((cell) => Number(cell.value));
      return sampling > 0 ? error / sampling : NaN;
    });
    const largest = Math.max(1, ...times.filter((ratio) => ratio === ratio));
    rows.forEach((row, place) => {
      one(".noise", row).style.width = `${(100 * times[place]) / largest}%`;
      one(".sampling", row).style.width = `${100 / largest}%`;
      for (const bar of all(".bar", row)) bar.style.visibility = times[place] === times[place] ? "visible" : "hidden";
    });
  }

  function show() {
    const row = one(`#points tr[data-point="${noise.value}"][data-chance="${chance.value}"]`);
    copy(row, one("#result > p"));
    one("#mark").textContent = row.dataset.mark ? ` (${row.dataset.mark})` : "";
    one("#found").hidden = !one('[data-name="found"]', row).hasChildNodes();
    for (const statistic of all("#error tbody tr")) {
      const place = statistic.dataset.statistic;
      copy(one(`#errors tr[data-point="${noise.value}"][data-statistic="${place}"]`), statistic);
    }
    bars(all("#error tbody tr"));
    all("#exposed tbody tr").forEach((person, place) => copy(one(`[data-person="${place}"]`, row), person));
    for (const line of all(".line")) line.classList.toggle("chosen", line.dataset.chance === chance.value);
    one("#here").setAttribute("cx", row.dataset.x);
    one("#here").setAttribute("cy", row.dataset.y);
    for (const [slider, name] of [[noise, "noise"], [chance, "chance"]]) {
      const text = one(`[data-name="${name}"]`, row).textContent;
      one(`#${name}-now`).textContent = text;
      slider.setAttribute("aria-valuetext", text);
    }
    for (const other of all("#points tbody tr")) other.classList.toggle("elsewhere", other.dataset.chance !== chance.value);
  }

  document.documentElement.classList.add("scripted");
  one("#controls").addEventListener("submit", (event) => event.preventDefault());
  noise.addEventListener("input", show);
  chance.addEventListener("input", show);
  show();
})();
