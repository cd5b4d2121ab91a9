"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const at = (id) => document.getElementById(id);
  const total = data.items.length;
  const choices = [...document.querySelectorAll("[data-answer]")];
  const rightToLeft = document.documentElement.dir === "rtl";

  let answers = {};      // item id -> answer
  let comments = {};     // item id -> comment
  let position = 0;      // index of the pair that is shown
  let keeps = true;      // whether the browser stores anything for this page
  let changed = false;   // whether there is something that no saved file holds

  const idOf = (index) => data.items[index][0];
  const isAnswered = (index) => idOf(index) in answers;
  const answered = () => data.items.filter((item) => item[0] in answers).length;
  const { fill } = sheet;

  // ---- what the browser keeps

  const known = new Set(data.items.map((item) => item[0]));
  const texts = (found, allowed) =>
    Object.fromEntries(Object.entries(found || {}).filter(([id, text]) => known.has(id) && allowed(text)));

  function restore() {
    const found = sheet.restore(data.key);
    const stored = found.stored;
    keeps = found.keeps;
    if (!stored) return;
    answers = texts(stored.answers, (text) => data.answers.includes(text));
    comments = texts(stored.comments, (text) => typeof text === "string" && text !== "");
    position = Number.isInteger(stored.position) ? Math.min(Math.max(stored.position, 0), total - 1) : 0;
    changed = stored.changed === true;
  }

  function keep() {
    keeps = sheet.keep(data.key, { answers, comments, position, changed });
    showKept();
  }

  function showKept() {
    at("kept").hidden = !keeps;
    at("not-kept").hidden = keeps;
    at("lost").hidden = keeps;
  }

  // ---- what is shown

  function show(focus) {
    const [id, first, second] = data.items[position];
    at("heading").textContent = fill(data.text.pair, { n: position + 1, total });
    at("first").textContent = first;
    at("second").textContent = second;
    at("comment").value = comments[id] || "";
    at("jump").selectedIndex = position;
    // Not disabled, so that the focus does not vanish with the button.
    at("previous").setAttribute("aria-disabled", String(position === 0));
    at("next").setAttribute("aria-disabled", String(position === total - 1));
    showAnswers();
    if (focus) {
      at("heading").focus({ preventScroll: true });
      scrollTo(0, 0);
    }
  }

  function showAnswers() {
    const n = answered();
    for (const choice of choices) {
      choice.setAttribute("aria-pressed", String(answers[idOf(position)] === choice.dataset.answer));
    }
    at("count").textContent = fill(data.text.answered, { n, total });
    at("bar").value = n;
    at("unanswered").setAttribute("aria-disabled", String(n === total));
    at("done").hidden = n < total;
    nameOption(position);
  }

  function nameOption(index) {
    at("jump").options[index].textContent = `${index + 1}: ${answers[idOf(index)] || "–"}`;
  }

  function turn(working) {
    at("intro").hidden = working;
    at("work").hidden = !working;
    at("begin").textContent = answered() ? data.text.resume : data.text.begin;
    if (working) show(true);
    else scrollTo(0, 0);
  }

  // ---- what the annotator does

  function answer(value) {
    const id = idOf(position);
    if (answers[id] === value) delete answers[id];
    else answers[id] = value;
    changed = true;
    at("saved").hidden = true;
    keep();
    showAnswers();
  }

  function go(index) {
    if (index < 0 || index >= total) return;
    position = index;
    keep();
    show(true);
  }

  function nextUnanswered() {
    for (let step = 1; step <= total; step += 1) {
      const index = (position + step) % total;
      if (!isAnswered(index)) return go(index);
    }
  }

  function rows() {
    return data.items.map(([id, first, second]) =>
      [id, first, second, answers[id] || "", comments[id] || "", data.annotator]);
  }

  function save() {
    sheet.save(data.file, [data.columns, ...rows()]);
    changed = false;
    keep();
    at("saved").textContent = fill(data.text.saved, { file: data.file });
    at("saved").hidden = false;
  }

  // ---- wiring

  for (const choice of choices) choice.addEventListener("click", () => answer(choice.dataset.answer));
  at("previous").addEventListener("click", () => go(position - 1));
  at("next").addEventListener("click", () => go(position + 1));
  at("unanswered").addEventListener("click", nextUnanswered);
  at("jump").addEventListener("change", (event) => go(event.target.selectedIndex));
  at("save").addEventListener("click", save);
  at("begin").addEventListener("click", () => turn(true));
  at("again").addEventListener("click", () => turn(false));
  at("comment").addEventListener("input", (event) => {
    const text = event.target.value;
    if (text) comments[idOf(position)] = text;
    else delete comments[idOf(position)];
    changed = true;
    at("saved").hidden = true;
    keep();
  });

  addEventListener("keydown", (event) => {
    const field = event.target.closest("input, select, textarea");
    if (at("work").hidden || field || event.ctrlKey || event.altKey || event.metaKey) return;
    const number = ["1", "2", "3"].indexOf(event.key);
    const forward = rightToLeft ? "ArrowLeft" : "ArrowRight";
    if (number >= 0) {
      if (!event.repeat) answer(data.answers[number]);
    } else if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      go(position + (event.key === forward ? 1 : -1));
    } else return;
    event.preventDefault();
  });

  // The same page in another window.
  addEventListener("storage", (event) => {
    if (event.key !== data.key || !event.newValue) return;
    const here = position;
    restore();
    position = here;
    data.items.forEach((item, index) => nameOption(index));
    show(false);
  });

  // Leaving loses answers that the browser does not keep; and finished work should not be forgotten in the browser.
  addEventListener("beforeunload", (event) => {
    if (changed && (!keeps || answered() === total)) event.preventDefault();
  });

  data.items.forEach(() => at("jump").append(document.createElement("option")));
  restore();
  data.items.forEach((item, index) => nameOption(index));
  at("bar").max = total;
  showKept();
  turn(false);
  at("begin").hidden = false;
})();
