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
export { isTooLong, unreachable, type CallSite } from './ollama-failure.ts';
export { workLimits, type TimeLimits } from './call-watch.ts';
