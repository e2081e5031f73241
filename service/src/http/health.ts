/** `GET /healthz`: the process answers. `GET /readyz`: it can serve, its database included, and what its clock says. */
import Type from 'typebox';
import type { ClockWatch } from '../db/index.ts';
import { failure } from '../lib/failures.ts';
import type { HttpServer } from './server.ts';

const Health = Type.Object({ status: Type.Literal('ok') }, { description: 'The service answers.' });

const Readiness = Type.Object(
  {
    status: Type.Literal('ok'),
    clock_offset_ms: Type.Integer({
      description:
        'Milliseconds by which the clock of this process is ahead of the database’s; negative when it is behind.',
    }),
  },
  { description: 'The process can serve.' },
);

export function registerHealth(app: HttpServer, clocks: Pick<ClockWatch, 'measure'>): void {
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
      schema: { tags: ['operations'], summary: 'Can it serve?', response: { 200: Readiness } },
    },
    async () => {
      const clock_offset_ms = await clocks.measure().catch((error: unknown) => {
        throw failure('unavailable', { detail: 'The database does not answer.', cause: error });
      });
      return { status: 'ok' as const, clock_offset_ms };
    },
  );
}
