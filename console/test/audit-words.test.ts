/** Each operation, each command and each kind of subject that the audit log can name has words. */
import { expect, test } from 'vitest';
import { NOT_AUDITED } from '../../service/src/audit/index.ts';
import { ACTIONS } from '../../service/src/commands/actions.ts';
import { AUDITED_COMMANDS } from '../../service/src/commands/run-command-line.ts';
import { openTestDatabase, RUN_ENGINES } from '../../service/test/support/databases.ts';
import { startService } from '../../service/test/support/running-service.ts';
import { CATALOGUES } from './support/catalogues.ts';

interface Paths {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId: string }>>>>;
}

test.each(RUN_ENGINES)(
  'what the service on %s writes has words in each language',
  async (engine) => {
    const database = await openTestDatabase(engine);
    const service = await startService(database);
    const { paths } = (await (await fetch(`${service.baseUrl}/openapi.json`)).json()) as Paths;
    const { rows } = await database.query<{ kind: string }>(
      `select distinct split_part(encode(tgargs, 'escape'), '\\000', 1) as kind
     from pg_trigger t join pg_proc p on p.oid = t.tgfoid where p.proname = 'record_change'`,
    );
    await service.stop();
    await database.close();
    const changes = Object.entries(paths)
      .filter(([path]) => path.startsWith('/operator/'))
      .flatMap(([path, methods]) =>
        Object.entries(methods).flatMap(([method, { operationId }]) =>
          method === 'get' || NOT_AUDITED.get(operationId) === 'always'
            ? []
            : [{ operationId, kind: path.split('/')[2] ?? '' }],
        ),
      );
    const operations = [
      ...changes.map(({ operationId }) => operationId),
      ...[...Object.keys(ACTIONS), ...AUDITED_COMMANDS],
      ...['insert', 'update', 'delete'],
    ];
    const kinds = new Set([...changes, ...rows].map(({ kind }) => kind).concat('commands'));
    for (const { operator } of CATALOGUES.values()) {
      expect(Object.keys(operator.audit.operation).sort()).toEqual(operations.sort());
      expect(Object.keys(operator.audit.subjects).sort()).toEqual([...kinds].sort());
    }
  },
);
