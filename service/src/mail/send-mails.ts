/** Sends the outbox: many mails at the same time, and slow recipients apart from the others. */
import type { Database } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import {
  type ClaimedMail,
  claimMails,
  dropExpiredMails,
  type Lane,
  recordFailed,
  recordSent,
} from './mail-queue.ts';
import { SENT_CONCURRENTLY, type SmtpRelays } from './smtp-relays.ts';

export interface MailSenderDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly relays: SmtpRelays;
  /** Told once when no relay can be reached, and for each mail that a relay refused for good. */
  readonly onFailure: (text: string) => void;
  readonly onError: (error: unknown) => void;
}

/** What is not sent by then is sent again after the next start. */
const STOP_MS = 3000;
const LANES: readonly Lane[] = ['normal', 'slow'];

/**
 * A mail is claimed before it is sent, so that two instances never send it twice; after a crash
 * between sending and recording it is sent again.
 */
export class MailSender {
  readonly #deps: MailSenderDeps;
  readonly #underWay: Readonly<Record<Lane, Set<Promise<void>>>> = {
    normal: new Set(),
    slow: new Set(),
  };
  readonly #claims = new Map<Lane, Promise<void>>();
  #isUnreachable = false;
  #isStopped = false;

  constructor(deps: MailSenderDeps) {
    this.#deps = deps;
  }

  /** Starts to send what is due, and does not wait for it. */
  async run(): Promise<void> {
    const { database, clock } = this.#deps;
    const dropped = await dropExpiredMails(database, clock);
    if (dropped > 0) this.#deps.onFailure(`${dropped} codes expired before they could be sent`);
    await Promise.all(LANES.map((lane) => this.#fill(lane)));
  }

  /** Starts no other mails, and gives those under way some seconds. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const timer = setTimeout(() => this.#deps.relays.close(), STOP_MS);
    await this.settle();
    clearTimeout(timer);
    this.#deps.relays.close();
  }

  /** Waits until nothing that was started is under way. */
  async settle(): Promise<void> {
    for (;;) {
      const all = [...this.#underWay.normal, ...this.#underWay.slow, ...this.#claims.values()];
      if (all.length === 0) return;
      await Promise.allSettled(all);
    }
  }

  /** While no relay can be reached, one mail at a time finds out whether one is back. */
  #freeIn(lane: Lane): number {
    const most = this.#isUnreachable ? 1 : SENT_CONCURRENTLY[lane];
    return most - this.#underWay[lane].size;
  }

  /** Claims as many mails as there is room for, and starts them. */
  #fill(lane: Lane): Promise<void> {
    const free = this.#freeIn(lane);
    const claim = this.#claims.get(lane);
    if (claim || this.#isStopped || free < 1) return claim ?? Promise.resolve();
    const { database, clock } = this.#deps;
    const started = claimMails(database, clock, lane, free)
      .then((mails) => {
        for (const mail of mails) this.#start(lane, mail);
      })
      .finally(() => this.#claims.delete(lane));
    this.#claims.set(lane, started);
    return started;
  }

  #start(lane: Lane, mail: ClaimedMail): void {
    const underWay = this.#underWay[lane];
    const work = this.#send(lane, mail)
      .catch(this.#deps.onError)
      .finally(() => {
        underWay.delete(work);
        // Several at a time: one claim for each mail would cost more than the mail.
        if (!this.#isUnreachable && this.#freeIn(lane) * 2 >= SENT_CONCURRENTLY[lane])
          this.#fill(lane).catch(this.#deps.onError);
      });
    underWay.add(work);
  }

  async #send(lane: Lane, mail: ClaimedMail): Promise<void> {
    const { database, clock, relays, onFailure } = this.#deps;
    const attempt = await relays.attempt(mail, lane);
    if (attempt === 'sent') {
      this.#isUnreachable = false;
      await recordSent(database, clock, mail);
    } else if (attempt === 'unreachable') {
      if (!this.#isUnreachable) onFailure('no mail relay can be reached');
      this.#isUnreachable = true;
      const error = 'no mail relay can be reached';
      await recordFailed(database, clock, mail, { error, isSlow: false, isFinal: false });
    } else {
      this.#isUnreachable = false;
      if (attempt.isFinal) onFailure(`a mail relay refused mail ${mail.id}`);
      await recordFailed(database, clock, mail, attempt);
    }
  }
}
