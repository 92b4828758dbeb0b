export { LoopbackHub, type HubFaults, type HubRequest } from './loopback-hub.ts';
export { writeOnnx, type OnnxGraph, type OnnxNode, type OnnxValueShape } from './onnx-writer.ts';
export {
  sharedModel,
  TINY_WORDS,
  tinyTable,
  writeTinyModel,
  writeTinyTable,
  type TinyModelOptions,
  type TinyTensor,
} from './tiny-model.ts';
export { tinyOverlap, tinyWords, writeTinyCrossEncoder, type TinyCrossEncoderOptions } from './tiny-cross-encoder.ts';
