// Information about the program: health, versions, settings, plugins, models, help, completion.

const COMMANDS = [
  'try',
  'init',
  'ingest',
  'ingest-file',
  'ingest-stdin',
  'search',
  'ask',
  'sessions',
  'sessions list',
  'sessions show',
  'sessions delete',
  'fetch',
  'fetch chunk',
  'fetch doc',
  'fetch span',
  'fetch uri',
  'open',
  'snap',
  'cite',
  'cite verify',
  'list docs',
  'inspect doc',
  'inspect chunk',
  'doctor',
  'schema',
  'eval run',
  'eval aggregate',
  'eval compare',
  'reset',
  'config show',
  'config path',
  'models list',
  'models pull',
  'vectors copy',
  'plugin list',
  'plugin explain',
  'plugin doctor',
  'plugin test',
  'plugin new',
  'mcp',
  'mcp install',
  'completion',
  'trust',
];

/** Reports that change nothing. */
export async function recordReports(recorder, world) {
  const explained = [
    'a.md',
    'a.rs',
    'a.h',
    'a.pdf',
    'a.png',
    'Dockerfile',
    'a.yaml',
    'a.sh',
    'a.xyz',
    'go.mod',
    'notes/x.tsx',
  ];
  await Promise.all([
    ...['doctor', 'schema', 'config show', 'config path', 'models list', 'plugin list', 'plugin doctor'].map((line) =>
      recorder.cli(world, line, line.split(' '), { human: true }),
    ),
    ...explained.map((file) => recorder.cli(world, 'plugin explain', ['plugin', 'explain', file], { human: true })),
    recorder.cli(world, 'trust', ['trust', '--list'], { name: 'nothing trusted', human: true }),
  ]);
}

/** Texts for people whose wording may change. */
export async function recordHelp(recorder, world) {
  await Promise.all([
    ...[[], ['--help'], ['--version']].map((args) =>
      recorder.human(world, 'help', args, { name: `kebab ${args.join(' ')}`.trim(), form: 'help' }),
    ),
    ...COMMANDS.map((line) =>
      recorder.human(world, 'help', [...line.split(' '), '--help'], { name: line, form: 'help' }),
    ),
    ...['bash', 'zsh', 'fish', 'tcsh'].map((shell) =>
      recorder.human(world, 'completion', ['completion', shell], {
        name: shell,
        form: shell === 'tcsh' ? 'human' : 'help',
      }),
    ),
  ]);
}

/** Configuration from every location, and the trust that it needs. */
export async function recordConfiguration(recorder, world) {
  const project = (name, content) => world.write(`projects/${name}/kebab.toml`, content).replace(/\/kebab\.toml$/, '');
  const small = project('small', 'schema_version = 1\n[search]\ndefault_k = 3\nsnippet_chars = 80\n');
  await recorder.cli(world, 'config show', ['config', 'show'], {
    name: 'with a project file',
    cwd: small,
    human: true,
  });
  await recorder.cli(world, 'search', ['search', 'memory'], { name: 'with a project file', cwd: small });
  world.write('projects/yaml/kebab.yaml', 'search:\n  default_k: 2\n');
  await recorder.cli(world, 'config path', ['config', 'path'], { name: 'YAML', cwd: world.at('projects/yaml') });
  world.write('projects/json/kebab.json', '{"search": {"default_k": 2}}\n');
  await recorder.cli(world, 'config show', ['config', 'show'], { name: 'JSON', cwd: world.at('projects/json') });

  const daring = project(
    'daring',
    'plugins = ["./toy.mjs"]\n[models.llm]\nendpoint = "http://192.0.2.1:11434"\nmodel = "tiny"\n',
  );
  await recorder.cli(world, 'config show', ['config', 'show'], { name: 'untrusted', cwd: daring, human: true });
  await recorder.cli(world, 'trust', ['trust'], { name: 'the nearest file', cwd: daring });
  await recorder.cli(world, 'trust', ['trust', '--list'], { name: 'one trusted', cwd: daring, human: true });
  await recorder.cli(world, 'config show', ['config', 'show'], { name: 'trusted', cwd: daring, human: true });
  await recorder.cli(world, 'doctor', ['doctor'], { name: 'trusted', cwd: daring });
  await recorder.cli(world, 'trust', ['trust', '--revoke'], { name: 'revoked', cwd: daring });
  await recorder.human(world, 'trust', ['trust'], { name: 'the nearest file, for people', cwd: daring });
  await recorder.cli(world, 'trust', ['trust'], { name: 'where there is no file' });

  const mistakes = {
    'an unknown key': '[search]\ndefault_kay = 3\n',
    'a wrong type': '[search]\ndefault_k = "three"\n',
    'a value out of range': '[search]\ndefault_k = 1000\n',
    'a syntax error': '[search\ndefault_k = 3\n',
    'another schema version': 'schema_version = 2\n',
    watching: '[indexing]\nwatch_filesystem = true\n',
    'an unknown section': '[serach]\ndefault_k = 3\n',
    'sources of one name': '[[workspace.sources]]\nid = "a"\nroot = "a"\n[[workspace.sources]]\nid = "a"\nroot = "b"\n',
    'a reserved source': '[[workspace.sources]]\nid = "external"\nroot = "a"\n',
    'overlap beyond the target': '[chunking]\ntarget_tokens = 50\noverlap_tokens = 60\n',
    'a variable that is not set': '[storage]\ndata_dir = "${KEBAB_NOWHERE}/x"\n',
    'contradicting dimensions': '[models.embedding]\ndimensions = 7\n',
  };
  await Promise.all(
    Object.entries(mistakes).flatMap(([name, content]) => {
      const file = world.write(`projects/mistakes/${name.replaceAll(' ', '-')}.toml`, content);
      return [
        recorder.cli(world, 'errors', ['search', 'memory', '-k', '1', '--config', file], {
          name: `configuration: ${name}`,
          human: true,
        }),
        recorder.cli(world, 'errors', ['doctor', '--config', file], { name: `doctor with configuration: ${name}` }),
      ];
    }),
  );
  const variables = {
    KEBAB_SEARCH_DEFAULT_K: 'many',
    KEBAB_SEARCH_DEFAULT_KAY: '3',
    KEBAB_WORKSPACE_EXCLUDE: '["a/**", "b/**"]',
    KEBAB_WORKSPACE_INCLUDE: '**/*.md,**/*.txt',
    KEBAB_STORAGE_QDRANT: '{"url": "http://user:secret@127.0.0.1:6333", "api_key": "secret"}',
    KEBAB_MODELS_LLM_API_KEY: 'secret',
    KEBAB_READONLY: 'yes',
    KEBAB_LOG: 'debug',
  };
  await Promise.all(
    Object.entries(variables).map(([name, value]) =>
      recorder.cli(world.with({ [name]: value }), 'config show', ['config', 'show'], { name: `${name}=${value}` }),
    ),
  );
}

/** Configuration of the server for agents. */
export async function recordInstalling(recorder, world) {
  for (const client of ['claude-code', 'claude-desktop', 'cursor', 'vscode', 'emacs'])
    await recorder.human(world, 'mcp install', ['mcp', 'install', '--client', client]);
  await recorder.human(world, 'mcp install', ['mcp', 'install', '--client', 'vscode', '--write']);
  await recorder.human(world, 'mcp install', ['mcp', 'install', '--client', 'vscode', '--write'], {
    name: 'a second time',
  });
  await recorder.human(world, 'mcp install', ['mcp', 'install']);
}
