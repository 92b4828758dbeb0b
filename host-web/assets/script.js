// Makes the pages quicker; each of them works without it.
const field = document.querySelector('input[type="search"]');
const WAIT_MS = 80;

/** The page of a response. */
async function pageIn(response) {
  return new DOMParser().parseFromString((await response?.text()) ?? '', 'text/html');
}

/** Searches as one types; an earlier search that is still running is cancelled. */
function searchAsTyped() {
  let running = new AbortController();
  let timer;
  const show = async (query) => {
    running.abort();
    running = new AbortController();
    const address = query === '' ? '/' : `/?q=${encodeURIComponent(query)}&typing=1`;
    try {
      const page = await pageIn(await fetch(address, { signal: running.signal }));
      const results = page.querySelector('#results');
      if (results === null) return;
      document.querySelector('#results')?.replaceWith(document.adoptNode(results));
      document.querySelector('#said').textContent = results.querySelector('.count')?.textContent ?? '';
      document.title = page.title;
      prepare(document);
      history.replaceState(null, '', address);
    } catch (error) {
      if (error.name === 'AbortError') return; // another search has begun
      const results = document.querySelector('#results');
      results.textContent = results.dataset.gone;
    }
  };
  field.addEventListener('input', (event) => {
    if (event.isComposing) return;
    clearTimeout(timer);
    timer = setTimeout(() => void show(field.value.trim()), WAIT_MS);
  });
}

function hits() {
  return [...document.querySelectorAll('.hit .place')];
}

/** Moves the focus from hit to hit. */
function moveBy(step) {
  const places = hits().filter((one) => one.checkVisibility());
  const at = places.indexOf(document.activeElement);
  const to = at === -1 && step < 0 ? places.length - 1 : Math.min(places.length - 1, Math.max(0, at + step));
  places[to]?.focus();
}

const KEYS = {
  '/': () => document.querySelector('.search input[name="q"]')?.select(),
  j: () => moveBy(1),
  k: () => moveBy(-1),
  o: () => {
    const shown = shownPlace();
    if (shown !== null && document.querySelector('main[data-editor]') !== null) void edit(shown);
    else if (shown?.matches('.hit')) open(shown.querySelector('.place').href, '_blank', 'noopener');
  },
  y: () => {
    const { uri } = shownPlace()?.dataset ?? {};
    if (uri !== undefined) void navigator.clipboard.writeText(uri);
  },
};

/** The hit that has the focus, else the document of the page. */
function shownPlace() {
  return document.activeElement?.closest('.hit[data-uri]') ?? document.querySelector('main > .read');
}

/** Opens the file of a hit or a document in the editor of this machine. */
async function edit(shown) {
  const body = new URLSearchParams({ uri: shown.dataset.uri });
  const response = await fetch('/edit.json', { method: 'POST', headers: { 'x-kebab-ui': '1' }, body });
  if (response.ok) return;
  const { message } = await response.json();
  shown.append(
    Object.assign(document.createElement('p'), { className: 'note warn', role: 'alert', textContent: message }),
  );
}

const beside = document.querySelector('#beside');
let opener;

/** Shows a cited document beside the answer, where both have room. */
async function openBeside(link) {
  opener = link;
  beside.querySelector('a').href = link.href;
  beside.querySelector('article').replaceChildren('…'); // drawing a page takes a while
  beside.hidden = false;
  beside.focus({ preventScroll: true });
  const article = (await pageIn(await fetch(link.href))).querySelector('article.read');
  if (article === null) return location.assign(link.href);
  if (opener !== link) return; // another one was opened meanwhile
  beside.querySelector('article').replaceWith(document.adoptNode(article));
  prepare(beside);
  beside.querySelector('#cited')?.scrollIntoView({ block: 'center' });
}

function closeBeside() {
  beside.hidden = true;
  opener?.focus();
}

beside?.querySelector('button').addEventListener('click', closeBeside);

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
document.addEventListener('focusin', ({ target }) => {
  document.body.classList.remove('quiet');
  const hit = hits().indexOf(target);
  if (hit !== -1) history.replaceState({ hit }, ''); // for whoever comes back to the page
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    document.body.classList.add('quiet'); // hides the passage of a number
    if (beside?.hidden === false) closeBeside();
  }
  const isTyping = event.target instanceof HTMLInputElement;
  if (event.key === 'Escape' && isTyping) {
    event.preventDefault(); // the field would be emptied, and its results stay
    event.target.blur();
  }
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(KEYS, event.key)) return;
  event.preventDefault();
  KEYS[event.key]();
});

/** Follows a running ingest until everything is indexed. */
async function followProgress() {
  const shown = document.querySelector('#progress.open');
  if (shown === null) return;
  if (!document.hidden) {
    const next = (await pageIn(await fetch('/progress').catch(() => null))).querySelector('#progress');
    if (next?.matches('.open') === false) return location.reload();
    if (next) shown.replaceWith(document.adoptNode(next));
  }
  setTimeout(() => void followProgress(), 3000);
}

setTimeout(() => void followProgress(), 3000);
/** Opens the outline beside a document where there is room for it. */
function prepare(root) {
  for (const outline of root.querySelectorAll('.columns > details.outline'))
    outline.open = root === document && matchMedia('(width >= 60rem)').matches;
}

prepare(document);
if (field !== null && document.querySelector('#results') !== null) searchAsTyped();
if (field !== null && field.value === '' && location.pathname === '/') field.focus();
hits()[history.state?.hit]?.focus();
