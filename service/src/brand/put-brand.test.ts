/** Two operators at the brand: neither overwrites what the other has just saved. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { pngOf } from '../../test/support/images.ts';
import { testConfig, testMasterKey } from '../../test/support/test-config.ts';
import { createTestTokens } from '../../test/support/tokens.ts';
import { type App, createApp } from '../app.ts';
import type { Database } from '../db/index.ts';

const URL_OF_BRAND = '/operator/brand';

describe.each(ENGINES)('changes of the brand on %s', (engine) => {
  let database: Database;
  let apps: App[];
  let authorization: string;

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    const options = { config: testConfig(), database, masterKey: testMasterKey };
    apps = [await createApp(options), await createApp(options)];
    for (const app of apps) await app.start();
    authorization = `Bearer ${await createTestTokens(database).operator('operator:brand')}`;
  });
  afterAll(async () => {
    for (const app of apps) await app.stop();
    await database.close();
  });
  beforeEach(async () => {
    await database.query('delete from brand');
  });

  async function ask(body?: object, ifMatch?: string, app = apps[0]) {
    const answer = await app?.http.inject({
      method: body ? 'PUT' : 'GET',
      url: URL_OF_BRAND,
      headers: { authorization, ...(ifMatch !== undefined && { 'if-match': ifMatch }) },
      ...(body && { payload: body }),
    });
    const { statusCode: status, headers } = answer ?? { headers: {} };
    return { status, etag: String(headers.etag), body: answer?.json() };
  }
  const readNames = async (): Promise<string[]> =>
    (await database.query<{ name: string }>('select name from brand')).rows.map((row) => row.name);

  test('a tag is answered with each read and change, and is that of the next read', async () => {
    const before = await ask();
    expect(before.etag).toMatch(/^"[\w-]+"$/);
    const saved = await ask({ name: 'Acme' }, before.etag);
    expect([saved.status, saved.etag]).not.toEqual([200, before.etag]);
    expect(await ask()).toEqual(saved);
    expect((await ask(undefined, undefined, apps[1])).etag).toBe(saved.etag);
    const again = await ask({ name: 'Acme Network' }, saved.etag);
    expect([again.status, again.body.name]).toEqual([200, 'Acme Network']);
  });

  test('a change of what was changed meanwhile is refused, and changes nothing', async () => {
    const { etag } = await ask();
    await ask({ name: 'Theirs', logo: pngOf(8, 8).toString('base64') }, etag);
    const { rows: audited } = await database.query('select from audit_entry');
    const late = await ask({ name: 'Ours', logo: pngOf(9, 9).toString('base64') }, etag);
    expect(late).toMatchObject({
      status: 412,
      body: {
        type: 'urn:edge-account:problem:precondition_failed',
        ...{ status: 412, code: 'precondition_failed' },
      },
    });
    expect((await ask()).body).toMatchObject({ name: 'Theirs', logo: { width: 8 } });
    expect((await database.query('select from brand_logo')).rowCount).toBe(1);
    expect((await database.query('select from audit_entry')).rowCount).toBe(audited.length);
  });

  test.each([
    ['no brand is set yet', false],
    ['a brand is set', true],
  ])('of two changes at the same moment one is saved, where %s', async (_where, isSet) => {
    if (isSet) await ask({ name: 'Before' });
    const { etag } = await ask();
    const names = ['One', 'Two', 'Three', 'Four'];
    const answers = await Promise.all(
      names.map((name, index) => ask({ name }, etag, apps[index % 2])),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 412, 412, 412]);
    const winner = statuses.indexOf(200);
    expect(await readNames()).toEqual([names[winner]]);
    // The tag of the answer is that of its own change.
    expect(answers[winner]?.body.name).toBe(names[winner]);
    expect((await ask({ name: 'Next' }, answers[winner]?.etag)).status).toBe(200);
  });

  test('a change whose answer was lost can be sent again', async () => {
    const { etag } = await ask();
    const logo = pngOf(8, 8).toString('base64');
    const order = { name: 'Acme', logo, sign_in_text: { zh: '您好', en: 'Hello' } };
    const saved = await ask(order, etag);
    expect(saved.status).toBe(200);
    expect(await ask(order, etag)).toEqual(saved);
    const { logo: _, ...kept } = order;
    expect(await ask(kept, etag)).toEqual(saved);
    for (const other of [
      { ...order, sign_in_text: { en: 'Hello' } },
      { ...order, logo: pngOf(9, 9).toString('base64') },
      { ...order, logo: null },
      { ...order, dark_logo: logo },
      { ...order, accent: '#2563eb' },
    ])
      expect((await ask(other, etag)).status, JSON.stringify(other)).toBe(412);
  });

  test('without If-Match the last one wins, as with *', async () => {
    const { etag } = await ask();
    await ask({ name: 'First' });
    expect((await ask({ name: 'Second' })).status).toBe(200);
    expect((await ask({ name: 'Third' }, '*')).status).toBe(200);
    const { etag: now } = await ask();
    expect((await ask({ name: 'Fourth' }, `W/${now}`)).status).toBe(412);
    expect((await ask({ name: 'Fourth' }, `${etag}, ${now}`)).status).toBe(200);
    expect(await readNames()).toEqual(['Fourth']);
  });

  test('a body that is wrong is refused before the tag is compared', async () => {
    expect(await ask({ name: '' }, '"other"')).toMatchObject({ status: 400 });
  });
});
