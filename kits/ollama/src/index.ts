export { shortDigest, type ModelFacts } from './model-facts.ts';
export { isTooLong, unreachable, type CallSite } from './ollama-failure.ts';
export {
  OllamaServer,
  type ChatCall,
  type ChatPart,
  type EmbedCall,
  type OllamaServerOptions,
} from './ollama-server.ts';
export { rememberedFacts } from './remembered-facts.ts';
export { workLimits, type TimeLimits } from './time-limits.ts';
