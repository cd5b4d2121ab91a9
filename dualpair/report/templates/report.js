"use strict";
(() => {
  const PAGE = 25;
  const reveal = document.getElementById("reveal");
  if (!reveal) return;
  const data = JSON.parse(document.getElementById("data").textContent);
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

  // One row per set and model that measured it.
  const rows = data.models.flatMap((model) =>
    model.rows.flatMap((found, index) => (found ? [{ set: data.sets[index], model: model.name, ...found }] : [])));
  for (const set of data.sets) {
    const words = [set.id, set.type, set.original, ...set.groups, ...set.variants.flat()];
    set.search = words.join("\n").toLowerCase();
  }
  const outcome = (row) => (row.c === null ? "" : row.f ? "flip" : row.c ? "contradiction" : "neither");
  const outcomeText = { "": "no original pair", flip: "flip", contradiction: "contradiction", neither: "–" };
  const outcomeOrder = { "": -1, neither: 0, contradiction: 1, flip: 2 };

  const columns = [
    { key: "set", label: "Set", title: () => "Set", value: (row) => row.set.id, cell: opener },
    { key: "lang", label: "Language", title: () => "Language", value: (row) => row.set.lang, cell: (row) => data.langs[row.set.lang].name },
    { key: "type", label: "Bias type", title: () => "Bias type", value: (row) => row.set.type, cell: (row) => row.set.type },
    { key: "model", label: "Model", title: () => "Model", value: (row) => row.model, cell: (row) => row.model },
    { key: "pairs", label: "Pairs", title: () => "Pairs", value: (row) => row.n, cell: (row) => String(row.n), num: true },
    { key: "bg", label: `B_G (${data.unit})`, title: () => symbol("B", "G"), value: (row) => row.m[0], cell: (row) => number(row.m[0]), num: true },
    { key: "bgxa", label: `B_G×A (${data.unit})`, title: () => symbol("B", "G×A"), value: (row) => row.m[2], cell: (row) => number(row.m[2]), num: true },
    { key: "i", label: "I_G×A (bits)", title: () => symbol("I", "G×A"), value: (row) => row.m[4], cell: (row) => number(row.m[4]), num: true },
    { key: "outcome", label: "Original pair", title: () => "Original pair", value: (row) => outcomeOrder[outcome(row)], cell: tag, num: true },
  ];
  const state = { page: 0, sort: "set", down: false, shown: rows };

  function tag(row) {
    const kind = outcome(row);
    if (kind === "neither") return "–";
    return make("span", { class: kind ? "tag hit" : "tag" }, outcomeText[kind]);
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
    return row.set.variants.map((variant, index) => {
      const found = row.v[index];
      const name = variant[0] === "v0" ? "Original attribute" : "Paraphrase";
      const title = make("h4", {}, name, make("span", { class: "id" }, variant[0]));
      if (!found) return make("div", { class: "pair" }, title, make("p", { class: "short" }, "Not measured: a sentence of this pair could not be scored."));
      const [x, y, q, bG, bAlt, bGxA, information, contradiction, flip, tie] = found;
      if (flip || contradiction) title.append(make("span", { class: "tag hit" }, flip ? "flip" : "contradiction"));
      if (tie) title.append(make("span", { class: "tag" }, "tie"));
      const strength = bGxA.reduce((sum, value) => sum + Math.abs(value), 0) / bGxA.length;
      const lines = row.set.groups.map((group, g) => make("tr", {},
        make("td", {}, sentence(row.set, group, variant[1])), numeric(number(x[g])),
        make("td", {}, sentence(row.set, group, variant[2])), numeric(number(y[g])), numeric(number(q[g])),
        ...[bG, bAlt, bGxA].map((list) => numeric(g === 0 ? "" : number(list[g - 1])))));
      const headings = [["Attribute"], ["x", true], ["Alternate"], ["y", true], ["q", true], [symbol("B", "G"), true], [symbol("B", "G,alt"), true], [symbol("B", "G×A"), true]];
      const table = make("table", {},
        make("thead", {}, make("tr", {}, ...headings.map(([label, num]) => make("th", { scope: "col", class: num ? "num" : null }, label)))),
        make("tbody", {}, ...lines));
      return make("div", { class: "pair" }, title,
        make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Scores of ${name.toLowerCase()} ${variant[0]}` }, table),
        make("p", {}, symbol("I", "G×A"), ` = ${number(information)} bits, mean |`, symbol("B", "G×A"), `| = ${number(strength)} ${data.unit}`));
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
      (!want.outcome || outcome(row) === want.outcome || (want.outcome === "contradiction" && row.c === 1)));
    state.shown.sort(order);
    state.page = 0;
    draw();
  }

  function draw() {
    const pages = Math.max(1, Math.ceil(state.shown.length / PAGE));
    const shown = state.shown.slice(state.page * PAGE, (state.page + 1) * PAGE);
    const sets = new Set(state.shown.map((row) => row.set)).size;
    document.getElementById("count").textContent = state.shown.length
      ? `${sets} of ${data.sets.length} sets, ${state.shown.length} rows (one per set and model)`
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
