/** A code of a registration, as a real SMTP server receives it from the whole service. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '../../test/support/databases.ts';
import { type MailHost, openMailHost } from '../../test/support/mail-host.ts';
import { testConfig, testMasterKey } from '../../test/support/test-config.ts';
import { createTestTokens } from '../../test/support/tokens.ts';
import { type App, createApp } from '../app.ts';
import type { Database } from '../db/index.ts';

const SENDERS = {
  MAIL_FROM: 'Network <no-reply@network.example>',
  MAIL_SENDERS: 'hello@acme.example',
};
let database: Database;
let host: MailHost;
let app: App;
let admin: string;

const openApp = async (settings: Record<string, string>): Promise<App> => {
  const config = testConfig({ SMTP_URL: host.url, ...settings });
  const opened = await createApp({ config, database, masterKey: testMasterKey });
  await opened.start();
  return opened;
};

beforeAll(async () => {
  [database, host] = await Promise.all([openTestDatabase('server'), openMailHost()]);
  app = await openApp(SENDERS);
  admin = await createTestTokens(database).operator('operator:brand');
});
afterAll(async () => {
  await app.stop();
  await host.close();
  await database.close();
});

const put = async (payload: object): Promise<void> => {
  const headers = { authorization: `Bearer ${admin}` };
  const url = '/operator/brand';
  const answer = await app.http.inject({ method: 'PUT', url, headers, payload });
  expect(answer.statusCode).toBe(200);
};

/** The mail that a registration causes: its header, and its text. */
async function register(email: string, language: string): Promise<{ head: string; text: string }> {
  const before = host.received.length;
  const answer = await app.http.inject({
    ...{ method: 'POST', url: '/user/register', headers: { 'accept-language': language } },
    payload: {
      email,
      nickname: 'Ada',
      login_password: createHash('md5').update(`a password of ${email}`).digest('hex'),
    },
  });
  expect(answer.statusCode).toBe(202);
  await expect.poll(() => host.received.length, { timeout: 20_000 }).toBe(before + 1);
  const [head = '', ...rest] = (host.received[before] ?? '').split('\r\n\r\n');
  const body = rest.join('\n\n');
  const isBase64 = /^Content-Transfer-Encoding: base64/im.test(head);
  const text = isBase64
    ? Buffer.from(body, 'base64').toString()
    : body.replaceAll('=\r\n', '').replaceAll('\r\n', '\n');
  return { head, text };
}

test('has the name of the configuration, until the brand has one', async () => {
  const { head, text } = await register('first@example.com', 'en');
  expect(head).toMatch(/^From: Network <no-reply@network\.example>/m);
  expect(text.trimEnd()).toMatch(/\n\nEdge Account$/);
});

test('has sender, name, footer in its language and support link of the brand', async () => {
  await put({
    name: 'Acme Network',
    support_url: 'https://help.acme.example/',
    mail_footer: { en: 'Acme Inc., 1 Main Street', zh: '艾克米公司，主街一号' },
    mail_sender_address: 'hello@acme.example',
  });
  const english = await register('second@example.com', 'en');
  expect(english.head).toMatch(/^From: Acme Network <hello@acme\.example>/m);
  const ending = '\n\nAcme Network\n\nAcme Inc., 1 Main Street\nhttps://help.acme.example/';
  expect(english.text.trimEnd().endsWith(ending)).toBe(true);
  expect(english.text).toMatch(/^\d{6}$/m);
  const chinese = await register('third@example.com', 'zh');
  expect(chinese.text).toContain('\n\nAcme Network\n\n艾克米公司，主街一号\n');
  // A language without a footer has the English one.
  const spanish = await register('fourth@example.com', 'es');
  expect(spanish.text).toContain('Acme Inc., 1 Main Street');
});

test('attack: an address that the configuration no longer allows is not used', async () => {
  await put({ mail_sender_name: 'Acme', mail_sender_address: 'hello@acme.example' });
  await app.stop();
  app = await openApp({ MAIL_FROM: 'no-reply@network.example' });
  const { head } = await register('fifth@example.com', 'en');
  expect(head).toMatch(/^From: Acme <no-reply@network\.example>/m);
});
