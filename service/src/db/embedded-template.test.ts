import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migrate, openEmbedded } from './index.ts';

test('a first start that was killed leaves no state that breaks the next', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'edge-account-template-'));
  mkdirSync(join(directory, 'pg.unfinished'));
  writeFileSync(join(directory, 'pg.unfinished', 'PG_VERSION'), 'half');
  const first = await openEmbedded({ directory });
  await migrate(first);
  expect(existsSync(join(directory, 'pg.unfinished'))).toBe(false);
  await first.query(
    `insert into mail (recipient, subject, body, created_at, next_attempt_at)
      values ('a', 'b', 'c', now(), now())`,
  );
  await first.close();
  // Data of its own is never replaced by the template.
  const second = await openEmbedded({ directory });
  expect(await migrate(second)).toEqual([]);
  expect((await second.query('select 1 from mail')).rowCount).toBe(1);
  await second.close();
  rmSync(directory, { recursive: true, force: true });
});
