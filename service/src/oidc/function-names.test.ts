/** Instances of the version before call the functions of the database by their old names. */
import { expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { insertUser } from '../../test/support/test-users.ts';

const DECIDED_AT = '2026-11-27T12:00:00Z';

test.each(RUN_ENGINES)('old names of functions answer as the new ones on %s', async (engine) => {
  const database = await openTestDatabase(engine);
  const userId = await insertUser(database);
  const values = [userId, 'app', DECIDED_AT];
  const read = async () => {
    const { rows } = await database.query(
      `select sign_in($1, null, null, $2, $3)::text as old_sign_in,
         load_sign_in($1, null, null, $2, $3)::text as new_sign_in,
         may_take_decision($1, $2, $3) as old_decision,
         can_record_decision($1, $2, $3) as new_decision,
         wait_for_endings($1), wait_for_revocations($1)`,
      values,
    );
    return rows[0] as Record<string, unknown>;
  };
  const before = await read();
  expect(before).toMatchObject({
    new_sign_in: expect.stringContaining(`"user_id" : ${userId}`),
    new_decision: true,
  });
  expect([before.old_sign_in, before.old_decision]).toEqual([before.new_sign_in, true]);
  await database.query(
    `insert into token_revocation (kind, value, reason, effective_at, until)
     values ('connection', $1 || ' ' || $2, 'disconnected', $3::timestamptz,
       $3::timestamptz + interval '1 day')`,
    values.map(String),
  );
  const after = await read();
  expect([after.old_decision, after.new_decision]).toEqual([false, false]);
  await database.close();
});
