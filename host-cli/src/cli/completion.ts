import { invalidInput } from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';

/** `kebab completion`: prints a script that makes a shell complete commands, flags and their values. */
export async function completion(context: CommandContext): Promise<void> {
  const shell = context.values.arg('SHELL');
  const script = new Map(Object.entries(SCRIPTS)).get(shell);
  if (script === undefined)
    throw invalidInput(`there is no completion for ${JSON.stringify(shell)}`, {
      field: 'SHELL',
      value: shell,
      allowed: Object.keys(SCRIPTS),
    });
  if (context.json) context.printJson({ shell, script });
  else context.print(script);
}

// readline replaces only the second argument of the function, which begins after a colon or an equals sign. Candidates that need quotes are
// passed as file names, because readline quotes those.
const BASH = `# kebab completion bash: source it from your shell's start-up file
_kebab() {
  local candidate isPath=''
  COMPREPLY=()
  while IFS=$'\\t' read -r candidate _; do
    if [[ $candidate == *[^[:alnum:]_.,:=@+%-]* ]]; then isPath=1; fi
    COMPREPLY+=("$candidate")
  done < <(kebab complete --line="\${COMP_LINE:0:COMP_POINT}" --replacing="$2" 2>/dev/null)
  if [[ -n $isPath ]]; then compopt -o filenames 2>/dev/null; fi
  if [[ \${#COMPREPLY[@]} == 1 && \${COMPREPLY[0]} == *[/:=] ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -F _kebab kebab
`;

const ZSH = `#compdef kebab
# kebab completion zsh: source it from your start-up file behind compinit, or write it into a folder of your fpath as _kebab
_kebab() {
  local candidate
  local -a whole partial
  for candidate in "\${(@f)$(kebab complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}"; do
    candidate="\${candidate%%$'\\t'*}"
    if [[ -z $candidate ]]; then continue; fi
    if [[ $candidate == *[/:=] ]]; then partial+=("$candidate"); else whole+=("$candidate"); fi
  done
  compadd -S '' -a partial
  compadd -a whole
}
if [[ \${funcstack[1]} == _kebab ]]; then _kebab "$@"; else compdef _kebab kebab; fi
`;

const FISH = `# kebab completion fish | source
function __kebab_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l plain (string unescape -- "$word" 2>/dev/null)
    and set word "$plain"
    set -e words[1]
    kebab complete -- $words "$word" 2>/dev/null
end
complete -c kebab -e
complete -c kebab -f -a '(__kebab_complete)'
`;

/**
 * The completion script of each shell. It calls `kebab complete` on every Tab, so it contains no commands or flags and stays correct when
 * kebab is upgraded.
 */
export const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH } as const;
