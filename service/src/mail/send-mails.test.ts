import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { type MailHost, openMailHost } from '../../test/support/mail-host.ts';
import { sized } from '../../test/support/scale.ts';
import { type Database, deleteDueRows, transaction } from '../db/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { MAIL_RETENTION } from './mail-queue.ts';
import { type Message, sendMail } from './queue-mail.ts';
import { MailSender } from './send-mails.ts';
import { type MailWriter, openRelays } from './smtp-relays.ts';

/** Short enough to wait for, and long enough for a busy machine. */
const ATTEMPT_MS = { normal: 2000, slow: 60_000 };
const NOTICES = sized({ quick: 200, full: 6000, soak: 6000 });

/** Nothing listens on this port of the reserved range. */
const NOWHERE = 'smtp://127.0.0.1:1';

const write: MailWriter = ({ body }) => ({
  from: { name: 'Edge', address: 'no-reply@example.test' },
  text: body,
});

const subjectsOf = (mails: readonly string[]): string[] =>
  mails.map((mail) => /^Subject: (.*)\r?$/m.exec(mail)?.[1] ?? '');

describe.each(RUN_ENGINES)('mail over SMTP on %s', (engine) => {
  let database: Database;
  let host: MailHost;
  let other: MailHost;
  const senders: MailSender[] = [];
  const failures: string[] = [];
  const clock = createManualClock('2026-01-01T00:00:00Z');

  beforeAll(async () => {
    [database, host, other] = await Promise.all([
      openTestDatabase(engine),
      openMailHost(),
      openMailHost(),
    ]);
  });
  afterEach(async () => {
    await Promise.all(senders.splice(0).map((sender) => sender.stop()));
    await database.query('delete from mail');
    for (const { received, silentAbout, unknown } of [host, other]) {
      received.length = 0;
      silentAbout.clear();
      unknown.clear();
    }
    host.mood = 'well';
    failures.length = 0;
  });
  afterAll(async () => {
    await Promise.all([host.close(), other.close()]);
    await database.close();
  });

  function openSender(urls: readonly string[] = [host.url]): MailSender {
    const sender = new MailSender({
      database,
      clock,
      relays: openRelays(urls, write, clock, ATTEMPT_MS),
      onFailure: (text) => failures.push(text),
      onError: (error) => {
        throw error;
      },
    });
    senders.push(sender);
    return sender;
  }

  /** One run of the job, until all mails that it started have ended. */
  async function runOnce(sender: MailSender): Promise<void> {
    await sender.run();
    await sender.settle();
  }

  const queue = (subject: string, more: Partial<Message> = {}) =>
    transaction(database, (tx) =>
      sendMail(tx, clock, { to: 'ada@example.test', subject, text: '\n123456\n', ...more }),
    );

  const DELETED = { recipient: '', subject: '', body: '', last_error: null };
  const readMails = async () =>
    (
      await database.query(
        'select recipient, subject, body, last_error, kind, user_id from mail order by id',
      )
    ).rows;

  test('a mail that can be unsubscribed from says so in its headers (RFC 8058)', async () => {
    const url = 'https://account.example.test/unsubscribe?token=abc';
    await queue('Digest', { unsubscribeUrl: url });
    await runOnce(openSender());
    const mail = (host.received[0] ?? '').replaceAll(/\r\n\s+/g, ' ');
    expect(mail).toContain(`List-Unsubscribe: <${url}>`);
    expect(mail).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    const { rows } = await database.query(
      'select from mail where unsubscribe_url is not null and sent_at is not null',
    );
    expect(rows).toEqual([]);
  });

  test('a mail is sent once, to the right recipient, whose address is deleted', async () => {
    const both = [openSender(), openSender()];
    await queue('hello', { kind: 'signIn', userId: 7 });
    await Promise.all(both.map(runOnce));
    expect(host.received).toHaveLength(1);
    expect(host.received[0]).toMatch(/^To: ada@example\.test/m);
    expect(host.received[0]).toMatch(/^From: Edge <no-reply@example\.test>/m);
    expect(host.received[0]).toMatch(/^123456\r?$/m);
    expect(await readMails()).toEqual([{ ...DELETED, kind: 'signIn', user_id: 7 }]);
    await Promise.all(both.map(runOnce));
    expect(host.received).toHaveLength(1);
  });

  test('a mail of a transaction that failed is never sent', async () => {
    await expect(
      transaction(database, async (tx) => {
        await sendMail(tx, clock, { to: 'ada@example.test', subject: 'never', text: 'x' });
        throw new Error('stop');
      }),
    ).rejects.toThrow('stop');
    await runOnce(openSender());
    expect(host.received).toEqual([]);
  });

  test('codes go before other mails, the newest first, and expired ones are dropped', async () => {
    await database.query(
      `insert into mail (recipient, subject, body, created_at, next_attempt_at)
       select 'ada@example.test', 'notice ' || n, 'x', $1, $1 from generate_series(1, $2::int) n`,
      [clock.now(), NOTICES],
    );
    await queue('expired code', { validFor_s: 60 });
    clock.advance(60_000);
    await queue('older code', { validFor_s: 600 });
    await queue('newer code', { validFor_s: 600 });
    await runOnce(openSender());
    const subjects = subjectsOf(host.received);
    expect(subjects).toHaveLength(NOTICES + 2);
    expect(subjects.slice(0, 16)).toContain('newer code');
    expect(subjects.slice(0, 16)).toContain('older code');
    expect(subjects).not.toContain('expired code');
    expect(failures).toEqual(['1 codes expired before they could be sent']);
  });

  test('recipients whose server never answers delay no code', async () => {
    const sender = openSender();
    for (let n = 0; n < 15; n++) {
      host.silentAbout.add(`silent-${n}@example.test`);
      await queue('silence', { to: `silent-${n}@example.test` });
    }
    await sender.run();
    await queue('code', { validFor_s: 600 });
    await sender.run();
    await expect.poll(() => subjectsOf(host.received)).toEqual(['code']);
    await sender.settle();
    const { rows } = await database.query(
      'select is_slow, count(*)::int as count from mail where sent_at is null group by is_slow',
    );
    expect(rows).toEqual([{ is_slow: true, count: 15 }]);
    // Separated from the others they get the time that they need.
    host.silentAbout.clear();
    clock.advance(5000);
    await runOnce(sender);
    expect(host.received).toHaveLength(16);
  });

  test.each(['busy', 'refusing'] as const)(
    'a relay that is %s to the sender is tried again later',
    async (mood) => {
      const sender = openSender();
      host.mood = mood;
      await queue('patience');
      await runOnce(sender);
      host.mood = 'well';
      await runOnce(sender);
      expect(host.received).toEqual([]);
      clock.advance(5000);
      await runOnce(sender);
      expect(subjectsOf(host.received)).toEqual(['patience']);
    },
  );

  test('a mail that is refused permanently is not retried', async () => {
    const sender = openSender();
    host.unknown.add('unknown@example.test');
    await queue('to an unknown address', { to: 'unknown@example.test', kind: 'reset' });
    await runOnce(sender);
    expect(await readMails()).toEqual([
      { ...DELETED, kind: 'reset', user_id: null, last_error: expect.stringMatching(/5\d\d/) },
    ]);
    expect(JSON.stringify(await readMails())).not.toContain('unknown@');
    host.unknown.clear();
    clock.advance(86_400_000);
    await runOnce(sender);
    expect(host.received).toEqual([]);
    expect(failures).toEqual([expect.stringMatching(/^a mail relay refused mail \d+$/)]);
  });

  test('the second relay is used while the first is unavailable', async () => {
    for (const first of [NOWHERE, host.url]) {
      host.mood = 'leaving';
      await queue(`over the second instead of ${first}`);
      await runOnce(openSender([first, other.url]));
    }
    expect(other.received).toHaveLength(2);
    expect(failures).toEqual([]);
  });

  test('without a relay one mail at a time is tried, and all are sent afterwards', async () => {
    const sender = openSender();
    host.mood = 'leaving';
    for (let n = 0; n < 40; n++) await queue(`notice ${n}`);
    await runOnce(sender);
    const countTried = async () =>
      (
        await database.query<{ count: number }>(
          'select count(*)::int as count from mail where attempts > 0',
        )
      ).rows[0]?.count ?? 0;
    const first = await countTried();
    await runOnce(sender);
    expect(await countTried()).toBe(first + 1);
    expect(failures).toEqual(['no mail relay can be reached']);
    host.mood = 'well';
    clock.advance(5000);
    await runOnce(sender);
    await runOnce(sender);
    expect(host.received).toHaveLength(40);
  });

  test('mails are deleted after a month', async () => {
    await queue('old');
    clock.advance(29 * 86_400_000);
    await queue('new');
    expect(await deleteDueRows(database, clock, MAIL_RETENTION)).toBe(0);
    clock.advance(2 * 86_400_000);
    expect(await deleteDueRows(database, clock, MAIL_RETENTION)).toBeGreaterThan(0);
    expect((await database.query('select subject from mail')).rows).toEqual([{ subject: 'new' }]);
  });

  test('attack: a subject smuggles a header in', async () => {
    await queue('hello\r\nBcc: mallory@example.test');
    await runOnce(openSender());
    expect(host.received[0]).not.toMatch(/^Bcc:/m);
  });
});
