// Questions to a scripted model: answers, refusals, faults, conversations, several hops; and the model's input.
import { quoteFirst, wordsOf } from '../language-model.mjs';

const NORMANS = 'Where did the Normans settle?';
const OIL = 'Which unusual measures followed the oil embargo in Patagonia?';

/** Questions with individual replies. */
const SCRIPTED = [
  { name: 'a quotation and a citation', question: NORMANS },
  { name: 'explained', question: NORMANS, flags: ['--explain'] },
  { name: 'words alone', question: NORMANS, flags: ['--mode', 'lexical', '-k', '3'] },
  { name: 'vectors alone', question: NORMANS, flags: ['--mode', 'vector', '-k', '3', '--explain'] },
  { name: 'filters', question: 'What is a boundary layer?', flags: ['--path-glob', 'aerodynamics/**', '-k', '4'] },
  { name: 'temperature and seed', question: NORMANS, flags: ['--temperature', '0.7', '--seed', '42', '-k', '2'] },
  { name: 'Korean', question: '전자금융 거래란 무엇인가?' },
  { name: 'code', question: 'How does compute_mrr treat a rank of None?', flags: ['--media', 'code'] },
  {
    name: 'a wrong quotation and an unknown number',
    question: NORMANS,
    answer: () => 'They came "with purple sails" [#1]. There were 987,654 of them [#2].',
  },
  {
    name: 'markers that are not there, and several at once',
    question: NORMANS,
    answer: (passages) => `Something [#99]. "${wordsOf(passages[1])}" [#2][#1]. Plain [2] and (#1).`,
  },
  { name: 'the model finds nothing', question: NORMANS, answer: () => '[[NO_EVIDENCE]] The evidence is insufficient.' },
  { name: 'an answer without a marker', question: NORMANS, answer: () => 'They settled in Normandy.' },
  { name: 'an empty answer', question: NORMANS, answer: () => '' },
  {
    name: 'thoughts before the answer',
    question: NORMANS,
    answer: (p) => `<think>Let me see.</think>${quoteFirst(p)}`,
  },
  { name: 'nothing relevant', question: 'zyzzyva quokka xylophone?' },
  { name: 'below the gate', question: 'Which purple dragons ate the lighthouse keeper in Patagonia?' },
  { name: 'a file', question: 'What does @odd/crlf.md say?' },
  { name: 'files that cannot be had', question: 'Compare @nowhere.md, @../../etc/passwd and @media/binary.txt please' },
  { name: 'a file and nothing else', question: '@"odd/with spaces and (brackets) [1].md"' },
  { name: 'an escaped file', question: 'What is \\@odd/crlf.md or me@example.com about the Normans?' },
  { name: 'the model breaks off', question: NORMANS, fault: 'CUT' },
  { name: 'the model errs', question: NORMANS, fault: 'ERR' },
  { name: 'the model ends early', question: NORMANS, fault: 'EOF' },
  { name: 'the model is busy', question: NORMANS, fault: 'BUSY' },
  { name: 'a proxy answers', question: NORMANS, fault: 'HTML' },
  { name: 'several hops', question: 'How do Normans and oil compare?', flags: ['--multi-hop', '--explain'] },
  {
    name: 'several hops, and more',
    question: 'How do Normans and oil compare?',
    flags: ['--multi-hop', '-k', '3'],
    env: { KEBAB_RAG_MULTI_HOP_MAX_POOL_CHUNKS: '40' },
    decompose: () => '```json\n["Normans in Normandy", "1973 oil crisis"]\n```',
    decide: (messages) => (messages[0].content.includes('embargo') ? '[]' : '["oil embargo"]'),
  },
  {
    name: 'several hops, which cannot be parsed',
    question: 'How do Normans and oil compare?',
    flags: ['--multi-hop'],
    decompose: () => 'I would search for Normans.',
  },
  { name: 'streamed', question: NORMANS, flags: ['--stream', '-k', '2'] },
  { name: 'streamed refusal', question: 'zyzzyva quokka xylophone?', flags: ['--stream'] },
];

/** Questions whose output for people is recorded too. */
const HUMAN = [
  'a quotation and a citation',
  'explained',
  'a wrong quotation and an unknown number',
  'nothing relevant',
  'below the gate',
  'the model finds nothing',
  'files that cannot be had',
  'several hops',
  'the model breaks off',
];

/** All questions. They run one after the other: the model has one script at a time. */
export async function recordAnswers(recorder, world, model) {
  for (const { name, question, flags = [], env = {}, ...script } of SCRIPTED) {
    const args = ['ask', question, ...flags];
    model.script = script;
    const sent = model.log.length;
    await recorder.cli(world.with(env), 'ask', args, { name });
    recorder.keep('ask', `${name}, what the model was sent`, requestsSince(model, sent));
    if (HUMAN.includes(name)) await recorder.human(world, 'ask', args, { name });
  }
  model.script = {};
  await recordConversations(recorder, world, model);
  await recordSettings(recorder, world);
}

function requestsSince(model, from) {
  return model.log.slice(from).filter(({ path }) => path === '/api/chat');
}

async function recordConversations(recorder, world, model) {
  const turn = async (name, args) => {
    const sent = model.log.length;
    await recorder.cli(world, 'ask', args, { name });
    recorder.keep('ask', `${name}, what the model was sent`, requestsSince(model, sent));
  };
  await turn('first turn', ['ask', NORMANS, '--session', 'normans', '-k', '2']);
  await turn('second turn', ['ask', 'And when?', '--session', 'normans', '-k', '2']);
  await turn('third turn, with a file', ['ask', 'What of @odd/bom.md?', '--session', 'normans', '-k', '2']);
  await new Promise((resolve) => setTimeout(resolve, 1100)); // conversations are ordered by seconds
  await turn('another conversation', ['ask', 'zyzzyva?', '--session', 'other.one']);
  await recorder.cli(world, 'ask', ['ask', 'x', '--session', 'bad name!']);
  await recorder.cli(world, 'sessions', ['sessions', 'list'], { human: true });
  await recorder.cli(world, 'sessions', ['sessions', 'show', 'normans'], { human: true });
  await recorder.cli(world, 'sessions', ['sessions', 'show', 'nowhere'], { human: true });
  await recorder.cli(world, 'sessions', ['sessions', 'delete', 'other.one']);
  await recorder.cli(world, 'sessions', ['sessions', 'delete', 'other.one'], {
    name: 'delete a second time',
    human: true,
  });
  await recorder.cli(world, 'sessions', ['sessions', 'list'], { name: 'list after a deletion' });
}

/** Questions under other settings of the pipeline. */
async function recordSettings(recorder, world) {
  const settings = [
    { name: 'template rag-v1', env: { KEBAB_RAG_PROMPT_TEMPLATE_VERSION: 'rag-v1' } },
    { name: 'an unknown template', env: { KEBAB_RAG_PROMPT_TEMPLATE_VERSION: 'rag-v9' } },
    { name: 'a gate of 1', env: { KEBAB_RAG_SCORE_GATE: '1' }, question: OIL },
    { name: 'a gate of one mode', env: { KEBAB_RAG_SCORE_GATE_HYBRID: '0.99' }, question: OIL },
    { name: 'little room', env: { KEBAB_RAG_MAX_CONTEXT_TOKENS: '700' } },
    { name: 'too little room', env: { KEBAB_RAG_MAX_CONTEXT_TOKENS: '100' } },
    { name: 'always explained', env: { KEBAB_RAG_EXPLAIN_DEFAULT: 'true', KEBAB_RAG_DEFAULT_K: '2' } },
    { name: 'an unknown model', env: { KEBAB_MODELS_LLM_MODEL: 'absent' } },
    { name: 'a server that is not there', env: { KEBAB_MODELS_LLM_ENDPOINT: 'http://127.0.0.1:9' } },
    { name: 'an OpenAI-compatible server that is none', env: { KEBAB_MODELS_LLM_PROVIDER: 'openai' } },
    { name: 'an unknown provider', env: { KEBAB_MODELS_LLM_PROVIDER: 'oracle' } },
  ];
  for (const { name, env, question = NORMANS } of settings)
    await recorder.cli(world.with(env), 'ask', ['ask', question, '--mode', 'hybrid'], { name, human: true });
  const verified = world.with({ KEBAB_RAG_NLI_THRESHOLD: '0.5', KEBAB_MODELS_NLI_PROVIDER: 'transformers' });
  await recorder.cli(verified, 'ask', ['ask', NORMANS, '--multi-hop'], { name: 'verification without its model' });
  await recorder.cli(world, 'ask', ['ask', NORMANS, '--readonly', '-k', '1'], { name: 'read-only' });
  await recorder.cli(world, 'ask', ['ask', NORMANS, '--readonly', '--session', 'x'], {
    name: 'read-only conversation',
  });
}
