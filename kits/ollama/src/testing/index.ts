export { type Fault, FAKE_MODELS, type FakeModel, type FakeModels, wordVector, type EmbedText } from './fake-models.ts';
export type { FakeChatBody, FakeMessage, FakeReply } from './fake-chat.ts';
export { startFakeOllama, type FakeOllama, type FakeOllamaOptions, type FakeRequest } from './fake-ollama.ts';
