import { rmSync } from 'node:fs';
import type { Area, Outcome } from '../harness/area.ts';
import { problemOfRun, rawControlIn, watched } from '../harness/watched-process.ts';
import { LEXICAL } from './knowledge-base.ts';

/** Terminal control sequences. */
const SEQUENCES: Readonly<Record<string, string>> = {
  'a cleared screen': '\u001b[2J\u001b[H',
  'a title': '\u001b]0;PWNED\u0007',
  'a link': '\u001b]8;;http://evil.example\u0007click\u001b]8;;\u0007',
  'the clipboard': '\u001b]52;c;ZXZpbA==\u0007',
  'a device query': '\u001b[c\u001b[6n',
  'eight-bit controls': '\u009b2J\u009d0;PWNED\u009c',
  'text that runs backwards': '\u202eevil\u202c\u2066x',
  'a backspace over what stands there': 'safe\b\b\b\bevil',
  'a deleted line': '\u001b[1A\u001b[2K',
  'another character set': '\u001b(0\u000e',
  'a bell and a NUL': '\u0007\0',
};

/** The parts of a Markdown file that such text can be in. */
const PLACES: Readonly<Record<string, (text: string) => string>> = {
  'a heading': (text) => `# Wombat ${text}\n\nwombat\n`,
  'a paragraph': (text) => `# Wombat\n\nwombat ${text} digs\n`,
  'a title': (text) => `---\ntitle: ${JSON.stringify(`Wombat ${text}`)}\n---\nwombat\n`,
  'a tag': (text) => `---\ntags: [${JSON.stringify(`wombat${text}`)}]\n---\nwombat\n`,
  'a code block': (text) => `\`\`\`wombat${text.replaceAll('`', '')}\nwombat ${text}\n\`\`\`\n`,
};

const COMMANDS: readonly (readonly string[])[] = [
  ['ingest'],
  ['search', 'wombat'],
  ['search', 'wombat', '--json'],
  ['search', 'wombat', '--explain'],
  ['search', 'wombat', '--vimgrep'],
  ['list', 'docs'],
  ['inspect', 'doc', 'a heading.md'],
  ['status'],
  ['ingest', '--force-reingest'],
];

/** Text of documents and arguments in terminal output; one knowledge base per sequence. */
export const TERMINAL: Area = {
  name: 'bytes for a terminal',
  isLong: true,
  async *replay({ cli, pick }): AsyncGenerator<Outcome> {
    for (const [name, text] of pick(Object.entries(SEQUENCES))) {
      const home = cli.newHome();
      try {
        for (const [place, write] of Object.entries(PLACES)) home.write(`${place}.md`, write(text));
        for (const line of [...COMMANDS, ...argumentsWith(text.replaceAll('\0', ''))]) {
          const run = await watched(cli.start([...line, '--color', 'never'], { home, env: LEXICAL }));
          const printed = rawControlIn(`${run.stdout}\n${run.stderr}`);
          yield { name: `${name}, kebab ${JSON.stringify(line.join(' '))}`, problem: problemOfRun(run) ?? printed };
        }
      } finally {
        rmSync(home.folder, { recursive: true, force: true });
      }
    }
  },
};

function argumentsWith(text: string): readonly (readonly string[])[] {
  return [['search', `wombat ${text}`], ['search', 'wombat', '--media', text], ['get', `${text}/none`], [`${text}x`]];
}
