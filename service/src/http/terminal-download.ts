/** `GET /edge-terminal.mjs`: the terminal as one file, so that one command makes any machine with Node.js a device. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { failure } from '../lib/failures.ts';

const FILE = fileURLToPath(new URL('../../dist/edge-terminal.mjs', import.meta.url));

/** @param file where the terminal was built to */
export function registerTerminalFile(app: FastifyInstance, file: string = FILE): void {
  let content: Promise<string> | undefined;
  const load = (): Promise<string> =>
    readFile(file, 'utf8').catch((error: unknown) => {
      content = undefined;
      throw failure('unavailable', {
        detail: 'The terminal is not built: run "npm run prepare".',
        cause: error,
      });
    });
  app.get(
    '/edge-terminal.mjs',
    { exposeHeadRoute: true, config: { access: 'open' }, schema: { hide: true } },
    async (_request, reply) => {
      content ??= load();
      return reply
        .type('text/javascript; charset=utf-8')
        .headers({
          'content-disposition': 'attachment; filename="edge-terminal.mjs"',
          'cache-control': 'no-cache',
        })
        .serializer((body: string) => body)
        .send(await content);
    },
  );
}
