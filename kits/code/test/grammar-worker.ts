import { parentPort } from 'node:worker_threads';
import { assetFrom, silentCallContext } from '@kebab/testing';
import { CodeExtractor } from '../src/code-extractor.ts';
import type { LanguagePack, Syntax } from '../src/index.ts';
import { exampleSyntax, otherSyntax } from './example-syntax.ts';

/** The used part of `WebAssembly`, which has types only in the browser library. */
interface Wasm {
  instantiate: (bytes: Uint8Array, imports: unknown) => Promise<unknown>;
  readonly Module: (new (bytes: Uint8Array) => object) & {
    exports(module: object): readonly { readonly name: string }[];
  };
}

/** The names of the wasm modules that this thread has created, in order. */
const made: string[] = [];
const wasm = (globalThis as unknown as { readonly WebAssembly: Wasm }).WebAssembly;
const { instantiate, Module } = wasm;
wasm.instantiate = (bytes, imports) => {
  const exported = Module.exports(new Module(bytes)).map(({ name }) => name);
  made.push(exported.find((name) => /^tree_sitter_(?!.*_external_)/.test(name)) ?? 'engine');
  return instantiate(bytes, imports);
};

function extractorOf(...syntaxes: readonly [Syntax, ...Syntax[]]): CodeExtractor {
  const documentation = { units: 'functions', symbolForm: 'name', examples: ['f'] } as const;
  const pack: LanguagePack = { lang: 'rust', version: 1, documentation, syntaxesFor: () => syntaxes };
  return new CodeExtractor(pack, { parseTimeoutMs: 60_000 });
}

const extractors = [extractorOf(exampleSyntax, otherSyntax), extractorOf({ ...exampleSyntax })];

/** Extracts texts concurrently, each with both extractors, and responds with the modules created so far. */
parentPort?.on('message', (texts: readonly string[]) => {
  const reads = texts.flatMap((text) => {
    const bytes = new TextEncoder().encode(text);
    const input = { asset: assetFrom('a.rs', bytes), bytes };
    return extractors.map((extractor) => extractor.extract(input, silentCallContext()));
  });
  void Promise.all(reads).then(() => parentPort?.postMessage(made));
});
