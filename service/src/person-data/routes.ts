/** `/me/export` */
import Type from 'typebox';
import { callingUserId, getCaller, type HttpServer } from '../http/index.ts';
import { readOrigin } from '../identity/index.ts';
import type { Job } from '../jobs/index.ts';
import { createErasureJob } from './erase-users.ts';
import { exportPerson, type PersonDataDeps } from './export-person.ts';
import { operations } from './operations.ts';

/** @returns its jobs */
export function registerPersonData(app: HttpServer, deps: PersonDataDeps): Job[] {
  app.get(
    '/me/export',
    {
      config: { access: { scopes: ['identity:manage'], tokens: ['business'] as const } },
      schema: {
        ...operations.exportMe,
        response: {
          200: {
            description: 'The archive.',
            content: {
              'application/zip': { schema: Type.String({ contentMediaType: 'application/zip' }) },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const caller = { ...getCaller(request), userId: callingUserId(request) };
      const archive = await exportPerson(deps, caller, readOrigin(request));
      reply
        .type('application/zip')
        .header('cache-control', 'no-store')
        .header('content-disposition', `attachment; filename="account-${caller.userId}.zip"`);
      return reply.send(archive as never);
    },
  );
  return [createErasureJob(deps.database, deps.clock)];
}
