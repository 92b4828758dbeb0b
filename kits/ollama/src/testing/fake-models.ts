import { createHash } from 'node:crypto';

/** A model as a fake server has it. */
export interface FakeModel {
  /** Tokens of its window; a token stands for four characters of input. */
  readonly contextTokens: number;
  /** `completion`, `vision`, `thinking`, `embedding`; left out, the server says nothing about it, as old ones do. */
  readonly capabilities?: readonly string[];
  /** The length of its vectors, for a model that embeds. */
  readonly dimensions?: number;
  /** Whether `/api/show` keeps to itself how long vectors are. */
  readonly hidesDimensions?: boolean;
}

/** Models by full name: one that chats, one with eyes, one that thinks, one that embeds. */
export type FakeModels = Readonly<Record<string, FakeModel>>;

/** What a fake server has unless a test says otherwise. */
export const FAKE_MODELS: FakeModels = {
  'tiny:latest': { contextTokens: 4096, capabilities: ['completion'] },
  'eyes:latest': { contextTokens: 8192, capabilities: ['completion', 'vision'] },
  'thinker:latest': { contextTokens: 4096, capabilities: ['completion', 'thinking'] },
  'vectors:latest': { contextTokens: 512, capabilities: ['embedding'], dimensions: 64 },
};

/** The model of that name; one without a tag is the latest. */
export function findModel(models: FakeModels, name: string): FakeModel | undefined {
  return models[name.includes(':') ? name : `${name}:latest`];
}

/** How many tokens a fake model makes of a text. */
export function countTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

const DETAILS = {
  parent_model: '',
  format: 'gguf',
  family: 'fake',
  families: ['fake'],
  parameter_size: '1M',
  quantization_level: 'Q8_0',
};

/** An entry of `GET /api/tags`; the digest depends on the name and on what the model is. */
export function listed(name: string, model: FakeModel): object {
  const digest = createHash('sha256')
    .update(`${name} ${JSON.stringify(model)}`)
    .digest('hex');
  return { name, model: name, modified_at: new Date(0).toISOString(), size: 1000, digest, details: DETAILS };
}

/** The answer of `POST /api/show`. */
export function shown({ contextTokens, capabilities, dimensions, hidesDimensions = false }: FakeModel): object {
  return {
    modelfile: '',
    parameters: '',
    template: '{{ .Prompt }}',
    details: DETAILS,
    model_info: {
      'general.architecture': 'fake',
      'fake.context_length': contextTokens,
      ...(dimensions === undefined || hidesDimensions ? {} : { 'fake.embedding_length': dimensions }),
    },
    ...(capabilities === undefined ? {} : { capabilities }),
  };
}
