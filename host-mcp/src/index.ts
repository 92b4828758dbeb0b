export { servePipe, type PipeOptions, type ServeOptions } from './serve-pipe.ts';
export { servePort, type PortOptions } from './serve-port.ts';
export type { HttpServer } from './transport/serve-http.ts';
