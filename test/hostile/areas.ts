import type { Area } from './harness/area.ts';
import { CROWD_AREAS } from './faults/crowds.ts';
import { INTERRUPTED_INGESTS } from './faults/interrupted-ingests.ts';
import { FUZZING } from './fuzz/fuzz-area.ts';
import { CHECKOUTS } from './inputs/checkouts.ts';
import { COMMAND_AREAS } from './inputs/commands.ts';
import { JSON_RPC_AREAS } from './inputs/json-rpc.ts';
import { DAMAGE_AREAS } from './inputs/damage.ts';
import { GREAT_ANSWERS } from './inputs/great-answers.ts';
import { HOSTILE_PLUGINS } from './inputs/plugins.ts';
import { FOLDER_AREAS } from './inputs/read-folder.ts';
import { ANSWER_SERVERS } from './servers/answer-servers.ts';
import { EMBEDDING_SERVERS } from './servers/embedding-servers.ts';
import { VECTOR_SERVERS } from './servers/vector-servers.ts';
import { TERMINAL } from './inputs/terminal.ts';
import { OWN_PLACES } from './inputs/own-places.ts';
import { TOOL_AREAS } from './inputs/tool-calls.ts';

/** Everything that is replayed, by entry point. */
export const AREAS: readonly Area[] = [
  ...FOLDER_AREAS,
  ...TOOL_AREAS,
  ...COMMAND_AREAS,
  ...JSON_RPC_AREAS,
  OWN_PLACES,
  CHECKOUTS,
  TERMINAL,
  GREAT_ANSWERS,
  ...DAMAGE_AREAS,
  HOSTILE_PLUGINS,
  ...EMBEDDING_SERVERS,
  ...ANSWER_SERVERS,
  ...VECTOR_SERVERS,
  ...INTERRUPTED_INGESTS,
  ...CROWD_AREAS,
  FUZZING,
];
