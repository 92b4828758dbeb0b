import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Plant } from './read-folder.ts';

/** Texts of ignore files: rules that are slow to match, invalid, or very many. */
const RULES: Readonly<Record<string, () => string | Uint8Array>> = {
  'a line of 40,000 letters': () => 'x'.repeat(40_000),
  'a line of ten million letters': () => 'x'.repeat(10_000_000),
  'double stars one behind the other': () => `${'/**/a'.repeat(20)}/**/*.zz`,
  'stars one behind the other': () => `${'*a'.repeat(40)}*b`,
  'stars and question marks': () => `${'*?'.repeat(200)}z`,
  'a hundred thousand rules': () => Array.from({ length: 100_000 }, (_, i) => `rule-${i}/**\n`).join(''),
  'a hundred thousand exceptions': () => Array.from({ length: 100_000 }, (_, i) => `!rule-${i}\n`).join(''),
  'classes that never end': () => '[a\n[!\n[]\n[^\n[[:alpha:]\n',
  'classes upside down': () => '[z-a]\n[a-\n',
  'brackets of every kind': () => '(((((\n)))))\n{a,b}\n+(x)\n$^|.\n',
  backslashes: () => `${'\\'.repeat(10_001)}\n\\\n\\\\\n\\ \n`,
  'only slashes': () => '/\n//\n///\n./\n../\n',
  upwards: () => '../../**\n../*\n/../x\n',
  'only exclamation marks': () => '!\n!!\n!/\n!*\n',
  'only stars': () => `${'*'.repeat(1000)}x\n`,
  'NUL bytes': () => 'a\0b\n\0\n',
  'a BOM and UTF-16': () => Buffer.from('\uFEFFx\n*.zz\n', 'utf16le'),
  'no UTF-8': () => Uint8Array.of(0xff, 0xfe, 0x0a, 0xc3, 0x28, 0x0a),
  'line ends of every kind': () => 'a\rb\r\nc\n\rd\u2028e\n',
  'comments without end': () => '#'.repeat(1_000_000),
  'trailing spaces': () => `a${' '.repeat(100_000)}\n`,
  'names of the prototype': () => '__proto__\nconstructor\ntoString\n',
};

const deep = (folder: string): void => {
  const below = path.join(folder, 'a/'.repeat(60));
  mkdirSync(below, { recursive: true });
  for (const name of ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.md', 'b.md', 'rule-5.md']) {
    writeFileSync(path.join(folder, name), '# a\n');
    writeFileSync(path.join(below, name), '# a\n');
  }
};

/** Ignore files in a folder, next to a deep tree that they are matched against. */
export const IGNORE_FILES: readonly Plant[] = [
  ...Object.entries(RULES).flatMap(([name, rules]) =>
    ['.gitignore', '.kebabignore'].map((file) => ({
      name: `${file} with ${name}`,
      plant: (folder: string) => {
        deep(folder);
        writeFileSync(path.join(folder, file), rules());
      },
    })),
  ),
  ...['/dev/zero', '/proc/self/pagemap', '.', '.gitignore', 'nowhere'].map((target) => ({
    name: `.gitignore that is a link to ${target}`,
    plant: (folder: string) => {
      deep(folder);
      symlinkSync(target, path.join(folder, '.gitignore'));
    },
  })),
  ...[50, 300].map((megabytes) => ({
    name: `.gitignore of ${megabytes} MB`,
    plant: (folder: string) => {
      deep(folder);
      writeFileSync(path.join(folder, '.gitignore'), '');
      truncateSync(path.join(folder, '.gitignore'), megabytes * 2 ** 20);
    },
  })),
];
