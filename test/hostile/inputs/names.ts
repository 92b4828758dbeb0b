import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Plant } from './read-folder.ts';

const ODD_NAMES: Readonly<Record<string, string>> = {
  'a line feed': 'a\nb.md',
  'a carriage return': 'a\rb.md',
  'an escape sequence': '\u001b[2J\u001b]0;PWNED\u0007.md',
  'right-to-left marks': '\u202edm.exe',
  'a tab': 'a\tb.md',
  'a bell': 'a\u0007.md',
  'every printable sign': '!"#$%&\'()*+,-.:;<=>?@[]^_`{|}~.md',
  'a fragment': 'a.md#L1',
  'a per cent': 'a%23b%2Fc%zz.md',
  'a backslash': 'a\\b.md',
  'a backslash at the end': 'a.md\\',
  'only spaces': '   .md',
  'a leading dash': '-rf.md',
  'a leading dash and an equals sign': '--config=x.md',
  'a glob': '*.md',
  'a class': '[a].md',
  braces: '{a,b}.md',
  'an exclamation mark': '!a.md',
  'a colon': 'default:a.md',
  'a scheme': 'file:a.md',
  'a tilde': '~.md',
  'a dollar': '$HOME.md',
  dots: '....md',
  'an extension alone': '.md',
  'capitals in the extension': 'A.MD',
  '255 bytes': `${'a'.repeat(252)}.md`,
  '255 bytes of Hangul': `${'가'.repeat(84)}.md`,
  'composed letters': 'é.md'.normalize('NFC'),
  'decomposed letters': 'é2.md'.normalize('NFD'),
  'half a face': '\ud83d.md',
  'a family of faces': '👩‍👩‍👧‍👦.md',
  'a zero-width joiner': '\u200d.md',
  'a device of Windows': 'CON.md',
  'two extensions': 'a.md.exe.md',
  'a name that is SQL': "'; DROP TABLE documents; --.md",
  'a name that is HTML': '<script>alert(1)<script>.md',
  'a name that is a prototype': '__proto__.md',
  'a name of a project file': 'kebab.toml.md',
  'a name of a lock': 'kebab.lock',
  'a name of a database': 'kebab.sqlite',
};

/** Names with a special meaning for a terminal, a shell, a glob, a URI or a file system. */
export const NAMES: readonly Plant[] = [
  ...Object.entries(ODD_NAMES).map(([name, file]) => ({
    name: `a file with ${name}`,
    plant: (folder: string) => writeFileSync(path.join(folder, file), '# An odd name\n'),
  })),
  ...Object.entries(ODD_NAMES)
    .filter((_, i) => i % 3 === 0)
    .map(([name, file]) => ({
      name: `a folder with ${name}`,
      plant: (folder: string) => {
        mkdirSync(path.join(folder, file));
        writeFileSync(path.join(folder, file, 'a.md'), '# Below an odd name\n');
      },
    })),
  { name: 'twins, composed and decomposed', plant: (folder) => writeEach(folder, ['é.md'.normalize('NFC'), 'é.md'.normalize('NFD')]) },
  { name: 'twins that differ in their case', plant: (folder) => writeEach(folder, ['a.md', 'A.md']) },
  { name: 'a file whose name is no Unicode', plant: (folder) => writeFileSync(bytes(folder, [0xff, 0xfe, 0x2e, 0x6d, 0x64]), '# a\n') },
  { name: 'a folder whose name is no Unicode', plant: (folder) => mkdirSync(bytes(folder, [0xc3, 0x28])) },
  { name: 'five thousand files', plant: (folder) => writeEach(folder, Array.from({ length: 5000 }, (_, i) => `n${i}.skip`)) },
  { name: 'five hundred folders in one another', plant: (folder) => mkdirSync(path.join(folder, 'd/'.repeat(500)), { recursive: true }) },
]; // prettier-ignore

function writeEach(folder: string, names: readonly string[]): void {
  for (const name of names) writeFileSync(path.join(folder, name), `# ${name}\n`);
}

function bytes(folder: string, name: readonly number[]): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name)]);
}

/** The targets of planted links. */
const LINKS: Readonly<Record<string, string>> = {
  itself: 'self.md',
  nothing: 'nowhere.md',
  'its own folder': '.',
  'the folder above': '..',
  'the root of the source': '../..',
  'the root of the system': '/',
  'all processes': '/proc',
  'its own process': '/proc/self',
  'the memory map of its process': '/proc/self/pagemap',
  'the environment of its process': '/proc/self/environ',
  'its standard input': '/dev/stdin',
  'endless zeros': '/dev/zero',
  'endless noise': '/dev/urandom',
  'a full device': '/dev/full',
  'the terminal': '/dev/tty',
  'the log of the kernel': '/proc/kmsg',
  'the core of the kernel': '/proc/kcore',
  'a trace of the kernel': '/sys/kernel/debug',
  passwords: '/etc/shadow',
  'a path of 4,000 bytes': `${'a/'.repeat(2000)}b`,
  'a name with an escape sequence': '\u001b[2J.md',
};
const LINK_NAMES = ['link.md', 'link.pdf', 'link.py', 'link'];

/** Special files, and links. */
export const SPECIAL_FILES: readonly Plant[] = [
  ...Object.entries(LINKS).flatMap(([to, target]) =>
    LINK_NAMES.map((name) => ({
      name: `${name}, a link to ${to}`,
      plant: (folder: string) => symlinkSync(target, path.join(folder, target === 'self.md' ? 'self.md' : name)),
    })),
  ),
  ...['pipe.md', 'pipe.txt', 'pipe.pdf', 'pipe.png', 'pipe.rs', '.gitignore', '.kebabignore'].map((file) => ({
    name: `a pipe named ${file}`,
    plant: (folder: string) => {
      execFileSync('mkfifo', [path.join(folder, file)]);
    },
  })),
  ...['folder.md', 'folder.pdf', '.gitignore', '.kebabignore'].map((file) => ({
    name: `a folder named ${file}`,
    plant: (folder: string) => {
      mkdirSync(path.join(folder, file));
      writeFileSync(path.join(folder, file, 'a.md'), '# a\n');
    },
  })),
  { name: 'a chain of fifty links', plant: chain },
  { name: 'two links to each other', plant: pair },
  { name: 'two names of one file', plant: twoNames },
  { name: 'a thousand links to one folder', plant: manyLinks },
  { name: 'a file of 3 GB', plant: (folder) => sparse(path.join(folder, 'large.md'), 3 * 2 ** 30) },
  { name: 'a program of 3 GB', plant: (folder) => sparse(path.join(folder, 'large.py'), 3 * 2 ** 30) },
  { name: 'a PDF of 5 GB', plant: (folder) => sparse(path.join(folder, 'large.pdf'), 5 * 2 ** 30) },
  ...[-1e9, -1e11, 0, 5e9, 1e11, 9e12].map((seconds) => ({
    name: `a file changed ${seconds} s after 1970`,
    plant: (folder: string) => {
      writeFileSync(path.join(folder, 'a.md'), '# old\n');
      utimesSync(path.join(folder, 'a.md'), seconds, seconds);
    },
  })),
];

function chain(folder: string): void {
  writeFileSync(path.join(folder, '0.md'), '# the end\n');
  for (let i = 1; i < 50; i++) symlinkSync(`${i - 1}.md`, path.join(folder, `${i}.md`));
}

function pair(folder: string): void {
  symlinkSync('b.md', path.join(folder, 'a.md'));
  symlinkSync('a.md', path.join(folder, 'b.md'));
}

function twoNames(folder: string): void {
  writeFileSync(path.join(folder, 'a.md'), '# two names\n');
  linkSync(path.join(folder, 'a.md'), path.join(folder, 'b.md'));
}

function manyLinks(folder: string): void {
  mkdirSync(path.join(folder, 'one'));
  for (let i = 0; i < 1000; i++) symlinkSync('one', path.join(folder, `l${i}`));
}

/** Creates a large sparse file. */
function sparse(file: string, size: number): void {
  writeFileSync(file, '# large\n');
  truncateSync(file, size);
}
