import type { GenerateRequest } from '@kebab/core';

/** The body of `POST /v1/chat/completions` for a request. */
export function chatBody(model: string, request: GenerateRequest): object {
  const { messages, images = [], stop, maxTokens, temperature, seed } = request;
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  return {
    model,
    messages: messages.map(({ role, text }, at) => ({
      role,
      content: at === asked && images.length > 0 ? [{ type: 'text', text }, ...images.map(imagePart)] : text,
    })),
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: maxTokens,
    temperature,
    ...(seed === undefined ? {} : { seed }),
    ...(stop.length === 0 ? {} : { stop }),
  };
}

function imagePart(png: Uint8Array): object {
  return { type: 'image_url', image_url: { url: `data:image/png;base64,${Buffer.from(png).toString('base64')}` } };
}
