"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const entries = data.entries;
  const count = entries.length;

  // What is drawn of each entry, burst and beat; filled while drawing.
  const nodesOf = entries.map(() => []);
  const burstNodes = data.bursts.map(() => []);
  const beatNodes = new Map();
  const ofBurst = data.bursts.map(() => []);
  const ofBeat = new Map();
  entries.forEach((e, n) => {
    if (e.burst !== undefined) for (let b = e.burst; b <= e.last_burst; ++b) ofBurst[b].push(n);
    for (let b = e.beat; b <= e.last_beat; ++b) {
      if (!ofBeat.has(b)) ofBeat.set(b, []);
      ofBeat.get(b).push(n);
    }
  });

  const make = (tag, classes, text, parent) => {
    const node = document.createElement(tag);
    if (classes) node.className = classes;
    if (text !== undefined) node.textContent = text;
    if (parent) parent.append(node);
    return node;
  };
  const colour = (e) => (e.valid ? "c" + (e.burst % 3) : "fill");
  // What a node stands for: numbers of entries, of bursts, of beats.
  const meaning = new WeakMap();
  const means = (node, list, what = {}) => meaning.set(node, { entries: list, ...what });

  // ---- Drawing -----------------------------------------------------------------------------------

  // Wide enough for the longest number, with the sign of more visits.
  const digits = String(data.first + count).length + (data.cells.some((cell) => cell.visits.length > 1) ? 1 : 0);
  const scaleFor = (bytes, elem) => Math.max(Math.min(27 / elem, 640 / bytes), (6.8 * digits + 5) / elem);
  // A cell that is visited several times shows the visit that the walk has come to.
  function update(node, step) {
    const list = meaning.get(node).entries;
    if (list.length < 2 || !node.classList.contains("cell")) return;
    const visit = list.findLast((n) => n <= step) ?? list[0];
    node.textContent = entries[visit].index + (visit === list[list.length - 1] ? "" : "+");
    node.classList.remove("c0", "c1", "c2");
    node.classList.add(colour(entries[visit]));
  }

  function drawMemory() {
    const box = $("memory");
    const bytes = data.columns.reduce((sum, c) => sum + c[1] - c[0] + 1, 0);
    const px = scaleFor(bytes, data.elem);
    const width = Math.max(...data.lines.map((l) => l.label.length)) * 7.2 + 14;
    const strips = data.lines.map((line) => {
      if (line.gap) make("div", "row dots", "...", box);
      const row = make("div", line.plane ? "row plane" : "row", undefined, box);
      make("span", "label", line.label, row).style.width = width + "px";
      return data.columns.map((c) => {
        const strip = make("div", "strip", undefined, row);
        strip.style.width = (c[1] - c[0] + 1) * px + "px";
        return strip;
      });
    });
    const place = (line, first, last, classes, text) => {
      const nodes = [];
      data.columns.forEach((c, n) => {
        const from = Math.max(first, c[0]), to = Math.min(last, c[1]);
        if (from > to) return;
        const node = make("div", classes, text, strips[line][n]);
        node.style.left = (from - c[0]) * px + "px";
        node.style.width = (to - from + 1) * px + "px";
        nodes.push(node);
      });
      return nodes;
    };
    for (const cell of data.cells) {
      const e = entries[cell.visits[0]];
      const text = String(e.index);
      for (const node of place(cell.line, cell.column, cell.column + data.elem - 1, "cell " + colour(e), text)) {
        node.style.paddingRight = (data.elem - cell.own) * px + "px";
        means(node, cell.visits);
        node.title = cell.visits.length > 1 ? "visited " + cell.visits.length + " times" : "";
        for (const visit of cell.visits) nodesOf[visit].push(node);
      }
    }
    // Frames that lie on each other show only when they are asked for.
    const onLine = data.lines.map(() => []);
    for (const frame of data.frames) onLine[frame[1]].push(frame);
    for (const frame of data.frames) {
      const [burst, line, first, last] = frame;
      const shared = onLine[line].some((other) => other !== frame && other[2] <= last && other[3] >= first);
      for (const node of place(line, first, last, "frame f" + (burst % 3) + (shared ? " shared" : ""))) burstNodes[burst].push(node);
    }
  }

  function drawStream() {
    const box = $("stream");
    const lanes = data.stream_bytes;
    const px = scaleFor(lanes, Math.min(data.elem, lanes));
    const strips = new Map();
    for (const beat of ofBeat.keys()) {
      const row = make("div", "row", undefined, box);
      const label = make("span", "label", String(beat), row);
      label.style.width = "52px";
      label.style.cursor = "pointer";
      means(label, ofBeat.get(beat), { beats: [beat] });
      beatNodes.set(beat, [label]);
      const strip = make("div", "strip", undefined, row);
      strip.style.width = lanes * px + "px";
      strips.set(beat, strip);
      if (data.tlast.includes(beat)) make("span", "tlast", "TLAST", row);
    }
    entries.forEach((e, n) => {
      let lane = e.lane, left = data.elem;
      for (let beat = e.beat; left > 0; ++beat, lane = 0) {
        const here = Math.min(left, lanes - lane);
        const node = make("div", "cell " + colour(e), String(e.index), strips.get(beat));
        node.style.left = lane * px + "px";
        node.style.width = here * px + "px";
        means(node, [n]);
        nodesOf[n].push(node);
        left -= here;
      }
    });
  }

  function drawBursts() {
    data.bursts.forEach((b, n) => {
      const chip = make("span", "chip c" + (n % 3), n + ": " + b.address + " + " + b.words, $("bursts"));
      chip.title = "burst " + n + ", " + b.words + (b.words === 1 ? " word" : " words") + " from " + b.address;
      chip.tabIndex = 0;
      means(chip, ofBurst[n], { bursts: [n] });
      burstNodes[n].push(chip);
    });
    if (data.bursts.length === 0) $("burst-part").hidden = true;
  }

  function drawTable() {
    const table = make("table", "", undefined, $("table"));
    const head = make("tr", "", undefined, make("thead", "", undefined, table));
    const names = ["index", ...data.walks.map((k) => "t" + k), ...data.dims.map((d) => "x" + d), "address", "beat", "lane", "burst"];
    for (const name of names) make("th", "", name, head);
    const body = make("tbody", "", undefined, table);
    entries.forEach((e, n) => {
      const row = make("tr", "", undefined, body);
      const span = (a, b) => (a === b ? String(a) : a + "-" + b);
      const cells = [e.index, ...data.walks.map((k) => e.t[k]), ...data.dims.map((d) => e.x[d]),
        e.valid ? e.address : data.fill_word, span(e.beat, e.last_beat), e.lane,
        e.burst === undefined ? "-" : span(e.burst, e.last_burst)];
      for (const text of cells) make("td", "", String(text), row);
      means(row, [n]);
      nodesOf[n].push(row);
    });
  }

  // ---- Pointing ----------------------------------------------------------------------------------

  let hot = [];
  function point(what) {
    for (const node of hot) node.classList.remove("hot");
    hot = [];
    if (!what) return;
    const heat = (node) => {
      node.classList.add("hot");
      hot.push(node);
    };
    const bursts = new Set(what.bursts || []), beats = new Set(what.beats || []);
    for (const n of what.entries) {
      nodesOf[n].forEach(heat);
      const e = entries[n];
      if (!what.beats && e.burst !== undefined) for (let b = e.burst; b <= e.last_burst; ++b) bursts.add(b);
      if (!what.bursts) for (let b = e.beat; b <= e.last_beat; ++b) beats.add(b);
    }
    for (const b of bursts) burstNodes[b].forEach(heat);
    for (const b of beats) beatNodes.get(b).forEach(heat);
  }
  const meant = (target) => {
    for (let node = target; node && node !== document; node = node.parentNode) {
      if (meaning.has(node)) return meaning.get(node);
    }
    return undefined;
  };

  // ---- Stepping ----------------------------------------------------------------------------------

  let at = -1;
  function go(to, scroll = true) {
    if (count === 0) return;
    to = Math.min(Math.max(to, 0), count - 1);
    const marks = (n, add) => {
      for (const node of nodesOf[n]) node.classList.toggle("now", add);
      const e = entries[n];
      if (e.burst !== undefined) burstNodes[e.burst].forEach((node) => node.classList.toggle("now", add));
    };
    if (at >= 0) marks(at, false);
    // A cell of several visits is bright from its first one on.
    for (let n = Math.min(at, to); n <= Math.max(at, to); ++n) {
      if (n < 0) continue;
      for (const node of nodesOf[n]) {
        const list = meaning.get(node).entries;
        node.classList.toggle("todo", list[0] > to);
        update(node, to);
      }
    }
    at = to;
    marks(at, true);
    $("slider").value = String(at);
    $("now").textContent = sentence(entries[at]);
    document.body.dataset.at = String(at);
    if (scroll) {
      for (const node of nodesOf[at]) {
        const box = node.closest("#memory, #stream, #table");
        if (box) reveal(box, node);
      }
    }
  }
  // Scrolls a box, and never the page.
  function reveal(box, node) {
    const b = box.getBoundingClientRect(), n = node.getBoundingClientRect();
    if (n.top < b.top + 24) box.scrollTop -= b.top + 24 - n.top;
    if (n.bottom > b.bottom - 8) box.scrollTop += n.bottom - b.bottom + 8;
    if (n.left < b.left + 110) box.scrollLeft -= b.left + 110 - n.left;
    if (n.right > b.right - 8) box.scrollLeft += n.right - b.right + 8;
  }
  function sentence(e) {
    const x = data.dims.map((d) => "x" + d + " = " + e.x[d]);
    const t = data.walks.map((k) => "t" + k + " = " + e.t[k]);
    const where = e.valid ? "address " + e.address + ", burst " + (e.burst === e.last_burst ? e.burst : e.burst + " and " + e.last_burst)
      : data.fill_word + ", outside the bounds";
    const beat = e.beat === e.last_beat ? "beat " + e.beat : "beats " + e.beat + " to " + e.last_beat;
    return "position " + e.index + " of " + data.positions + ": " + [...t, ...x].join(", ") + "  |  " + where +
      "  |  " + beat + " from lane " + e.lane + " on" + (e.tlast ? ", TLAST" : "");
  }
  // The first entry of the next or of this or the previous group.
  function jump(group, forwards) {
    let n = at;
    if (forwards) {
      while (n < count - 1 && group(n) === group(at)) ++n;
      return n;
    }
    if (n > 0) --n;
    while (n > 0 && group(n - 1) === group(n)) --n;
    return n;
  }

  let timer = 0;
  function play(on) {
    clearInterval(timer);
    timer = 0;
    if (on) {
      if (at === count - 1) go(0);
      timer = setInterval(() => (at >= count - 1 ? play(false) : go(at + 1)), 1000 / Number($("speed").value));
    }
    $("play").textContent = on ? "\u23F8 pause" : "\u25B6 play";
    $("play").setAttribute("aria-label", on ? "Pause" : "Play");
  }

  const row = (n) => entries[n].row;
  const burst = (n) => (entries[n].burst === undefined ? -1 : entries[n].burst);
  const keys = {
    ArrowRight: () => go(at + 1), ArrowLeft: () => go(at - 1),
    ArrowDown: () => go(jump(row, true)), ArrowUp: () => go(jump(row, false)),
    PageDown: () => go(jump(burst, true)), PageUp: () => go(jump(burst, false)),
    Home: () => go(0), End: () => go(count - 1), " ": () => play(timer === 0),
  };

  // ---- Beginning ---------------------------------------------------------------------------------

  $("name").textContent = data.name;
  $("fields").textContent = data.fields.join("\n");
  $("report").textContent = data.report;
  $("memory-title").textContent = data.memory_title;
  $("table-title").textContent = count === data.positions ? "all positions"
    : "the first " + count + " of " + data.positions + " positions" + (data.first === 0 ? "" : ", from the first data on");
  $("fill-word").textContent = data.fill_word;
  $("slider").max = String(Math.max(count - 1, 0));
  drawMemory();
  drawStream();
  drawBursts();
  drawTable();
  for (const nodes of nodesOf) for (const node of nodes) {
    node.classList.add("todo");
    update(node, -1);
  }
  go(Number(location.hash.slice(1)) || 0);

  document.addEventListener("pointerover", (event) => point(meant(event.target)));
  document.addEventListener("pointerleave", () => point(undefined));
  document.addEventListener("focusin", (event) => meant(event.target) && point(meant(event.target)));
  document.addEventListener("click", (event) => {
    const what = meant(event.target);
    if (what && what.entries.length > 0) {
      // Of a cell that is visited several times, the visit after this one.
      const later = what.entries.find((n) => n > at);
      go(what.entries.length > 1 && what.entries.includes(at) && later !== undefined ? later : what.entries[0], false);
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
    if (event.key === " " && event.target.tagName === "BUTTON") return;
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    if (event.key !== " ") play(false);
    action();
  });
  $("first").onclick = () => go(0);
  $("back").onclick = () => go(at - 1);
  $("next").onclick = () => go(at + 1);
  $("last").onclick = () => go(count - 1);
  $("play").onclick = () => play(timer === 0);
  $("slider").oninput = () => go(Number($("slider").value));
  $("speed").onchange = () => timer && play(true);
  window.addEventListener("hashchange", () => go(Number(location.hash.slice(1)) || 0));
})();
