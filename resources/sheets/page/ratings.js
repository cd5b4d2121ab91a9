(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const at = (id) => document.getElementById(id);
  const { fill } = sheet;
  const pages = data.pages;
  const items = pages.flatMap((page) => page.items);
  const START = 50;

  let answers = {};      // item id -> whole number; what nobody has set is not in it
  let position = 0;      // index of the page that is shown; pages.length: all are done
  let warned = false;    // whether the annotator has been told that this page is not complete
  let keeps = true;      // whether the browser stores anything for this page
  let changed = false;   // whether there is something that no saved file holds

  const done = () => position === pages.length;
  const open = () => (done() ? 0 : pages[position].items.filter((item) => !(item.id in answers)).length);

  // ---- what the browser keeps

  function restore() {
    const { stored, keeps: able } = sheet.restore(data.key);
    keeps = able;
    if (!stored) return;
    answers = {};
    for (const item of items) {
      const value = (stored.answers || {})[item.id];
      if (Number.isInteger(value) && value >= item.least && value <= item.most) answers[item.id] = value;
    }
    position = Number.isInteger(stored.position) ? Math.min(Math.max(stored.position, 0), pages.length) : 0;
    changed = stored.changed === true;
  }

  function keep() {
    keeps = sheet.keep(data.key, { answers, position, changed });
    showKept();
  }

  function showKept() {
    at("kept").hidden = !keeps;
    at("not-kept").hidden = keeps;
    at("lost").hidden = keeps;
  }

  // ---- what is shown

  function slider(item) {
    const node = at("slider").content.firstElementChild.cloneNode(true);
    const [input, output, clear] = ["input", "output", "button"].map((name) => node.querySelector(name));
    const pair = `${item.left} (${item.least}) – ${item.right} (${item.most})`;
    node.querySelector(".left").textContent = item.left;
    node.querySelector(".right").textContent = item.right;
    input.id = item.id;
    input.setAttribute("aria-label", pair);
    // Said too where a screen reader reads the slider's own number: a slider without an answer stands at 50.
    output.id = item.id + "-value";
    input.setAttribute("aria-describedby", output.id);
    clear.setAttribute("aria-label", fill(data.text.clear, { pair }));

    function show() {
      const given = item.id in answers;
      const text = given ? fill(data.text.value, { n: answers[item.id] }) : data.text.none;
      node.classList.toggle("open", !given);
      input.value = given ? answers[item.id] : START;
      input.setAttribute("aria-valuetext", text);
      output.textContent = text;
    }
    function set(value) {
      if (value === null) delete answers[item.id];
      else answers[item.id] = value;
      show();
      noted();
    }
    input.addEventListener("input", () => set(input.valueAsNumber));
    // A click on the middle changes no value, and is an answer all the same.
    input.addEventListener("click", () => { if (!(item.id in answers)) set(input.valueAsNumber); });
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") set(input.valueAsNumber);
      else if (event.key === "Delete" || event.key === "Backspace") set(null);
      else return;
      event.preventDefault();
    });
    clear.addEventListener("click", () => {
      set(null);
      input.focus();
    });
    show();
    return node;
  }

  function option(item, text, number) {
    const node = at("option").content.firstElementChild.cloneNode(true);
    const input = node.querySelector("input");
    node.querySelector("span").textContent = text;
    input.value = number;
    input.checked = answers[item.id] === number;
    input.addEventListener("change", () => {
      answers[item.id] = number;
      noted();
    });
    return node;
  }

  function show(focus) {
    at("page").hidden = done();
    at("end").hidden = !done();
    at("save").classList.toggle("main", done());
    at("bar").value = position;
    at("count").textContent = done() ? "" : fill(data.text.page, { n: position + 1, total: pages.length });
    warned = false;
    showOpen();
    if (!done()) {
      const { question, options, items: asked } = pages[position];
      at("heading").textContent = question;
      at("rating").hidden = options.length > 0;
      at("options").hidden = options.length === 0;
      at("sliders").replaceChildren(...(options.length ? [] : asked.map(slider)));
      at("options").replaceChildren(...options.map((text, index) => option(asked[0], text, index + 1)));
    }
    if (focus) {
      at(done() ? "end" : "heading").focus({ preventScroll: true });
      scrollTo(0, 0);
    }
  }

  function showOpen() {
    at("open").hidden = !warned || open() === 0;
    at("open").textContent = at("open").hidden ? "" : fill(data.text.open, { n: open() });
  }

  function turn(working) {
    at("intro").hidden = working;
    at("work").hidden = !working;
    at("begin").textContent = position || Object.keys(answers).length ? data.text.resume : data.text.begin;
    if (working) show(true);
  }

  // ---- what the annotator does

  function noted() {
    changed = true;
    at("saved").hidden = true;
    showOpen();
    keep();
  }

  function next() {
    if (open() && !warned) {
      warned = true;
      showOpen();
      return;
    }
    position += 1;
    noted();
    show(true);
  }

  function save() {
    const rows = pages.flatMap(({ question, items: asked }, index) => asked.map((item) =>
      [item.id, String(index + 1), question, item.left, item.right,
        item.id in answers ? String(answers[item.id]) : "", data.annotator]));
    sheet.save(data.file, [data.columns, ...rows]);
    changed = false;
    keep();
    at("saved").textContent = fill(data.text.saved, { file: data.file });
    at("saved").hidden = false;
  }

  // ---- wiring

  at("begin").addEventListener("click", () => turn(true));
  at("next").addEventListener("click", next);
  at("save").addEventListener("click", save);

  // The same page in another window.
  addEventListener("storage", (event) => {
    if (event.key !== data.key || !event.newValue) return;
    restore();
    show(false);
  });

  // Leaving loses answers that the browser does not keep; and finished work should not be forgotten in the browser.
  addEventListener("beforeunload", (event) => {
    if (changed && (!keeps || done())) event.preventDefault();
  });

  at("bar").max = pages.length;
  restore();
  showKept();
  turn(false);
  at("begin").hidden = false;
})();
