const MIXTURES = 120;
const MOST_LINES = 40;

/** Texts made of lines drawn at random from a text, joined by newlines or spaces: the same texts every time. */
export function* lineMixtures(text: string): Generator<string> {
  const lines = text.split('\n');
  const random = randomNumbers();
  for (let made = 0; made < MIXTURES; made++) {
    const drawn = Array.from({ length: random(MOST_LINES) }, () => lines[random(lines.length)] ?? '');
    yield drawn.join(random(4) === 0 ? ' ' : '\n');
  }
}

/** Whole numbers below a bound, from a linear congruential generator. */
function randomNumbers(): (bound: number) => number {
  let state = 1;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 0x1_0000_0000) * bound);
  };
}
