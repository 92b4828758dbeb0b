import { KEBAB_VERSION } from '@kebab/core/app';
import { INSTRUCTIONS } from './instructions.ts';
import type { LiveApp } from './live-app.ts';
import { PROMPTS } from './prompts/kebab-prompts.ts';
import type { Surface } from './protocol/surface.ts';
import { completeArgument } from './resources/complete.ts';
import { kebabResources } from './resources/kebab-resources.ts';
import { rpcErrorOf } from './resources/rpc-error-of.ts';
import { ALL_TOOLS } from './tools/all-tools.ts';
import { serveTool } from './tools/serve-tool.ts';

/** Everything that kebab offers over the protocol, on top of one App. */
export function kebabSurface(live: LiveApp): Surface {
  return {
    info: { name: 'kebab', title: 'kebab', version: KEBAB_VERSION },
    instructions: INSTRUCTIONS,
    tools: ALL_TOOLS.map((tool) => serveTool(tool, live)),
    resources: kebabResources(live),
    prompts: PROMPTS,
    complete: (request, context) => completeArgument(live, request, context).catch(rpcErrorOf),
  };
}
