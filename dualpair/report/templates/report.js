"use strict";
// What is read on demand only: the page is shown before its data are parsed.
const load = (() => {
  let found = null;
  return () => (found ??= JSON.parse(document.getElementById("data").textContent));
})();

// The methods text to the clipboard; where the browser gives no clipboard, the text is selected instead.
(() => {
  const [button, status] = ["copy", "copied"].map((id) => document.getElementById(id));
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(load().methods);
      status.textContent = "Copied.";
    } catch {
      getSelection().selectAllChildren(document.getElementById("methods-text"));
      status.textContent = "This browser does not let the page copy; the text is selected.";
    }
  });
})();

// Paper shows what the screen folds away, but for the explorer and long tables, which are better read in their files.
(() => {
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open], .long)")];
    for (const details of opened) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of opened) details.open = false;
  });
})();

// The explorer.
(() => {
  const PAGE = 25;
  const reveal = document.getElementById("reveal");
  if (!reveal) return;
  let data;
  const area = document.getElementById("sets");
  const filters = document.getElementById("filters");
  const [head, body] = ["thead tr", "tbody"].map((part) => document.querySelector(`#list ${part}`));
  const pager = document.getElementById("pager");

  // Elements are built, never parsed from text: a sentence cannot become markup.
  const make = (tag, properties = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
      if (name === "class") element.className = value;
      else if (value !== null && value !== undefined) element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
  };
  const symbol = (name, sub) => make("span", {}, name, make("sub", {}, sub));
  const number = (value) => {
    if (value === null || value === undefined) return "–";
    if (value === 0) return "0";
    return value.toPrecision(4).replaceAll("-", "−").replace("e+", "e");
  };
  const sentence = (set, group, text) => {
    const joiner = data.langs[set.lang].joiner;
    return make("span", { lang: set.lang, dir: "auto" }, group + joiner + text + set.mark);
  };

  // Packed numbers (dualpair/report/explorer.py): of each variant x_0, y_0, B_G and B_G_alt per contrast, and its flags.
  const MEASURED = 1, CONTRADICTION = 2, FLIP = 4, TIE = 8;
  const bytes = (text) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const logistic = (value) => (value >= 0 ? 1 / (1 + Math.exp(-value)) : Math.exp(value) / (1 + Math.exp(value)));

  // Mean over the groups of KL(Bern(q) || Bern(mean q)) in bits, of the logits of q; log1p keeps the digits of small I.
  function information(logits) {
    const divergence = (part) => {
      const middle = mean(part);
      return part.map((value) => (value === 0 ? 0 : value * Math.log1p((value - middle) / middle)));
    };
    const [yes, no] = [divergence(logits.map(logistic)), divergence(logits.map((value) => logistic(-value)))];
    return Math.max(0, mean(yes.map((value, g) => value + no[g])) / Math.LN2);
  }

  // One variant under one model: everything that the page shows of it.
  function unpack(values, flags, index, start, size) {
    if (!(flags[index] & MEASURED)) return null;
    const [x0, y0] = [values[start], values[start + 1]];
    const bG = Array.from(values.subarray(start + 2, start + 1 + size));
    const bAlt = Array.from(values.subarray(start + 1 + size, start + 2 * size));
    const bGxA = bG.map((value, j) => value - bAlt[j]);
    const logits = [x0 - y0, ...bGxA.map((value) => x0 - y0 - value)];
    return {
      x: [x0, ...bG.map((value) => x0 - value)], y: [y0, ...bAlt.map((value) => y0 - value)], q: logits.map(logistic),
      bG, bAlt, bGxA, strength: mean(bGxA.map(Math.abs)), information: information(logits),
      contradiction: Boolean(flags[index] & CONTRADICTION), flip: Boolean(flags[index] & FLIP), tie: Boolean(flags[index] & TIE),
    };
  }

  // One row per set and model that measured it; means over the instances (contrasts and variants) as in set_measures.
  function rowsOf(model) {
    const flags = bytes(model.flags);
    const values = new Float32Array(bytes(model.values).buffer);
    let [index, start] = [0, 0];
    return data.sets.flatMap((set) => {
      const size = set.groups.length;
      const first = { index, start };
      const found = set.variants.map(() => {
        const variant = unpack(values, flags, index, start, size);
        [index, start] = [index + 1, start + 2 * size];
        return variant;
      });
      const known = found.filter(Boolean);
      if (!known.length) return [];
      const signed = known.map((variant) => mean(variant.bGxA));
      const middle = mean(signed);
      const original = set.variants[0][0] === "v0" ? found[0] : null;
      return [{
        set, model: model.name, n: known.length, b: middle, strength: mean(known.map((variant) => variant.strength)),
        information: mean(known.map((variant) => variant.information)),
        spread: known.length < 2 ? null : Math.sqrt(signed.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (known.length - 1)),
        outcome: !original ? "" : original.flip ? "flip" : original.contradiction ? "contradiction" : "neither",
        variants: () => set.variants.map((_, i) => unpack(values, flags, first.index + i, first.start + 2 * size * i, size)),
      }];
    });
  }

  const outcomeText = { "": "no original pair", flip: "flip", contradiction: "contradiction", neither: "–" };
  const outcomeOrder = { "": -1, neither: 0, contradiction: 1, flip: 2 };

  const columnsOf = () => [
    { key: "set", label: "Set", title: () => "Set", value: (row) => row.set.id, cell: opener },
    { key: "lang", label: "Language", title: () => "Language", value: (row) => row.set.lang, cell: (row) => data.langs[row.set.lang].name },
    { key: "type", label: "Bias type", title: () => "Bias type", value: (row) => row.set.type, cell: (row) => row.set.type },
    { key: "model", label: "Model", title: () => "Model", value: (row) => row.model, cell: (row) => row.model },
    { key: "pairs", label: "Pairs", title: () => "Pairs", value: (row) => row.n, cell: (row) => String(row.n), num: true },
    { key: "b", label: `B_G×A (${data.unit})`, title: () => symbol("B", "G×A"), value: (row) => row.b, cell: (row) => number(row.b), num: true },
    { key: "strength", label: `|B_G×A| (${data.unit})`, title: () => make("span", {}, "|", symbol("B", "G×A"), "|"), value: (row) => row.strength, cell: (row) => number(row.strength), num: true },
    { key: "i", label: "I_G×A (bits)", title: () => symbol("I", "G×A"), value: (row) => row.information, cell: (row) => number(row.information), num: true },
    { key: "spread", label: `Disagreement (${data.unit})`, title: () => "Disagreement", value: (row) => row.spread ?? -1, cell: (row) => number(row.spread), num: true },
    { key: "outcome", label: "Original pair", title: () => "Original pair", value: (row) => outcomeOrder[row.outcome], cell: tag, num: true },
  ];
  const state = { page: 0, sort: "set", down: false, shown: [] };
  let [rows, columns] = [[], []];

  function tag(row) {
    if (row.outcome === "neither") return "–";
    return make("span", { class: row.outcome ? "tag hit" : "tag" }, outcomeText[row.outcome]);
  }

  function opener(row) {
    const text = row.set.original || "";
    const shown = text ? make("span", { lang: row.set.lang, dir: "auto" }, text) : sentence(row.set, row.set.groups[0], row.set.variants[0][1]);
    const button = make("button", { type: "button", class: "opener", "aria-expanded": "false" },
      make("span", {}, make("span", { class: "id" }, row.set.id), shown));
    button.addEventListener("click", () => toggle(button, row));
    return button;
  }

  function toggle(button, row) {
    const line = button.closest("tr");
    const open = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!open));
    if (open) line.nextElementSibling.remove();
    else line.after(make("tr", { class: "detail" }, make("td", { colspan: columns.length }, ...pairs(row))));
  }

  function pairs(row) {
    const measured = row.variants();
    return row.set.variants.map((variant, index) => {
      const found = measured[index];
      const name = variant[0] === "v0" ? "Original attribute" : "Paraphrase";
      const title = make("h3", {}, name, make("span", { class: "id" }, variant[0]));
      if (!found) return make("div", { class: "pair" }, title, make("p", { class: "short" }, "Not measured: a sentence of this pair could not be scored."));
      const { x, y, q, bG, bAlt, bGxA } = found;
      if (found.contradiction) title.append(make("span", { class: "tag hit" }, found.flip ? "flip" : "contradiction"));
      if (found.tie) title.append(make("span", { class: "tag" }, "tie"));
      const lines = row.set.groups.map((group, g) => make("tr", {},
        make("th", { scope: "row" }, sentence(row.set, group, variant[1])), numeric(number(x[g])),
        make("td", {}, sentence(row.set, group, variant[2])), numeric(number(y[g])), numeric(number(q[g])),
        ...[bG, bAlt, bGxA].map((list) => numeric(g === 0 ? "" : number(list[g - 1])))));
      const headings = [["Attribute"], ["x", true], ["Alternate"], ["y", true], ["q", true], [symbol("B", "G"), true], [symbol("B", "G,alt"), true], [symbol("B", "G×A"), true]];
      const table = make("table", {},
        make("thead", {}, make("tr", {}, ...headings.map(([label, num]) => make("th", { scope: "col", class: num ? "num" : null }, label)))),
        make("tbody", {}, ...lines));
      return make("div", { class: "pair" }, title,
        make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Scores of ${row.set.id}, ${row.set.lang}, ${variant[0]} under ${row.model}` }, table),
        make("p", {}, symbol("I", "G×A"), ` = ${number(found.information)} bits, mean |`, symbol("B", "G×A"), `| = ${number(found.strength)} ${data.unit}`));
    });
  }
  const numeric = (content) => make("td", { class: "num" }, content);

  function order(a, b) {
    const column = columns.find((entry) => entry.key === state.sort);
    const [one, other] = [column.value(a), column.value(b)];
    const compared = one < other ? -1 : one > other ? 1 : 0;
    return state.down ? -compared : compared;
  }

  function apply() {
    const want = Object.fromEntries(new FormData(filters));
    const text = want.text.trim().toLowerCase();
    state.shown = rows.filter((row) =>
      (!want.lang || row.set.lang === want.lang) && (!want.type || row.set.type === want.type) &&
      (!want.model || row.model === want.model) && (!text || row.set.search.includes(text)) &&
      (!want.outcome || row.outcome === want.outcome || (want.outcome === "contradiction" && row.outcome === "flip")));
    state.shown.sort(order);
    state.page = 0;
    draw();
  }

  function draw() {
    const pages = Math.max(1, Math.ceil(state.shown.length / PAGE));
    const shown = state.shown.slice(state.page * PAGE, (state.page + 1) * PAGE);
    const sets = new Set(state.shown.map((row) => row.set)).size;
    document.getElementById("count").textContent = state.shown.length
      ? `${sets} of ${data.sets.length} sets, ${state.shown.length} ${state.shown.length === 1 ? "row" : "rows"} (one per set and model)`
      : "No set fits these filters.";
    body.replaceChildren(...shown.map((row) => make("tr", {}, ...columns.map((column) =>
      make("td", { class: column.num ? "num" : column.key === "set" ? "lead-cell" : null, "data-label": column.label }, column.cell(row))))));
    for (const cell of head.children) {
      const active = cell.dataset.key === state.sort;
      if (active) cell.setAttribute("aria-sort", state.down ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    }
    filters.elements.sort.value = `${state.sort} ${state.down ? "down" : "up"}`;
    pager.querySelector("span").textContent = `Page ${state.page + 1} of ${pages}`;
    pager.hidden = pages === 1;
    for (const button of pager.querySelectorAll("button")) {
      const target = state.page + Number(button.dataset.step);
      button.disabled = target < 0 || target >= pages;
    }
  }

  function fill(name, values, label = (value) => value) {
    for (const value of [...new Set(values)].sort()) filters.elements[name].append(make("option", { value }, label(value)));
  }

  function start() {
    data = load();
    [rows, columns] = [data.models.flatMap(rowsOf), columnsOf()];
    for (const set of data.sets) {
      const words = [set.id, set.type, set.original, ...set.groups, ...set.variants.flat()];
      set.search = words.join("\n").toLowerCase();
    }
    fill("lang", data.sets.map((set) => set.lang), (code) => data.langs[code].name);
    fill("type", data.sets.map((set) => set.type));
    fill("model", data.models.map((model) => model.name));
    for (const column of columns) {
      const button = make("button", { type: "button" }, column.title());
      button.addEventListener("click", () => {
        state.down = state.sort === column.key ? !state.down : Boolean(column.num);
        state.sort = column.key;
        apply();
      });
      head.append(make("th", { scope: "col", class: column.num ? "num" : null, "data-key": column.key }, button));
      for (const [direction, mark] of [["up", "↑"], ["down", "↓"]]) {
        filters.elements.sort.append(make("option", { value: `${column.key} ${direction}` }, `${column.label} ${mark}`));
      }
    }
    filters.addEventListener("submit", (event) => event.preventDefault());
    filters.addEventListener("input", (event) => {
      if (event.target.name === "sort") {
        const [key, direction] = event.target.value.split(" ");
        [state.sort, state.down] = [key, direction === "down"];
      }
      apply();
    });
    filters.addEventListener("reset", () => {
      [state.sort, state.down] = ["set", false];
      setTimeout(apply);
    });
    for (const button of pager.querySelectorAll("button")) {
      button.addEventListener("click", () => {
        state.page += Number(button.dataset.step);
        draw();
        filters.scrollIntoView({ block: "start" });
      });
    }
    apply();
  }

  let started = false;
  reveal.addEventListener("click", () => {
    const open = area.hidden;
    if (open && !started) { started = true; start(); }
    area.hidden = !open;
    reveal.setAttribute("aria-expanded", String(open));
    reveal.textContent = open ? "Hide sets" : "Show sets";
  });
})();
