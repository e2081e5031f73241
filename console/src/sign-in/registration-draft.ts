/**
 * What a reload of the page leaves of a registration whose code is on its way: nothing secret, so
 * neither the password nor the ticket, which stands for it.
 */
import type { Registration } from './api.ts';

const KEPT = 'edge-registration';
const PARTS = ['email', 'nickname', 'referralCode'] as const;

function stateOfEntry(): Readonly<Record<string, unknown>> {
  const { state } = history;
  return typeof state === 'object' && state !== null ? state : {};
}

/** Kept with this entry of the history: another tab, or another visit, has none of it. */
export function keepRegistration(registration: Registration | undefined): void {
  const { [KEPT]: before, ...state } = stateOfEntry();
  if (registration)
    history.replaceState({ ...state, [KEPT]: PARTS.map((part) => registration[part]) }, '');
  else if (before !== undefined) history.replaceState(state, '');
}

export function readKeptRegistration(): Registration | undefined {
  const kept = stateOfEntry()[KEPT];
  if (
    !Array.isArray(kept) ||
    kept.length !== PARTS.length ||
    !kept.every((part) => typeof part === 'string')
  )
    return undefined;
  const [email = '', nickname = '', referralCode = '']: string[] = kept;
  return { email, nickname, referralCode, password: '' };
}
