import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { type Database, deleteDueRows, transaction } from '../db/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { createMailSender, MAIL_RETENTION, sendMail } from './send-mail.ts';

interface MailHost {
  readonly url: string;
  readonly received: string[];
  /** Refuses everything while true. */
  isDown: boolean;
  close(): Promise<void>;
}

/** A real SMTP server on loopback. */
async function openMailHost(): Promise<MailHost> {
  const received: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom: (_address, _session, done) => done(host.isDown ? new Error('busy') : null),
    onData(stream, _session, done) {
      let text = '';
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      stream.on('end', () => {
        received.push(text);
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const host: MailHost = {
    url: `smtp://127.0.0.1:${port}`,
    received,
    isDown: false,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
  return host;
}

describe.each(RUN_ENGINES)('mail over SMTP on %s', (engine) => {
  let database: Database;
  let host: MailHost;
  const clock = createManualClock('2026-01-01T00:00:00Z');

  beforeAll(async () => {
    [database, host] = await Promise.all([openTestDatabase(engine), openMailHost()]);
  });
  afterAll(async () => {
    await host.close();
    await database.close();
  });

  const send = (subject: string) =>
    transaction(database, (tx) =>
      sendMail(tx, clock, { to: 'ada@example.test', subject, text: 'Your code:\n\n123456\n' }),
    );

  test('goes out once, to the right person, and its body is forgotten', async () => {
    const senders = [1, 2].map(() =>
      createMailSender(database, clock, host.url, 'Edge <no-reply@example.test>'),
    );
    await send('hello');
    const sent = await Promise.all(senders.map((run) => run()));
    expect(sent.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(host.received).toHaveLength(1);
    expect(host.received[0]).toMatch(/^To: ada@example\.test/m);
    expect(host.received[0]).toMatch(/^From: Edge <no-reply@example\.test>/m);
    expect(host.received[0]).toMatch(/^123456\r?$/m);
    expect((await database.query('select body from mail')).rows).toEqual([{ body: '' }]);
    expect(await senders[0]?.()).toBe(0);
  });

  test('a mail of a transaction that failed never goes out', async () => {
    const run = createMailSender(database, clock, host.url, 'a@example.test');
    await expect(
      transaction(database, async (tx) => {
        await sendMail(tx, clock, { to: 'ada@example.test', subject: 'never', text: 'x' });
        throw new Error('stop');
      }),
    ).rejects.toThrow('stop');
    expect(await run()).toBe(0);
  });

  test('a server that is down is tried again, later and later', async () => {
    const run = createMailSender(database, clock, host.url, 'a@example.test');
    const before = host.received.length;
    host.isDown = true;
    await send('patience');
    expect(await run()).toBe(0);
    expect(await run()).toBe(0);
    host.isDown = false;
    expect(await run()).toBe(0);
    clock.advance(5_000);
    expect(await run()).toBe(1);
    expect(host.received).toHaveLength(before + 1);
  });

  test('mails are forgotten a month after', async () => {
    await send('old');
    clock.advance(29 * 86_400_000);
    await send('new');
    expect(await deleteDueRows(database, clock, MAIL_RETENTION)).toBe(0);
    clock.advance(2 * 86_400_000);
    expect(await deleteDueRows(database, clock, MAIL_RETENTION)).toBeGreaterThan(0);
    expect((await database.query('select subject from mail')).rows).toEqual([{ subject: 'new' }]);
  });

  test('a subject cannot smuggle a header in', async () => {
    const run = createMailSender(database, clock, host.url, 'a@example.test');
    await send('hello\r\nBcc: mallory@example.test');
    await run();
    expect(host.received.at(-1)).not.toMatch(/^Bcc:/m);
  });
});
