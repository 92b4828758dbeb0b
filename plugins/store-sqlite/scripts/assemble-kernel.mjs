// Assembles src/lexical/kernel/posting-kernel.wat into kernel-binary.generated.ts in the same folder. A test compares the two.
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import wabt from 'wabt';

const folder = new URL('../src/lexical/kernel/', import.meta.url);

/** Returns the expected text of the generated file. */
export async function renderKernel() {
  const assembler = await wabt();
  const kernel = assembler.parseWat('posting-kernel.wat', readFileSync(new URL('posting-kernel.wat', folder), 'utf8'));
  const base64 = Buffer.from(kernel.toBinary({}).buffer).toString('base64');
  const lines = base64.match(/.{1,110}/g).map((line) => `  '${line}'`);
  return `// Generated from posting-kernel.wat by scripts/assemble-kernel.mjs; run it again after each change.
/** The posting kernel as WebAssembly, in base64. */
export const KERNEL_BINARY =
${lines.join(' +\n')};
`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writeFileSync(new URL('kernel-binary.generated.ts', folder), await renderKernel());
