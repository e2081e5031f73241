/** `GET /healthz`: the process runs. `GET /readyz`: it can serve, database included. */

import Type from 'typebox';
import type { ClockWatch } from '../db/index.ts';
import { failure } from '../lib/failures.ts';
import { operations } from './operations.ts';
import type { HttpServer } from './types.ts';

const Health = Type.Object({ status: Type.Literal('ok') }, { description: 'The process runs.' });

const Readiness = Type.Object(
  {
    status: Type.Literal('ok'),
    clock_offset_ms: Type.Integer({
      description: 'Clock of this instance minus that of the database, in milliseconds.',
    }),
  },
  { description: 'The instance can serve.' },
);

export function registerHealth(app: HttpServer, clocks: Pick<ClockWatch, 'measure'>): void {
  app.get(
    '/healthz',
    {
      logLevel: 'warn',
      exposeHeadRoute: true,
      config: { access: 'open', roles: 'every' },
      schema: { ...operations.getHealth, response: { 200: Health } },
    },
    async () => ({ status: 'ok' as const }),
  );
  app.get(
    '/readyz',
    {
      logLevel: 'warn',
      exposeHeadRoute: true,
      config: { access: 'open', roles: 'every' },
      schema: { ...operations.getReadiness, response: { 200: Readiness } },
    },
    async () => {
      const clock_offset_ms = await clocks.measure().catch((error: unknown) => {
        throw failure('unavailable', { detail: 'The database does not respond.', cause: error });
      });
      return { status: 'ok' as const, clock_offset_ms };
    },
  );
}
