/** A mail server for tests of sending. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface MailHost {
  readonly url: string;
  readonly received: string[];
  /** What it answers to a sender: no failure, one that passes, one for good, or that it leaves. */
  mood: 'well' | 'busy' | 'refusing' | 'leaving';
  /** Recipients that it never answers about. */
  readonly silentAbout: Set<string>;
  /** Recipients that it does not know. */
  readonly unknown: Set<string>;
  close(): Promise<void>;
}

const failureOf = (responseCode: number) => Object.assign(new Error('no'), { responseCode });

/** A real SMTP server on loopback. @param at its port; default: a free one */
export async function openMailHost(at = 0): Promise<MailHost> {
  const received: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 1,
    onMailFrom: (_address, _session, done) => {
      if (host.mood === 'busy') return done(failureOf(450));
      if (host.mood === 'refusing') return done(failureOf(550));
      return done(host.mood === 'leaving' ? failureOf(421) : null);
    },
    onRcptTo: ({ address }, _session, done) => {
      if (host.silentAbout.has(address)) return;
      done(host.unknown.has(address) ? failureOf(550) : null);
    },
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
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const host: MailHost = {
    url: `smtp://127.0.0.1:${port}`,
    received,
    mood: 'well',
    silentAbout: new Set(),
    unknown: new Set(),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
  return host;
}
