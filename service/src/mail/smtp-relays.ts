/** One or two SMTP relays, the second for when the first cannot be reached. */
import nodemailer from 'nodemailer';
import type { Clock } from '../lib/clock.ts';
import type { ClaimedMail, FailedAttempt, Lane } from './mail-queue.ts';

/** Mails that are sent at the same time, each over a connection of its own that is kept. */
export const SENT_CONCURRENTLY: Readonly<Record<Lane, number>> = { normal: 16, slow: 4 };
/** Time of a whole attempt. RFC 5321 (4.5.3.2) allows a server minutes: these mails go apart. */
const ATTEMPT_MS: Readonly<Record<Lane, number>> = { normal: 10_000, slow: 600_000 };
const CONNECT_MS = 5000;
/** A relay that could not be reached is left out this long while there is another. */
const LEFT_OUT_MS = 30_000;

interface SmtpError extends Error {
  readonly code?: string;
  /** The step that failed, `CONN` before the first one. */
  readonly command?: string;
  readonly responseCode?: number;
}

/** What became of an attempt: sent, no relay was there, or a relay did not take the mail. */
export type Attempt = 'sent' | 'unreachable' | FailedAttempt;

function isUnreachable({ code, command, responseCode }: SmtpError): boolean {
  if (responseCode === 421) return true;
  if (code === 'EAUTH' || code === 'EDNS' || code === 'ETLS') return true;
  return command === 'CONN' && (responseCode === undefined || responseCode >= 400);
}

interface Relay {
  send(message: object, lane: Lane): Promise<void>;
  /** Ends what is under way too. */
  close(): void;
  leftOutUntil_ms: number;
}

function openRelay(url: string, attempt_ms: Readonly<Record<Lane, number>>): Relay {
  const open = (lane: Lane) =>
    nodemailer.createTransport({
      url,
      pool: true,
      maxConnections: SENT_CONCURRENTLY[lane],
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: attempt_ms[lane],
    });
  const lanes = { normal: open('normal'), slow: open('slow') };
  return {
    leftOutUntil_ms: 0,
    async send(message, lane) {
      await lanes[lane].sendMail({ ...message, signal: AbortSignal.timeout(attempt_ms[lane]) });
    },
    close() {
      for (const transport of Object.values(lanes)) transport.close({ force: true });
    },
  };
}

export interface SmtpRelays {
  attempt(mail: ClaimedMail, lane: Lane): Promise<Attempt>;
  /** Ends what is under way too. */
  close(): void;
}

/** What a mail is sent as, at the time of each attempt. */
export type MailWriter = (mail: ClaimedMail) => {
  readonly from: { readonly name: string; readonly address: string };
  readonly text: string;
};

/** Mail programs show a button that sends a POST. */
const unsubscribeHeaders = (url: string): Readonly<Record<string, string>> => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** @param urls the relay, and the one to use instead while it cannot be reached */
export function openRelays(
  urls: readonly string[],
  write: MailWriter,
  clock: Clock,
  attempt_ms = ATTEMPT_MS,
): SmtpRelays {
  const relays = urls.map((url) => openRelay(url, attempt_ms));

  async function attemptAt(relay: Relay, message: object, lane: Lane): Promise<Attempt> {
    try {
      await relay.send(message, lane);
      return 'sent';
    } catch (thrown) {
      const error = thrown as SmtpError;
      if (isUnreachable(error)) {
        relay.leftOutUntil_ms = clock.now().getTime() + LEFT_OUT_MS;
        return 'unreachable';
      }
      const { responseCode = 0, code = '', command = '' } = error;
      return {
        error: error.message,
        isSlow: code === 'ETIMEDOUT' || code === 'EABORT',
        // A refusal of the sender is a matter of the configuration, not of this mail.
        isFinal: responseCode >= 500 && command !== 'MAIL FROM',
      };
    }
  }

  return {
    async attempt(mail, lane) {
      const message = {
        ...write(mail),
        to: mail.recipient,
        subject: mail.subject,
        ...(mail.unsubscribe_url !== null && {
          headers: unsubscribeHeaders(mail.unsubscribe_url),
        }),
        disableFileAccess: true,
        disableUrlAccess: true,
      };
      const now_ms = clock.now().getTime();
      const usable = relays.filter(({ leftOutUntil_ms }) => leftOutUntil_ms <= now_ms);
      for (const relay of usable.length > 0 ? usable : relays) {
        const attempt = await attemptAt(relay, message, lane);
        if (attempt !== 'unreachable') return attempt;
      }
      return 'unreachable';
    },
    close() {
      for (const relay of relays) relay.close();
    },
  };
}
