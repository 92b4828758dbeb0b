// Runs of a small golden suite, with aggregates and comparisons.

const SUITE = `
- id: normans
  query: Where did the Normans settle?
  expected_doc_paths: [PATH]
  must_contain: [Norman]
- id: mark
  query: byte order mark
  group: marks
  expected_uris: ['odd/bom.md#L1-L3']
- id: mark-again
  query: a byte order mark before the heading
  group: marks
  expected_uris: ['odd/bom.md#L1-L3']
- id: code
  query: mean of the reciprocal ranks
  expected_doc_paths: [kebab_eval/metrics.py]
  difficulty: hard
- id: korean
  query: 이 파일의 이름은
  lang: ko
  expected_doc_paths: ['odd/한글 파일.md']
- id: dragons
  query: Which purple dragons ate the lighthouse keeper?
  answerable: false
  forbidden: [dragon]
`;

const MISTAKES = `
- id: twice
  query: a
- id: twice
  query: b
- id: lost
  query: c
  expected_doc_paths: [nowhere.md]
  expected_uris: ['odd/bom.md#L900']
- id: odd
  query: d
  expectation: none
`;

const runOf = (lines) => lines.find((line) => line?.schema_version === 'eval_run.v1')?.run_id ?? 'run_none';

/** Runs in two modes and with answers, their aggregates and comparisons; and suites with mistakes. */
export async function recordEvaluations(recorder, world, documents) {
  const normans = documents.find(({ doc_path: path }) => path.startsWith('encyclopedia/'))?.doc_path ?? 'none';
  const suite = world.write('work/golden.yaml', SUITE.replace('PATH', JSON.stringify(normans)));
  const mistakes = world.write('work/mistakes.yaml', MISTAKES);
  const run = (...flags) => recorder.cli(world, 'eval', ['eval', 'run', '--suite', 'golden.yaml', ...flags]);
  const [a, b] = [runOf(await run('--mode', 'lexical')), runOf(await run('--mode', 'vector', '-k', '5'))];
  await run('--with-rag', '--mode', 'hybrid');
  await recorder.human(world, 'eval', ['eval', 'run', '--suite', suite, '--with-rag'], { name: 'run for people' });
  const calls = [
    { name: 'aggregate', args: ['aggregate', a] },
    { name: 'compare', args: ['compare', a, b] },
    { name: 'compare strictly', args: ['compare', a, b, '--strict-chunker-version'] },
    { name: 'compare a run with itself', args: ['compare', a, a] },
    { name: 'aggregate of no run', args: ['aggregate', 'run_none'] },
    { name: 'run a suite with mistakes', args: ['run', '--suite', mistakes] },
    { name: 'run no suite', args: ['run', '--suite', 'nowhere.yaml'] },
    { name: 'run without a suite', args: ['run'] },
  ];
  for (const { name, args } of calls) await recorder.cli(world, 'eval', ['eval', ...args], { name, human: true });
  await recorder.cli(world, 'eval', ['eval', 'compare', a, b, '--write-report'], { name: 'compare with a report' });
}
