/** Shows each answer of each Fastify instance of this worker to a listener, as it was sent. */
import { subscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';

export interface ObservedAnswer {
  readonly request: FastifyRequest;
  /** Media type of the request; the provider's routes change the header. */
  readonly bodyType: string;
  readonly status: number;
  /** Without parameters; `''` if there is no body. */
  readonly mediaType: string;
  readonly location: string | undefined;
  readonly text: string;
}

const mediaTypeOf = (header = ''): string => header.split(';', 1)[0] ?? '';

/** Keeps what is written: the provider's answers do not pass Fastify's hooks. */
function keepText(raw: ServerResponse): () => string {
  const chunks: Buffer[] = [];
  const keep = (chunk: unknown): void => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  const { write, end } = raw;
  let isEnding = false;
  raw.write = ((...args: Parameters<typeof write>) => {
    // `end` may write its last chunk by `write`.
    if (!isEnding) keep(args[0]);
    return write.apply(raw, args);
  }) as typeof write;
  raw.end = ((...args: Parameters<typeof end>) => {
    keep(args[0]);
    isEnding = true;
    return end.apply(raw, args);
  }) as typeof end;
  return () => Buffer.concat(chunks).toString();
}

/** Finds headers of the answer: those of `writeHead` are not among those that were set. */
function keepHeaders(raw: ServerResponse): (name: string) => string | undefined {
  const { writeHead } = raw;
  let written: Readonly<Record<string, unknown>> = {};
  raw.writeHead = ((...args: Parameters<typeof writeHead>) => {
    const last: unknown = args.at(-1);
    if (typeof last === 'object' && last !== null) written = { ...last };
    return writeHead.apply(raw, args);
  }) as typeof writeHead;
  return (name) => (written[name] ?? raw.getHeader(name))?.toString();
}

/** Calls the listener after each answer of a documented operation, streams that were cut too. */
export function observeAnswers(listener: (answer: ObservedAnswer) => void): void {
  subscribe('fastify.initialization', (message) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRequest', async (request, reply) => {
      if (request.routeOptions.schema?.operationId === undefined) return;
      const { raw } = reply;
      const bodyType = mediaTypeOf(request.headers['content-type']);
      const readText = keepText(raw);
      const headerOf = keepHeaders(raw);
      let isReported = false;
      const report = (): void => {
        if (isReported || !raw.headersSent || request.method === 'HEAD') return;
        isReported = true;
        listener({
          request,
          bodyType,
          status: raw.statusCode,
          mediaType: mediaTypeOf(headerOf('content-type')),
          location: headerOf('location'),
          text: readText(),
        });
      };
      raw.once('finish', report);
      raw.once('close', report);
    });
  });
}
