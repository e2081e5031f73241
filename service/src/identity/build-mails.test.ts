import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase } from '../../test/support/databases.ts';
import { createIdentityServer, type IdentityServer } from '../../test/support/identity-server.ts';
import type { Database } from '../db/index.ts';
import { LANGUAGES, type MailKind, type NoticeKind, textsOf } from '../lib/language.ts';
import { changeNotice, signInCode } from './build-mails.ts';

const HAN = /\p{Script=Han}/u;
const namesIn = (text: string): string[] =>
  [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();
const { mails, notices } = textsOf('en');

describe.each(LANGUAGES)('in %s', (language) => {
  const texts = textsOf(language);

  test.each(Object.keys(mails) as MailKind[])(
    'the mail %s is complete, with the same values',
    (kind) => {
      const all = ({ subject, paragraphs }: (typeof mails)[MailKind]) =>
        namesIn([subject, ...paragraphs].join(' '));
      expect(all(texts.mails[kind])).toEqual(all(mails[kind]));
      for (const text of [texts.mails[kind].subject, ...texts.mails[kind].paragraphs])
        if (text.replace(/\{\w+\}/g, '').length > 1) expect(HAN.test(text)).toBe(language === 'zh');
      expect(texts.mails[kind].paragraphs.includes('{code}')).toBe(
        mails[kind].paragraphs.includes('{code}'),
      );
    },
  );

  test.each(Object.keys(notices) as NoticeKind[])(
    'the notice %s exists, with the same values',
    (kind) => {
      expect(namesIn(texts.notices[kind])).toEqual(namesIn(notices[kind]));
      expect(HAN.test(texts.notices[kind])).toBe(language === 'zh');
    },
  );

  test.each([
    ['passwordChanged', 'ownChange'],
    ['emailChanged', 'lostAddress'],
    ['accountClosed', 'closed'],
    ['secondFactorsReset', 'reset'],
    ['moneyFrozen', 'frozen'],
    ['moneyReleased', 'released'],
  ] as const)('the mail of %s ends with what its reader can do', (kind, closing) => {
    const recipient = { to: 'ada@example.test', language, nickname: 'Ada' };
    const { text } = changeNotice(recipient, { kind });
    expect(text.endsWith(`\n\n${texts.closings[closing]}\n`)).toBe(true);
  });

  test('the name that the operator has given a provider is in the mail, also with a dot', () => {
    const recipient = { to: 'ada@example.test', language, nickname: 'Ada' };
    const values = { provider: 'login.example' };
    for (const kind of ['upstreamLinked', 'upstreamLinkedAndFrozen', 'upstreamUnlinked'] as const)
      expect(changeNotice(recipient, { kind, values }).text).toContain('login.example');
  });

  test('no value is missing, and none can be mistaken for another', () => {
    const recipient = { to: 'ada@example.test', language, nickname: '{code}' };
    const { text } = signInCode(recipient, '123456', 600);
    expect(text.match(/^123456$/gm)).toHaveLength(1);
    expect(text).toContain('{code}');
    expect(
      changeNotice(recipient, { kind: 'emailChanged', values: { email: 'new@example.test' } })
        .subject,
    ).toContain('new@example.test');
  });
});

describe('the language of a mail', () => {
  let database: Database;
  let server: IdentityServer;
  beforeAll(async () => {
    database = await openTestDatabase('embedded');
    server = createIdentityServer(database);
  });
  afterAll(async () => {
    await server.close();
    await database.close();
  });

  const subjectTo = async (address: string) => (await server.mailTo(address))?.subject;

  test('attack: a mail carries a stranger’s text as a link or a message', async () => {
    const names = ['https://evil.example click here', 'evil.example', 'a@b', 'evil。example'];
    for (const [i, nickname] of names.entries()) {
      const address = `victim${i}@example.test`;
      await server.post('/user/register', {
        email: address,
        nickname,
        login_password: server.md5('a long password of mine'),
      });
      expect((await server.mailTo(address))?.body).not.toContain(nickname);
    }
    const notice = (nickname: string, name: string) =>
      changeNotice(
        { to: 'x@example.test', language: 'en', nickname },
        { kind: 'passkeyRemoved', values: { name } },
      ).text;
    expect(notice('Ada', 'My phone')).toMatch(/^Hello Ada,\n\nthe passkey My phone was removed\./);
    for (const text of [...names, 'n'.repeat(41)]) {
      expect(notice(text, 'My phone')).toMatch(/^Hello,\n/);
      expect(notice('Ada', text)).not.toContain(text);
    }
  });

  test('is that of the request that caused it, whatever the last language was', async () => {
    const person = await server.register();
    const inChinese = { 'accept-language': 'zh-CN,zh;q=0.9,en;q=0.8' };
    const login_ticket = await server.ticketOf(person, inChinese);
    expect(await subjectTo(person.email)).toBe(textsOf('zh').mails.signIn.subject);
    await server.post(
      '/user/login/email-code',
      { email: person.email, login_ticket },
      { 'accept-language': 'fr' },
    );
    expect(await subjectTo(person.email)).toBe(textsOf('en').mails.signIn.subject);
    await server.post('/user/password/reset', { email: person.email }, inChinese);
    expect(await subjectTo(person.email)).toBe(textsOf('zh').mails.reset.subject);
    await server.post(
      '/user/register',
      { email: person.email, nickname: 'X', login_password: server.md5('another long password') },
      inChinese,
    );
    expect(await subjectTo(person.email)).toBe(textsOf('zh').mails.addressTaken.subject);
    const { headers, email } = await server.signIn(person);
    await server.post(
      '/me/reauthenticate',
      { login_password: server.md5(person.password) },
      { ...headers, ...inChinese },
    );
    expect(await subjectTo(email)).toBe(textsOf('zh').mails.reauthentication.subject);
    const change = await server.post(
      '/me/password',
      {
        login_password: server.md5(person.password),
        new_login_password: server.md5('a wholly other one'),
      },
      { ...headers, ...inChinese },
    );
    expect(change.statusCode).toBe(204);
    expect(await subjectTo(email)).toBe('您的账户：密码已更改');
  });
});
