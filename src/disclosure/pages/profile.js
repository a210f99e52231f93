"use strict";
// The formula of the package in the browser: B is a straight line between knots, and epsilon is log(B) over the number of factors.
(() => {
  const one = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const start = JSON.parse(one("#data").textContent);
  const knots = start.knots.map((knot) => [...knot]);
  const onScale = start.scale === "log" ? Math.log : (value) => value;

  function bound(ratio) {
    const last = knots.length - 1;
    if (ratio <= knots[0][0]) return knots[0][1];
    if (ratio >= knots[last][0]) return knots[last][1];
    const right = knots.findIndex(([place]) => place > ratio);
    const [[from, low], [to, high]] = [knots[right - 1], knots[right]];
    const value = low + ((high - low) / (onScale(to) - onScale(from))) * (onScale(ratio) - onScale(from));
    return Math.min(Math.max(value, Math.min(low, high)), Math.max(low, high));
  }

  const epsilonOf = (factor) => Math.log(factor) / start.factors;
  const epsilon = (ratio) => epsilonOf(bound(ratio));
  const smallest = () => knots.reduce((least, knot) => (knot[1] < least[1] ? knot : least));

  // Odds of somebody in the data: from what they are to what a release with an epsilon may make of them.
  function odds(q, q0, allowed) {
    const before = q / (1 - q);
    const factor = Math.exp(start.factors * allowed);
    return { ratio: (q * (1 - q0)) / ((1 - q) * q0), before, lower: before / factor, upper: before * factor };
  }

  // The largest number with so many decimals that is not above; a product may have been rounded across a whole number.
  function roundedDown(value) {
    const unit = 10 ** start.decimals;
    const whole = Math.floor(value * unit);
    return [whole + 1, whole, whole - 1].map((number) => number / unit).find((number) => number <= value);
  }

  // Places in the picture, as the axes of the package have them, and back.
  const logPlace = ({ low, high, start: from, end }, value) =>
    from + ((Math.log(Math.min(Math.max(value, low), high)) - Math.log(low)) / (Math.log(high) - Math.log(low))) * (end - from);
  const logValue = ({ low, high, start: from, end }, place) => Math.exp(Math.log(low) + ((place - from) / (end - from)) * (Math.log(high) - Math.log(low)));
  const linearPlace = ({ high, start: from, end }, value) => from + (Math.min(Math.max(value, 0), high) / high) * (end - from);

  const short = (value) => {
    const text = String(Number(value.toPrecision(4)));
    return Math.abs(value) >= 1e3 && Math.abs(value) < 1e9 ? Number(value.toPrecision(4)).toLocaleString("en") : text;
  };

  function write(place, value) {
    const cell = document.createElement("data");
    cell.value = String(value);
    cell.textContent = short(value);
    place.replaceChildren(cell);
  }

  function show() {
    const [place, factor] = smallest();
    const least = epsilonOf(factor);
    write(one("#least"), least);
    write(one("#rounded"), roundedDown(least));
    write(one("#strictest"), place);
    write(one("#strictest-bound"), factor);
    const grid = [...start.grid, ...knots.map((knot) => knot[0]).filter((value) => value > 0)].sort((a, b) => a - b);
    const points = (height) => grid.map((ratio) => `${logPlace(start.x, ratio)},${height(ratio)}`).join(" ");
    one("#bounds").setAttribute("points", points((ratio) => logPlace(start.bound, bound(ratio))));
    one("#epsilons").setAttribute("points", points((ratio) => linearPlace(start.epsilon, epsilon(ratio))));
    for (const end of ["y1", "y2"]) one("#level").setAttribute(end, linearPlace(start.epsilon, least));
    all(".knot").forEach((knot, index) => {
      const [ratio, value] = knots[index];
      knot.setAttribute("cx", logPlace(start.x, ratio));
      knot.setAttribute("cy", logPlace(start.bound, value));
      knot.setAttribute("aria-valuenow", value);
      knot.setAttribute("aria-valuetext", `P10 ${short(ratio)}, B ${short(value)}`);
    });
    all("#table tbody tr").forEach((row, index) => {
      const cells = all("td", row);
      [knots[index][0], knots[index][1], epsilonOf(knots[index][1])].forEach((value, column) => write(cells[column], value));
    });
    for (const row of all("#adversaries tbody tr")) {
      const cells = all("td", row);
      const ratio = row.dataset.adversary === "any" ? place : Number(one("data", cells[0]).value);
      [ratio, bound(ratio), epsilon(ratio)].forEach((value, column) => write(cells[column], value));
    }
    one("#yaml").textContent = `scale: ${start.scale}, knots: [${knots.map((knot) => `[${knot.join(", ")}]`).join(", ")}]`;
    showOdds(least);
  }

  function showOdds(least) {
    const [q, q0] = [Number(one("#q").value), Number(one("#q0").value)];
    const inside = [q, q0].every((value) => value > 0 && value < 1);
    one("#odds").hidden = !inside;
    if (!inside) return;
    const found = odds(q, q0, least);
    const shown = { place: found.ratio, epsilon: epsilon(found.ratio), least, before: found.before, lower: found.lower, upper: found.upper };
    for (const [name, value] of Object.entries(shown)) write(one(`#own-${name}`), value);
    write(one("#own-hundred"), 100 * q);
    write(one("#own-most"), (100 * found.upper) / (1 + found.upper));
  }

  // Put a knot elsewhere: between its neighbours, at a factor of 1 or more, and at digits that can be read.
  function move(index, ratio, value) {
    const digits = (number) => Number(number.toPrecision(3));
    const left = index > 0 ? knots[index - 1][0] * 1.02 : start.x.low;
    const right = index < knots.length - 1 ? knots[index + 1][0] / 1.02 : start.x.high;
    // A knot at 0 stands for the limit, and stays there.
    const place = knots[index][0] === 0 ? 0 : digits(Math.min(Math.max(ratio, left, start.x.low), right));
    const between = (index === 0 || place > knots[index - 1][0]) && (index === knots.length - 1 || place < knots[index + 1][0]);
    knots[index] = [between ? place : knots[index][0], digits(Math.min(Math.max(value, 1), start.bound.high))];
    show();
  }

  const picture = one("#picture");
  all(".knot").forEach((knot, index) => {
    knot.addEventListener("pointerdown", (event) => {
      knot.setPointerCapture(event.pointerId);
      event.preventDefault();
      knot.focus();
    });
    knot.addEventListener("pointermove", (event) => {
      if (!knot.hasPointerCapture(event.pointerId)) return;
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
      move(index, logValue(start.x, at.x), logValue(start.bound, at.y));
    });
    knot.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [1 / 1.1, 1], ArrowRight: [1.1, 1], ArrowUp: [1, 1.05], ArrowDown: [1, 1 / 1.05] }[event.key];
      if (!step) return;
      event.preventDefault();
      move(index, knots[index][0] * step[0], knots[index][1] * step[1]);
    });
  });
  for (const name of ["q", "q0"]) one(`#${name}`).addEventListener("input", show);
  one("#adversary").addEventListener("submit", (event) => event.preventDefault());
  document.documentElement.classList.add("scripted");
  // For whoever wants to ask the page itself.
  window.profile = { bound, epsilon, odds, smallest, roundedDown, knots };
  show();
})();
