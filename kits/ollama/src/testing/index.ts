export { type Fault, FAKE_MODELS, type FakeModel, type FakeModels, wordVector, type EmbedText } from './fake-models.ts';
export {
  type FakeChatBody,
  type FakeMessage,
  type FakeReply,
  startFakeOllama,
  type FakeOllama,
  type FakeOllamaOptions,
  type FakeRequest,
} from './fake-ollama.ts';
