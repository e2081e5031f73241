/** A shadow run: the source changes, and so does this service, until the switch. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestDatabase } from '../../test/support/databases.ts';
import {
  CLOSED_ACCOUNT_TTL_S,
  createImportFolder,
  type ImportFolder,
} from '../../test/support/import-folder.ts';
import { readBalances } from '../../test/support/import-source.ts';
import { startService } from '../../test/support/running-service.ts';
import type { Database } from '../db/index.ts';
import { disableUser } from '../identity/index.ts';
import { createManualClock, systemClock } from '../lib/clock.ts';
import { eraseDueUsers } from '../person-data/index.ts';

const HEADER = 'id,email,nickname,referral_code,created_at,status';
const person = (id: number, email: string, nickname = `User ${id}`, status = 'active'): string =>
  `${id},${email}@example.test,${nickname},CODE${id},2024-01-02T03:04:05Z,${status}`;
const toFile = (...lines: readonly string[]): string => `${[HEADER, ...lines].join('\n')}\n`;

let database: Database;
let folder: ImportFolder;
beforeEach(async () => {
  database = await openTestDatabase('server', { isOwner: true });
  folder = createImportFolder();
  folder.write('people.csv', toFile(person(1, 'ann'), person(2, 'bob'), person(3, 'cem')));
  await folder.run(database);
});
afterEach(async () => {
  folder.remove();
  await database.close();
});

const since = new Date(0);
async function readPeople(): Promise<string[]> {
  const { rows } = await database.query<{ text: string }>(
    `select concat_ws(' ', id, email, nickname, referral_code, status) as text from app_user
     order by id`,
  );
  return rows.map(({ text }) => text.replaceAll('@example.test', ''));
}
const disable = (userId: number) =>
  disableUser(database, systemClock, {
    ...{ userId, clientId: 'server', reason: 'test' },
    origin: { ip: '::1', userAgent: 'test', language: 'en' },
  });

test('users exchange addresses and codes, also in a circle and with a new user', async () => {
  const swap = (line: string, id: number): string => line.replace(/CODE\d/, `CODE${id}`);
  folder.write(
    'people.csv',
    toFile(
      swap(person(1, 'bob'), 2),
      swap(person(2, 'ann'), 1),
      person(3, 'cem.new'),
      person(4, 'cem'),
    ),
  );
  for (let run = 0; run < 2; run++) {
    const { certificate } = await folder.run(database, { since });
    expect(folder.problems()).toEqual([]);
    expect(certificate?.content.agrees).toBe(true);
    expect(await readPeople()).toEqual([
      '1 bob User 1 CODE2 active',
      '2 ann User 2 CODE1 active',
      '3 cem.new User 3 CODE3 active',
      '4 cem User 4 CODE4 active',
    ]);
  }
});

test('more users than a piece has pass their addresses on in a circle', async () => {
  const count = 2100;
  const ring = (shift: number): string[] =>
    Array.from({ length: count }, (_, i) => person(i + 1, `p${(i + shift) % count}`));
  folder.write('people.csv', toFile(...ring(0)));
  await folder.run(database, { since });
  folder.write('people.csv', toFile(...ring(1)));
  const { certificate } = await folder.run(database, { since });
  expect(folder.problems()).toEqual([]);
  expect(certificate?.content.agrees).toBe(true);
  const people = await readPeople();
  expect(people).toHaveLength(count);
  expect(people[0]).toBe('1 p1 User 1 CODE1 active');
  expect(people.at(-1)).toBe(`${count} p0 User ${count} CODE${count} active`);
});

test('an address is not given away by a row that is rejected', async () => {
  folder.write(
    'people.csv',
    toFile(person(1, 'bob'), person(2, 'cem'), person(3, 'dee').replace('CODE3', 'CODE1')),
  );
  await folder.run(database, { since });
  // The code of user 1 stays with them, so user 3 keeps the address that user 2 would get.
  expect(folder.problems()).toEqual([
    'people 2 email taken',
    'people 3 email taken',
    'people 4 referral_code duplicate',
    'people 4 referral_code taken',
  ]);
  expect(await readPeople()).toEqual([
    '1 ann User 1 CODE1 active',
    '2 bob User 2 CODE2 active',
    '3 cem User 3 CODE3 active',
  ]);
});

test('what was changed here stays and is reported; --overwrite applies the source', async () => {
  await disable(1);
  await disable(2);
  folder.write(
    'people.csv',
    toFile(person(1, 'ann', 'Ann'), person(2, 'bob', 'User 2', 'disabled'), person(3, 'c3')),
  );
  for (let run = 0; run < 2; run++) {
    await folder.run(database, { since });
    expect(folder.problems()).toEqual([
      'people 2 nickname changed_here',
      'people 2 status changed_here',
    ]);
    expect(await readPeople()).toEqual([
      '1 ann User 1 CODE1 disabled',
      '2 bob User 2 CODE2 disabled',
      '3 c3 User 3 CODE3 active',
    ]);
  }
  await folder.run(database, { since, overwrites: true });
  expect(folder.problems()).toEqual([]);
  expect((await readPeople())[0]).toBe('1 ann Ann CODE1 active');
  // It is as the source has it again.
  folder.write('people.csv', toFile(person(1, 'ann', 'Anna'), person(2, 'bob'), person(3, 'c3')));
  await folder.run(database, { since });
  expect(folder.problems()).toEqual([]);
  expect((await readPeople()).slice(0, 2)).toEqual([
    '1 ann Anna CODE1 active',
    '2 bob User 2 CODE2 active',
  ]);
});

test('a user whom the source disabled is signed out here', async () => {
  const service = await startService(database);
  try {
    const [{ accessToken, deviceToken }, other] = [
      await service.tokens.login(1),
      await service.tokens.login(2),
    ];
    const ask = async (token: string, url = '/me'): Promise<unknown> => {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await service.app.http.inject({ url, headers });
      return answer.json().code ?? answer.statusCode;
    };
    expect(await ask(accessToken)).toBe(200);
    expect(await ask(deviceToken, '/me/devices')).toBe(200);
    folder.write(
      'people.csv',
      toFile(person(1, 'ann', 'User 1', 'disabled'), person(2, 'bob', 'Bob'), person(3, 'cem')),
    );
    await folder.run(database, { since });
    expect(folder.problems()).toEqual([]);
    expect(await ask(accessToken)).toBe('token_revoked');
    expect(await ask(deviceToken, '/me/devices')).toBe('token_revoked');
    expect(await ask(other.accessToken)).toBe(200);
    const { rows } = await database.query(
      'select user_id, end_reason from user_session order by user_id',
    );
    expect(rows).toEqual([
      { user_id: 1, end_reason: 'account_disabled' },
      { user_id: 2, end_reason: null },
    ]);
  } finally {
    await service.stop();
  }
});

test('a row that was rejected before comes in, although it did not change since', async () => {
  const header = `${HEADER},referrer,updated_at`;
  const [old, now] = ['2024-06-01T00:00:00Z', '2025-06-01T00:00:00Z'];
  const balance = (amount: string): void =>
    folder.write(
      'balances.csv',
      `user_id,wallet,currency,amount,updated_at\n6,asset,USDT,${amount},${old}\n`,
    );
  const write = (email: string, changed: string): void =>
    folder.write(
      'people.csv',
      [
        header,
        `${person(5, email)},,${changed}`,
        `${person(6, 'six')},5,${old}`,
        `${person(1, 'changed before')},,${old}\n`,
      ].join('\n'),
    );
  write('no address', old);
  balance('7');
  await folder.run(database);
  expect(folder.problems()).toContain('people 3 referrer unknown');
  write('five', now);
  const { counts } = await folder.run(database, { since: new Date('2025-01-01T00:00:00Z') });
  expect(folder.problems()).toEqual(['people 4 email not_an_email']);
  expect((await readPeople()).slice(3)).toEqual([
    '5 five User 5 CODE5 active',
    '6 six User 6 CODE6 active',
  ]);
  balance('8');
  const again = await folder.run(database, { since: new Date('2025-01-01T00:00:00Z') });
  expect(counts.map(({ skipped }) => skipped)).toEqual([0, 0]);
  expect(again.counts.map(({ skipped }) => skipped)).toEqual([1, 1]);
  expect(await readBalances(database)).toEqual(['6 asset USDT 7000000']);
});

test('an account that the source closed is closed here, and erased after its time', async () => {
  const service = await startService(database);
  try {
    const { accessToken } = await service.tokens.login(1);
    const write = (): void =>
      folder.write(
        'people.csv',
        toFile(
          person(1, '', '', 'closed').replace('@example.test', ''),
          ...[person(2, 'ann'), person(3, 'cem')],
        ),
      );
    write();
    for (let run = 0; run < 2; run++) {
      const { certificate } = await folder.run(database, { since });
      expect(folder.problems()).toEqual([]);
      expect(certificate?.content.agrees).toBe(true);
      expect(await readPeople()).toEqual([
        '1 closed-1@account.invalid Closed account CODE1 closed',
        '2 ann User 2 CODE2 active',
        '3 cem User 3 CODE3 active',
      ]);
    }
    const headers = { authorization: `Bearer ${accessToken}` };
    const refused = await service.app.http.inject({ url: '/me', headers });
    expect(refused.json()).toMatchObject({ code: 'token_revoked' });
    const inADay = createManualClock(new Date(Date.now() + 1000 * (CLOSED_ACCOUNT_TTL_S + 60)));
    expect(await eraseDueUsers(database, systemClock)).toBe(0);
    expect(await eraseDueUsers(database, inADay)).toBe(1);
    await folder.run(database);
    expect(folder.problems()).toEqual([]);
    // Opened again at the source: it stays closed.
    folder.write('people.csv', toFile(person(1, 'again')));
    await folder.run(database, { since });
    expect(folder.problems()).toEqual(['people 2 id closed']);
  } finally {
    await service.stop();
  }
});

test('an account that changed here is closed with --overwrite only', async () => {
  await disable(1);
  folder.write('people.csv', toFile(person(1, '', '', 'closed').replace('@example.test', '')));
  await folder.run(database, { since });
  expect(folder.problems()).toEqual([
    'people 2 email changed_here',
    'people 2 nickname changed_here',
    'people 2 status changed_here',
  ]);
  expect((await readPeople())[0]).toBe('1 ann User 1 CODE1 disabled');
  await folder.run(database, { since, overwrites: true });
  expect(folder.problems()).toEqual([]);
  expect((await readPeople())[0]).toBe('1 closed-1@account.invalid Closed account CODE1 closed');
});

const DEVICE_HEADER = 'user_id,node_id,device_type,name,browser,os,created_at';
const device = (node: string, name: string, os: string): string =>
  `1,${node},EXTENSION,${name},Firefox,${os},2024-02-03T00:00:00Z`;

test('a device keeps the name its owner gave it, and what it registered with', async () => {
  const nodes = ['renamed-here', 'renamed-there', 'registered'];
  const write = (name: string, os: string): void =>
    folder.write(
      'devices.csv',
      `${[DEVICE_HEADER, ...nodes.map((node) => device(node, name, os))].join('\n')}\n`,
    );
  const read = async () =>
    (
      await database.query<{ text: string }>(
        `select concat_ws(' ', node_id, name, os) as text from device order by id`,
      )
    ).rows.map(({ text }) => text);
  write('Old', 'Linux');
  await folder.run(database);
  const service = await startService(database);
  const { accessToken } = await service.tokens.login(1);
  const renamed = await service.app.http.inject({
    method: 'PATCH',
    url: '/me/devices/renamed-here',
    headers: { authorization: `Bearer ${accessToken}` },
    payload: { name: 'Mine' },
  });
  expect(renamed.statusCode).toBe(200);
  await service.stop();
  // As a registration of an imported device does.
  await database.query("update device set bound_at = now() where node_id = 'registered'");
  write('New', 'macOS');
  await folder.run(database, { since });
  expect(folder.problems()).toEqual([]);
  expect(await read()).toEqual([
    'renamed-here Mine macOS',
    'renamed-there New macOS',
    'registered Old Linux',
  ]);
  write('Newer', 'macOS');
  await folder.run(database, { since, overwrites: true });
  expect(await read()).toEqual([
    'renamed-here Newer macOS',
    'renamed-there Newer macOS',
    'registered Old Linux',
  ]);
});

test('devices of closed accounts come without what describes their owner', async () => {
  const device = (user: number, node: string, name: string): string =>
    `${user},${node},EXTENSION,${name},Firefox of Ann,Linux,2024-02-03T00:00:00Z`;
  const write = (name: string): void => {
    const rows = [1, 2, 4].map((user) => device(user, `node-${user}`, name));
    folder.write('devices.csv', `${[DEVICE_HEADER, ...rows].join('\n')}\n`);
  };
  const read = async () =>
    (
      await database.query<{ text: string }>(
        `select concat_ws('|', node_id, name, browser, os, timezone) as text from device
         order by id`,
      )
    ).rows.map(({ text }) => text);
  folder.write(
    'people.csv',
    toFile(
      ...[person(1, 'ann'), person(2, 'bob'), person(3, 'cem')],
      person(4, 'dee', 'Dee', 'closed'),
    ),
  );
  write('Old');
  await folder.run(database);
  // As closing an account here, and its erasure, leave it.
  await database.query("update app_user set status = 'closed' where id = 1");
  await database.query("update device set name = '', browser = '', os = '' where user_id = 1");
  write('New');
  await folder.run(database, { since });
  expect(folder.problems()).toEqual([]);
  expect(await read()).toEqual([
    'node-1||||UTC',
    'node-2|New|Firefox of Ann|Linux|',
    'node-4||||UTC',
  ]);
});
