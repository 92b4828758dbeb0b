import { invalidInput } from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import type { CommandSpec } from '../command/command-spec.ts';
import { GLOBAL_FLAGS } from '../command/command-values.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { COMMANDS } from './command-table.ts';

/** The shells with a completion. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

type Shell = (typeof SHELLS)[number];

/** `kebab completion`: prints a script that makes a shell complete commands, flags, and files behind `@`. */
export async function completion(context: CommandContext): Promise<ExitCode> {
  const shell = context.values.arg('SHELL');
  if (!isShell(shell))
    throw invalidInput(`there is no completion for ${JSON.stringify(shell)}`, {
      field: 'SHELL',
      value: shell,
      allowed: [...SHELLS],
    });
  const script = completionScript(shell, COMMANDS);
  if (context.json) context.printJson({ shell, script });
  else context.print(script);
  return EXIT.ok;
}

function isShell(name: string): name is Shell {
  return (SHELLS as readonly string[]).includes(name);
}

/**
 * A script for a shell: after `kebab` it completes the words of commands, then their flags, files where an argument may be
 * one, and files behind `@`, which name documents in a question.
 */
export function completionScript(shell: Shell, commands: readonly CommandSpec[]): string {
  switch (shell) {
    case 'bash':
      return bashScript(commands);
    case 'zsh':
      return `autoload -U +X bashcompinit && bashcompinit\n${bashScript(commands)}`;
    case 'fish':
      return fishScript(commands);
    default:
      return shell satisfies never;
  }
}

function bashScript(commands: readonly CommandSpec[]): string {
  const casesOf = (words: 1 | 2): string =>
    commands
      .filter(({ name }) => name.split(' ').length === words)
      .map((command) => `    '${command.name}') flags='${flagsOf(command).join(' ')}' ;;`)
      .join('\n');
  return `# kebab completion bash: source it from your shell's start-up file
_kebab() {
  local word="\${COMP_WORDS[COMP_CWORD]}" first="\${COMP_WORDS[1]}" second="\${COMP_WORDS[2]}" flags=''
  if [[ $word == @* ]]; then
    COMPREPLY=($(compgen -f -P @ -- "\${word#@}"))
    return
  fi
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '${firstWords(commands).join(' ')}' -- "$word"))
    return
  fi
  case "$first" in
${groupsOf(commands)
  .map(([group, words]) => `    ${group}) ((COMP_CWORD == 2)) && COMPREPLY=($(compgen -W '${words}' -- "$word")) ;;`)
  .join('\n')}
  esac
  ((\${#COMPREPLY[@]})) && return
  case "$first $second" in
${casesOf(2)}
  esac
  [[ -z $flags ]] && case "$first" in
${casesOf(1)}
  esac
  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W "$flags" -- "$word")); else COMPREPLY=($(compgen -f -- "$word")); fi
}
complete -o filenames -F _kebab kebab
`;
}

function fishScript(commands: readonly CommandSpec[]): string {
  const groups = new Map(groupsOf(commands));
  const lines = firstWords(commands).map((word) => {
    const summary = commands.find(({ name }) => name === word)?.summary ?? groups.get(word) ?? '';
    return `complete -c kebab -n __fish_use_subcommand -f -a ${word} -d ${quoted(summary)}`;
  });
  for (const [group, words] of groups)
    lines.push(`complete -c kebab -n '__fish_seen_subcommand_from ${group}' -f -a '${words}'`);
  for (const { name, flags } of commands)
    for (const flag of flags)
      lines.push(
        `complete -c kebab -n '${seen(name)}' -l ${flag.name} -d ${quoted(flag.summary)}${flag.kind === 'boolean' ? '' : ' -r'}`,
      );
  for (const { name, summary } of GLOBAL_FLAGS) lines.push(`complete -c kebab -l ${name} -d ${quoted(summary)}`);
  lines.push(
    `complete -c kebab -n 'string match -q "@*" -- (commandline -ct)' -f -a '(__fish_complete_path (string sub -s 2 -- (commandline -ct)) | string replace -r "^" "@")'`,
  );
  return `# kebab completion fish | source\n${lines.join('\n')}\n`;
}

function seen(name: string): string {
  const words = name.split(' ');
  return words.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
}

function firstWords(commands: readonly CommandSpec[]): readonly string[] {
  return [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? name))];
}

/** First words that take a second one, with all of these. */
function groupsOf(commands: readonly CommandSpec[]): readonly (readonly [group: string, words: string])[] {
  const groups = new Map<string, string[]>();
  for (const { name } of commands) {
    const [group = '', word] = name.split(' ');
    if (word !== undefined) groups.set(group, [...(groups.get(group) ?? []), word]);
  }
  return [...groups].map(([group, words]) => [group, words.join(' ')]);
}

function flagsOf({ flags }: CommandSpec): readonly string[] {
  return [...flags, ...GLOBAL_FLAGS].map(({ name }) => `--${name}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "\\'")}'`;
}
