/** Lifetimes and attempts of each kind of ticket. */
import type { Config } from '../config.ts';

export interface TicketRules {
  readonly lifetime_s: number;
  /** Attempts with codes and other factors; one counter for all. */
  readonly tries: number;
  /** Lifetime of its email code, at most that of the ticket; 0: it has none. */
  readonly codeLifetime_s: number;
  /** How often its email code is sent again. */
  readonly resends: number;
}

const TRIES = 5;
const RESENDS = 5;
/** A new user continues to the login at once. */
const REGISTERED_LIFETIME_S = 120;
const PASSKEY_LIFETIME_S = 300;

/** The rules of each kind of ticket. `registration` is kept in a table of its own. */
export function createTicketRules({
  LOGIN_TICKET_TTL: login_s,
  EMAIL_CODE_TTL: code_s,
}: Pick<Config, 'LOGIN_TICKET_TTL' | 'EMAIL_CODE_TTL'>) {
  const rules = (lifetime_s: number, codeLifetime_s: number, resends = 0): TicketRules => ({
    lifetime_s,
    codeLifetime_s,
    resends,
    tries: TRIES,
  });
  return {
    registration: rules(code_s, code_s),
    registered: rules(REGISTERED_LIFETIME_S, REGISTERED_LIFETIME_S, RESENDS),
    login: rules(login_s, Math.min(login_s, code_s), RESENDS),
    reauthenticate: rules(login_s, Math.min(login_s, code_s), RESENDS),
    reset: rules(code_s, code_s),
    email_change: rules(code_s, code_s),
    passkey: rules(PASSKEY_LIFETIME_S, 0),
  };
}

export type AllTicketRules = ReturnType<typeof createTicketRules>;
export type TicketPurpose = Exclude<keyof AllTicketRules, 'registration' | 'registered'>;
