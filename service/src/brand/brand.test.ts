/** The brand over HTTP: who may set it, what is refused, and what all callers see. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { pngOf } from '../../test/support/images.ts';
import { testConfig, testMasterKey } from '../../test/support/test-config.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { createTestTokens, type TestTokens } from '../../test/support/tokens.ts';
import { type App, createApp } from '../app.ts';
import type { Database } from '../db/index.ts';
import { OPERATOR_SCOPES } from '../oidc/index.ts';

const LIGHT = pngOf(64, 32);
const DARK = pngOf(32, 32, 0xff_ff_ff);
const ACME = {
  name: 'Acme Network',
  accent: '#FFF3B0',
  logo: LIGHT.toString('base64'),
  dark_logo: DARK.toString('base64'),
  support_url: 'https://help.acme.example/start',
  sign_in_text: { en: 'Welcome to Acme.', es: 'Bienvenido a Acme.' },
  mail_footer: { en: 'Acme Inc., 1 Main Street' },
  mail_sender_name: 'Acme',
  mail_sender_address: 'no-reply@localhost',
};

describe.each(RUN_ENGINES)('the brand on %s', (engine) => {
  let database: Database;
  let app: App;
  let tokens: TestTokens;
  let admin: string;

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    const config = testConfig({
      MAIL_FROM: 'Network <no-reply@localhost>',
      MAIL_SENDERS: 'hello@acme.example, news@acme.example',
    });
    app = await createApp({ config, database, masterKey: testMasterKey });
    await app.start();
    tokens = createTestTokens(database);
    admin = await tokens.operator('operator:brand');
  });
  afterAll(async () => {
    await app.stop();
    await database.close();
  });

  const call = async (method: 'GET' | 'PUT', url: string, body?: object, token = admin) => {
    const answer = await app.http.inject({
      ...{ method, url, headers: { authorization: `Bearer ${token}` } },
      ...(body && { payload: body }),
    });
    return { status: answer.statusCode, body: answer.json() };
  };
  const put = (body: object, token = admin) => call('PUT', '/operator/brand', body, token);
  const read = (url: string, headers: Record<string, string> = {}) =>
    app.http.inject({ url, headers });
  const readPage = async (path = '/authorize') =>
    (await read(path, { accept: 'text/html', host: 'localhost:8080' })).body;

  beforeEach(async () => {
    await put({ logo: null });
  });

  test('is that of the service until an operator sets it, and after a reset', async () => {
    expect((await read('/brand')).json()).toEqual({ name: 'Edge Account', sign_in_text: {} });
    expect((await call('GET', '/operator/brand')).body).toEqual({
      ...{ sign_in_text: {}, mail_footer: {}, updated_at: expect.any(String) },
      ...{ default_name: 'Edge Account', default_mail_sender_name: 'Network' },
      mail_sender_addresses: ['no-reply@localhost', 'hello@acme.example', 'news@acme.example'],
    });
    expect((await put(ACME)).status).toBe(200);
    await put({ logo: null });
    expect((await read('/brand')).json()).toEqual({ name: 'Edge Account', sign_in_text: {} });
    const { rowCount } = await database.query('select from brand_logo');
    expect(rowCount).toBe(0);
  });

  test('is what all callers see, with shades in which text can be read', async () => {
    const set = await put(ACME);
    const { logo, dark_logo, mail_sender_name, mail_sender_address, mail_footer, ...rest } = ACME;
    expect(set).toMatchObject({
      status: 200,
      body: { ...rest, accent: '#fff3b0', mail_sender_name, mail_sender_address, mail_footer },
    });
    const shown = (await read('/brand')).json();
    expect(shown).toMatchObject({
      ...rest,
      accent: '#fff3b0',
      logo: { path: expect.stringMatching(/^\/brand\/logos\//), width: 64, height: 32 },
      dark_logo: { width: 32, height: 32 },
      shades: { light: { on_filled: '#ffffff' }, dark: { filled: '#fff3b0' } },
    });
    // Who sends mails is not public.
    expect(JSON.stringify(shown)).not.toContain('no-reply@localhost');
    const image = await read(shown.logo.path);
    expect(image.rawPayload).toEqual(LIGHT);
    expect(image.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    });
  });

  test('has an ETag that changes with it', async () => {
    await put(ACME);
    const first = await read('/brand');
    const { etag = '' } = first.headers;
    expect(first.headers['cache-control']).toBe('no-cache');
    expect(Buffer.byteLength(first.body)).toBeLessThan(1200);
    const again = await read('/brand', { 'if-none-match': `"other", W/${etag}` });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    await put({ ...ACME, name: 'Other' });
    const changed = await read('/brand', { 'if-none-match': String(etag) });
    expect([changed.statusCode, changed.json().name]).toEqual([200, 'Other']);
  });

  test('a logo that is left out stays; the light one takes the dark one along', async () => {
    await put(ACME);
    const { logo: _, dark_logo: __, ...rest } = ACME;
    const kept = await put(rest);
    expect(kept.body).toMatchObject({ logo: { width: 64 }, dark_logo: { width: 32 } });
    expect((await put({ ...rest, dark_logo: null })).body).not.toHaveProperty('dark_logo');
    const replaced = await put({ ...rest, logo: ACME.dark_logo });
    expect(replaced.body.logo.width).toBe(32);
    expect((await read(kept.body.logo.path)).statusCode).toBe(404);
    const removed = await put({ ...rest, logo: null });
    expect(removed.body).not.toHaveProperty('logo');
    expect(await put({ ...rest, dark_logo: ACME.dark_logo })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'dark_logo', code: 'required' }] },
    });
  });

  test('is in the pages before their script runs, under their policy', async () => {
    const before = await readPage();
    expect(before).not.toContain('<style');
    await put(ACME);
    const answer = await read('/authorize', { accept: 'text/html', host: 'localhost:8080' });
    expect(answer.body).toContain('<title>Acme Network</title>');
    const [, nonce = ''] = /<style nonce="([^"]+)" data-brand>:root:root/.exec(answer.body) ?? [];
    expect(answer.headers['content-security-policy']).toContain(`'nonce-${nonce}'`);
    expect(answer.body).toMatch(/<link rel="icon" href="\/brand\/logos\/[0-9a-f]{64}">/);
    expect(await readPage('/operator')).toContain('<title>Acme Network</title>');
  });

  test('attack: a text does not leave the place where a page has it', async () => {
    const text = `$& $' "><script>alert(1)</script> </head> __CSP_NONCE__`;
    await put({ name: "$& $' & $1", sign_in_text: { en: text } });
    const page = await readPage();
    expect(page).toContain("<title>$&amp; $' &amp; $1</title>");
    expect(page).not.toContain('<script>alert');
    expect(page.match(/<\/head>/g)).toHaveLength(1);
    const [, content = ''] = /<meta name="edge-brand" content="([^"]*)">/.exec(page) ?? [];
    const record = content
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
    expect(JSON.parse(record).sign_in_text.en).toBe(text);
  });

  test.each([
    ['name', ''],
    ['name', '   '],
    ['name', 'x'.repeat(41)],
    ['name', 'A\u202eB'],
    ['name', 'support@bank.example'],
    ['name', 'https://bank.example'],
    ['name', 'Bank <b>'],
    ['accent', 'red'],
    ['accent', '#12345'],
    ['accent', '#123456;}body{display:none'],
    ['accent', 'url(https://evil.example/x)'],
    ['mail_sender_name', 'Bank <ceo@bank.example>'],
    ['mail_sender_name', 'A\r\nBcc: all@example.test'],
    ['unknown', true],
  ])('%s %j is refused', async (field, value) => {
    const answer = await put({ [field]: value });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ field }] } });
  });

  test('a character that can be seen is not called invisible', async () => {
    const codeOf = async (name: string) => (await put({ name })).body.errors[0].code;
    expect(await codeOf('Bank <b>')).toBe('reserved_character');
    expect(await codeOf('A\u202eB')).toBe('forbidden_character');
  });

  test.each([
    ['sign_in_text', 'en', 'x'.repeat(301)],
    ['sign_in_text', 'fr', 'Bienvenue'],
    ['mail_footer', 'en', 'x'.repeat(501)],
    ['mail_footer', 'es', 'a\nb'],
    ['mail_footer', 'zh', ''],
  ])('%s.%s %j is refused', async (field, language, text) => {
    const answer = await put({ [field]: { [language]: text } });
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: [{ field: `${field}.${language}` }] },
    });
  });

  test.each([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'data:text/html,<script>',
    'http://help.acme.example',
    'https://bank.example@evil.example/',
    'https://',
    '//evil.example',
    'mailto:a@acme.example?bcc=evil@evil.example',
    'mailto:a@acme.example,b@acme.example',
    'mailto:support',
    ' https://help.acme.example',
  ])('attack: %s as the support link', async (support_url) => {
    const answer = await put({ support_url });
    if (answer.status === 200) expect(answer.body.support_url).toMatch(/^https:\/\/help\.acme/);
    else expect(answer.body.errors).toMatchObject([{ field: 'support_url' }]);
  });

  test.each([
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a page', Buffer.from('<html><script>alert(1)</script>')],
    ['a PNG with a page behind it', Buffer.concat([LIGHT, Buffer.from('<html>')])],
    ['the beginning of a PNG', LIGHT.subarray(0, 18)],
    ['a PNG that fills the memory', pngOf(60_000, 60_000)],
    ['too many bytes', Buffer.concat([LIGHT, Buffer.alloc(65_536)])],
  ])('attack: %s as the logo', async (_name, image) => {
    for (const field of ['logo', 'dark_logo']) {
      const { status, body } = await put({ logo: ACME.logo, [field]: image.toString('base64') });
      expect([status, body.errors[0].field]).toEqual([400, field]);
    }
    expect((await read('/brand')).json()).not.toHaveProperty('logo');
  });

  test.each(['ceo@bank.example', 'HELLO@acme.example', 'hello@acme.example, x@y.example'])(
    'attack: %s as the sender of mails, which the configuration does not allow',
    async (mail_sender_address) => {
      expect(await put({ mail_sender_address })).toMatchObject({
        status: 400,
        body: { errors: [{ field: 'mail_sender_address', code: expect.any(String) }] },
      });
    },
  );

  test('is set with its own scope, and by admins alone', async () => {
    const others = OPERATOR_SCOPES.filter((scope) => scope !== 'operator:brand');
    expect((await put(ACME, await tokens.operator(...others))).status).toBe(403);
    const operator = await insertUser(database);
    for (const [role, status] of [
      ['viewer', 403],
      ['support', 403],
      ['finance', 403],
      ['admin', 200],
    ] as const) {
      await database.query('update app_user set operator_scopes = $2 where id = $1', [
        operator,
        [`role:${role}`],
      ]);
      const scopes = role === 'admin' ? OPERATOR_SCOPES : ['operator:read'];
      const token = await tokens.person(operator, { scopes, authTime: new Date() });
      expect([role, (await put({}, token)).status]).toEqual([role, status]);
      expect((await call('GET', '/operator/brand', undefined, token)).status).toBe(200);
    }
    expect((await app.http.inject({ method: 'PUT', url: '/operator/brand' })).statusCode).toBe(401);
  });

  test('each change is in the audit log, with before and after', async () => {
    await put({ name: 'Before' });
    await put({ name: 'After', accent: '#2563eb' });
    const { rows } = await database.query(
      `select operation, subject_kind, before, after from audit_entry order by id desc limit 1`,
    );
    expect(rows).toEqual([
      {
        ...{ operation: 'putOperatorBrand', subject_kind: 'brand' },
        ...{ before: { name: 'Before' }, after: { name: 'After', accent: '#2563eb' } },
      },
    ]);
  });

  test('another instance shows it after a moment', async () => {
    const other = await createApp({ config: testConfig(), database, masterKey: testMasterKey });
    await other.start();
    await put({ name: 'Everywhere' });
    const readName = async () => (await other.http.inject('/brand')).json().name;
    await expect.poll(readName).toBe('Everywhere');
    await other.stop();
  });
});
