import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../service/test/support/databases.ts';
import { renderSchema } from './write-schema-docs.ts';

test.each(ENGINES)('docs/schema.md matches the database on %s (npm run docs)', async (engine) => {
  const database = await openTestDatabase(engine, { isOwner: true });
  expect(await renderSchema(database)).toBe(
    readFileSync(new URL('../docs/schema.md', import.meta.url), 'utf8'),
  );
  await database.close();
});

test('a table without a domain is refused', async () => {
  const database = await openTestDatabase('server', { isOwner: true });
  await database.query('create table stray (id int)');
  await expect(renderSchema(database)).rejects.toThrow('table stray is in no domain');
  await database.close();
});

test('a reference with a foreign key must not be in the list of those without', async () => {
  const database = await openTestDatabase('server', { isOwner: true });
  await database.query(
    `alter table reward_chunk
     add constraint chunk_batch_fkey foreign key (batch_id) references reward_batch (id)`,
  );
  await expect(renderSchema(database)).rejects.toThrow('reward_chunk.batch_id');
  await database.close();
});
