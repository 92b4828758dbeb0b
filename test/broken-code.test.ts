import { readFileSync } from 'node:fs';
import { PackUnderTest } from '@kebab/code-kit/testing';
import { describe, expect, it } from 'vitest';
import c from '../plugins/code-c/src/index.ts';
import cpp from '../plugins/code-cpp/src/index.ts';
import go from '../plugins/code-go/src/index.ts';
import java from '../plugins/code-java/src/index.ts';
import kotlin from '../plugins/code-kotlin/src/index.ts';
import python from '../plugins/code-python/src/index.ts';
import rust from '../plugins/code-rust/src/index.ts';
import typescript from '../plugins/code-typescript/src/index.ts';

const PLUGINS = { c, cpp, go, java, kotlin, python, rust, typescript };
type Lang = keyof typeof PLUGINS;

/** A source with a bracket too many or too few, and the units that a reader sees in it. */
interface BrokenCode {
  readonly lang: Lang;
  readonly what: string;
  readonly source: readonly string[];
  readonly units: readonly string[];
}

const CASES = JSON.parse(
  readFileSync(new URL('fixtures/broken-code.json', import.meta.url), 'utf8'),
) as readonly BrokenCode[];

describe('a broken bracket costs one unit at most', () => {
  it.each(CASES)('$lang: $what', async ({ lang, source, units }) => {
    const pack = new PackUnderTest(PLUGINS[lang], lang);
    const head = lang === 'kotlin' || lang === 'go' ? 'package p\n\n' : '';
    const { chunks } = await pack.read(lang === 'python' ? 'p.py' : 'p.x', `${head}${source.join('\n')}\n`);
    const names = chunks.flatMap(({ symbol = '' }) => (symbol.startsWith('<') ? [] : [symbol.replace(/^p\./, '')]));
    expect([...new Set(names)]).toEqual(units);
  });
});
