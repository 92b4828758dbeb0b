export { shortDigest, type ModelFacts, rememberedFacts } from './model-facts.ts';
export { isTooLong, unreachable, type CallSite } from './ollama-failure.ts';
export {
  OllamaServer,
  type ChatCall,
  type ChatPart,
  type EmbedCall,
  type OllamaServerOptions,
} from './ollama-server.ts';
export { workLimits, type TimeLimits } from './call-watch.ts';
