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
      openOutlines();
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

/** Shows what stands beside the text where there is room for it. */
function openOutlines() {
  for (const outline of document.querySelectorAll('.columns > details.outline'))
    outline.open = matchMedia('(width >= 60rem)').matches;
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
  o: () => {
    const { href } = document.activeElement?.closest('.hit')?.querySelector('.place') ?? {};
    if (href !== undefined) open(href, '_blank', 'noopener');
  },
  y: () => {
    const { uri } = document.activeElement?.closest('.hit')?.dataset ?? {};
    if (uri !== undefined) void navigator.clipboard.writeText(uri);
  },
};

document.addEventListener('keydown', (event) => {
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

openOutlines();
/** Follows a running ingest until everything is indexed. */
async function followProgress() {
  const shown = document.querySelector('#progress.open');
  if (shown === null) return;
  if (!document.hidden) {
    const response = await fetch('/progress').catch(() => null);
    const page = new DOMParser().parseFromString((await response?.text()) ?? '', 'text/html');
    const next = page.querySelector('#progress');
    if (next !== null) shown.replaceWith(document.adoptNode(next));
  }
  setTimeout(() => void followProgress(), 3000);
}

setTimeout(() => void followProgress(), 3000);
addEventListener('hashchange', lightLines);
lightLines();
if (field !== null && document.querySelector('#results') !== null) searchAsTyped();
if (field !== null && field.value === '' && location.pathname === '/') field.focus();
