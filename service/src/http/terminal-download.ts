/** `GET /edge-terminal.mjs`: the terminal as one file, which runs on any machine with Node.js. */
import { fileURLToPath } from 'node:url';
import { readBuilt } from './read-built.ts';
import type { HttpServer } from './types.ts';

const FILE = fileURLToPath(new URL('../../dist/edge-terminal.mjs', import.meta.url));

export function registerTerminalFile(app: HttpServer): void {
  app.get(
    '/edge-terminal.mjs',
    { exposeHeadRoute: true, config: { access: 'open' }, schema: { hide: true } },
    async (_request, reply) =>
      reply
        .type('text/javascript; charset=utf-8')
        .headers({
          'content-disposition': 'attachment; filename="edge-terminal.mjs"',
          'cache-control': 'no-cache',
        })
        .serializer((body: string) => body)
        .send(await readBuilt(FILE, 'npm run prepare')),
  );
}
