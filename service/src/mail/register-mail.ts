import { type CurrentBrand, senderOf } from '../brand/index.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/index.ts';
import type { HttpServer, Metrics } from '../http/index.ts';
import type { Job } from '../jobs/index.ts';
import type { Clock } from '../lib/clock.ts';
import { createDevMailbox } from './dev-mailbox.ts';
import { registerMailMetrics } from './mail-queue.ts';
import { MAIL_QUEUED } from './queue-mail.ts';
import { MailSender } from './send-mails.ts';
import { signMail } from './sign-mail.ts';
import { type MailWriter, openRelays } from './smtp-relays.ts';

const SEND_EVERY_MS = 2000;

interface MailDeps {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  readonly brand: CurrentBrand;
  readonly metrics: Metrics;
  readonly report: (what: string) => (error: unknown) => void;
}

export interface MailService {
  readonly jobs: Job[];
  /** Gives mails under way some seconds. */
  stop(): Promise<void>;
}

/** Registers the development mailbox, or the job that sends by SMTP. */
export function registerMail(
  app: HttpServer,
  { config, database, clock, metrics, brand, report }: MailDeps,
): MailService {
  if (!config.SMTP_URL) {
    createDevMailbox(app, { config, database, brand });
    return { jobs: [], stop: async () => undefined };
  }
  registerMailMetrics(metrics, database, clock);
  const write: MailWriter = (mail) => ({
    from: senderOf(brand.get(), config),
    text: signMail(mail, brand.get()),
  });
  const urls = [config.SMTP_URL, config.SMTP_FALLBACK_URL ?? ''].filter((url) => url !== '');
  const sender = new MailSender({
    database,
    clock,
    relays: openRelays(urls, write, clock),
    onFailure: (text) => app.log.warn(text),
    onError: report('mail: an attempt could not be recorded'),
  });
  const send: Job = {
    name: 'mail',
    every_ms: SEND_EVERY_MS,
    isExclusive: false,
    wakeOn: [MAIL_QUEUED],
    run: () => sender.run(),
  };
  return { jobs: [send], stop: () => sender.stop() };
}
