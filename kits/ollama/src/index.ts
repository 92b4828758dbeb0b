export {
  shortDigest,
  type ModelFacts,
  rememberedFacts,
  OllamaServer,
  type ChatCall,
  type ChatPart,
  type EmbedCall,
  type OllamaServerOptions,
} from './ollama-server.ts';
export { isTooLong, refusesThink, unreachable, type CallSite } from './ollama-failure.ts';
