/**
 * Six digits that verify a mailbox. They are derived from their ticket, which only the caller has:
 * no code is stored, and it can be sent again.
 */
import { createHmac, createSecretKey } from 'node:crypto';
import { equalSecrets } from '../lib/ids.ts';
import type { MasterKey } from '../master-key.ts';

export interface EmailCodes {
  /** The code of a ticket for one address. */
  of(ticket: string, emailKey: string): string;
  isRight(ticket: string, emailKey: string, code: string): boolean;
}

export function createEmailCodes(masterKey: MasterKey): EmailCodes {
  const key = createSecretKey(masterKey.derive('email-code'));
  const of = (ticket: string, emailKey: string): string => {
    const digest = createHmac('sha256', key).update(`${ticket} ${emailKey}`).digest();
    return (digest.readBigUInt64BE() % 1_000_000n).toString().padStart(6, '0');
  };
  return { of, isRight: (ticket, emailKey, code) => equalSecrets(of(ticket, emailKey), code) };
}
