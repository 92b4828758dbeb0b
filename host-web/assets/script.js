// Makes the pages quicker; each of them works without it.
const field = document.querySelector('input[type="search"]');
const WAIT_MS = 80;

/** Searches as one types; an earlier search that is still running is cancelled. */
function searchAsTyped() {
  let running = new AbortController();
  let timer;
  const show = async (query) => {
    running.abort();
    running = new AbortController();
    const address = query === '' ? '/' : `/?q=${encodeURIComponent(query)}`;
    try {
      const response = await fetch(address, { signal: running.signal });
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      const results = page.querySelector('#results');
      if (results === null) return;
      document.querySelector('#results')?.replaceWith(document.adoptNode(results));
      document.querySelector('#said').textContent = results.querySelector('.count')?.textContent ?? '';
      document.title = page.title;
      prepare(document);
      history.replaceState(null, '', address);
    } catch {
      // cancelled, or the server has ended: Enter says so
    }
  };
  field.addEventListener('input', (event) => {
    if (event.isComposing) return;
    clearTimeout(timer);
    timer = setTimeout(() => void show(field.value.trim()), WAIT_MS);
  });
}

/** Moves the focus from hit to hit. */
function moveBy(step) {
  const places = [...document.querySelectorAll('.hit .place')];
  const at = places.indexOf(document.activeElement);
  const to = at === -1 && step < 0 ? places.length - 1 : Math.min(places.length - 1, Math.max(0, at + step));
  places[to]?.focus();
}

const KEYS = {
  '/': () => field?.select(),
  j: () => moveBy(1),
  k: () => moveBy(-1),
  y: () => {
    const { uri } = document.activeElement?.closest('.hit')?.dataset ?? {};
    if (uri !== undefined) void navigator.clipboard.writeText(uri);
  },
};

const beside = document.querySelector('#beside');
let opener;

/** Shows a cited document beside the answer, where both have room. */
async function openBeside(link) {
  const response = await fetch(link.href);
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const article = page.querySelector('article.read');
  if (article === null) return location.assign(link.href);
  const alone = Object.assign(document.createElement('a'), { href: link.href, textContent: beside.dataset.alone });
  const close = Object.assign(document.createElement('button'), {
    className: 'plain',
    textContent: beside.dataset.close,
  });
  close.addEventListener('click', closeBeside);
  const tools = Object.assign(document.createElement('div'), { className: 'tools' });
  tools.append(alone, close);
  beside.replaceChildren(tools, document.adoptNode(article));
  beside.hidden = false;
  opener = link;
  prepare(beside);
  beside.focus({ preventScroll: true });
  beside.querySelector('#cited')?.scrollIntoView({ block: 'center' });
}

function closeBeside() {
  beside.hidden = true;
  beside.replaceChildren();
  opener?.focus();
}

document.addEventListener('click', (event) => {
  const link = event.target.closest?.('.asked .answers :is(a.marker, a.place)');
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (!link || !isPlain || beside === null || !matchMedia('(width >= 75rem)').matches) return;
  event.preventDefault();
  openBeside(link).catch(() => location.assign(link.href));
});

async function copy(button) {
  const response = await fetch(button.dataset.copy);
  await navigator.clipboard.writeText(await response.text());
  button.textContent = button.dataset.done;
}

for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', () => void copy(button));
}

document.addEventListener('pointerover', () => document.body.classList.remove('quiet'));
document.addEventListener('focusin', () => document.body.classList.remove('quiet'));
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    document.body.classList.add('quiet'); // hides the passage of a number
    if (beside?.hidden === false) closeBeside();
  }
  const isTyping = event.target instanceof HTMLInputElement;
  if (event.key === 'Escape' && isTyping) event.target.blur();
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(KEYS, event.key)) return;
  event.preventDefault();
  KEYS[event.key]();
});

/** Lights the lines of an address that ends in #L10-L20. */
function lightLines() {
  const [, first, last = first] = /^#L(\d+)(?:-L(\d+))?$/.exec(location.hash) ?? [];
  for (const line of document.querySelectorAll('.line.target')) line.classList.remove('target');
  if (first === undefined) return;
  for (let number = Number(first); number <= Number(last); number++) {
    const line = document.querySelector(`#L${number}`);
    if (line === null) break;
    line.classList.add('target');
    if (number === Number(first)) line.scrollIntoView({ block: 'center' });
  }
}

/** Opens the outline beside a document where there is room for it. */
function prepare(root) {
  for (const outline of root.querySelectorAll('details.outline'))
    outline.open = root === document && matchMedia('(width >= 60rem)').matches;
}

prepare(document);
addEventListener('hashchange', lightLines);
lightLines();
if (field !== null && document.querySelector('#results') !== null) searchAsTyped();
if (field !== null && field.value === '' && location.pathname === '/') field.focus();
