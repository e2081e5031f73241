/** `GET /healthz`: the process answers. `GET /readyz`: it can serve, its database included. */
import Type from 'typebox';
import type { Db } from '../db/index.ts';
import { failure } from '../lib/failures.ts';
import type { HttpServer } from './server.ts';

const Health = Type.Object({ status: Type.Literal('ok') }, { description: 'The service answers.' });

export function registerHealth(app: HttpServer, db: Db): void {
  app.get(
    '/healthz',
    {
      logLevel: 'warn',
      exposeHeadRoute: true,
      config: { access: 'open', roles: 'every' },
      schema: { tags: ['operations'], summary: 'Is the process alive?', response: { 200: Health } },
    },
    async () => ({ status: 'ok' as const }),
  );
  app.get(
    '/readyz',
    {
      logLevel: 'warn',
      exposeHeadRoute: true,
      config: { access: 'open', roles: 'every' },
      schema: { tags: ['operations'], summary: 'Can it serve?', response: { 200: Health } },
    },
    async () => {
      await db.query('select 1').catch((error: unknown) => {
        throw failure('unavailable', { detail: 'The database does not answer.', cause: error });
      });
      return { status: 'ok' as const };
    },
  );
}
