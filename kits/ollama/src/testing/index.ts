export type { Fault } from './fake-answer.ts';
export type { FakeChatBody, FakeMessage, FakeReply } from './fake-chat.ts';
export { wordVector, type EmbedText } from './fake-embed.ts';
export { FAKE_MODELS, type FakeModel, type FakeModels } from './fake-models.ts';
export { startFakeOllama, type FakeOllama, type FakeOllamaOptions, type FakeRequest } from './fake-ollama.ts';
