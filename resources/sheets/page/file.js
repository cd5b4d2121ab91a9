"use strict";
// What the pages of all tasks share: the CSV file that is saved, and what the browser keeps.
const sheet = (() => {
  // What a spreadsheet program would take for a formula; the same characters as in the CSV that is handed out.
  const active = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b]/;
  const escape = (text) => (active.test(text) ? "'" + text : text);
  const cell = (text) => '"' + escape(text).replaceAll('"', '""') + '"';

  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (hole, name) => (name in values ? values[name] : hole));

  const csv = (rows) => "\ufeff" + rows.map((row) => row.map(cell).join(",") + "\r\n").join("");

  // Hand the rows to the browser as a file.
  function save(name, rows) {
    const address = URL.createObjectURL(new Blob([csv(rows)], { type: "text/csv;charset=utf-8" }));
    const link = document.createElement("a");
    link.href = address;
    link.download = name;
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 60000);
  }

  // What was kept under the key (null: nothing that can be read), and whether the browser keeps anything.
  function restore(key) {
    try {
      // Some browsers offer a storage that takes nothing: only writing shows it.
      localStorage.setItem(key + "/test", "1");
      localStorage.removeItem(key + "/test");
      return { stored: JSON.parse(localStorage.getItem(key)), keeps: true };
    } catch (error) {
      return { stored: null, keeps: error instanceof SyntaxError };
    }
  }

  // Whether the browser took it.
  function keep(key, value) {
    try {
      localStorage.setItem(key, JSON.stringify(value));
      return true;
    } catch (error) {
      return false;
    }
  }

  return { fill, save, restore, keep };
})();
