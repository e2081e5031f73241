import type { Config } from '../config.ts';
import type { Database } from '../db/index.ts';
import type { HttpServer } from '../http/index.ts';
import type { Job } from '../jobs/index.ts';
import type { Clock } from '../lib/clock.ts';
import { createDevMailbox } from './dev-mailbox.ts';
import { createMailSender, MAIL_QUEUED } from './send-mail.ts';

const SEND_EVERY_MS = 2000;

interface MailDeps {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
}

/** Registers the development mailbox, or the job that sends by SMTP. */
export function registerMail(app: HttpServer, { config, database, clock }: MailDeps): Job[] {
  if (!config.SMTP_URL) {
    createDevMailbox(app, config, database);
    return [];
  }
  const run = createMailSender(database, clock, config.SMTP_URL, config.MAIL_FROM);
  const send: Job = {
    name: 'mail',
    every_ms: SEND_EVERY_MS,
    isExclusive: false,
    wakeOn: [MAIL_QUEUED],
    run,
  };
  return [send];
}
