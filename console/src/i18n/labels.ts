/** Codes of the service in words; a code without words of ours is shown as it is, tidied. */

import { readUserAgent } from '../lib/user-agent-text.ts';
import { CLIENT_ID } from '../session/client-id.ts';
import type { Translate } from './translate.ts';

type Find = Pick<Translate, 'find'>;

function wordsOf(t: Find, group: string, code: string): string {
  const tidy = code.replaceAll(/[_.]/g, ' ').toLowerCase();
  return t.find('shell', `${group}.${code}`) ?? tidy.charAt(0).toUpperCase() + tidy.slice(1);
}

export function rewardTypeText(t: Find, code: string): string {
  return wordsOf(t, 'rewardType', code);
}

/** A `businessId`. */
export function businessText(t: Find, code: string): string {
  return wordsOf(t, 'business', code);
}

/** The other side of a bill: a person by number, or an account of the house. */
export function counterpartyText(t: Find, code: string): string {
  const [, userId] = /^user:(\d+)$/.exec(code) ?? [];
  return userId === undefined
    ? wordsOf(t, 'house', code)
    : (t.find('shell', 'person', { id: userId }) ?? code);
}

/** What a bill refers to: a withdrawal by its number; others as they were written. */
export function referenceText(t: Find, reference: string): string {
  const [, id] = /^payout:(\d+)$/.exec(reference) ?? [];
  return (id !== undefined && t.find('wallets', 'withdrawalNumber', { id })) || reference;
}

/**
 * How a user signed in, from the `amr` of the session. That there were two factors is seen from
 * them.
 */
export function signInMethodText(t: Find, amr: readonly string[]): string {
  const methods = amr.filter((method) => method !== 'mfa' && method !== 'user');
  const words = methods.map((method) => t.find('security', `signInMethod.${method}`) ?? method);
  return [...new Set(words)].join(' + ');
}

/** The program of a User-Agent header and its system, as far as they are known. Empty: neither. */
export function programText(t: Find, userAgent: string): string {
  const { browser, os } = readUserAgent(userAgent);
  const isWhole = browser !== '' && os !== '';
  return (isWhole && t.find('devices', 'nameOf', { browser, os })) || browser || os;
}

export function depositStatusText(t: Find, code: string): string {
  return wordsOf(t, 'depositStatus', code);
}

export function payoutStatusText(t: Find, code: string): string {
  return t.find('withdraw', `status.${code}`) ?? code;
}

export function payoutReasonText(t: Find, code: string): string {
  return t.find('withdraw', `reason.${code}`) ?? code;
}

/** The same for operators, who are not the person whose money it is. */
export function operatorPayoutReasonText(t: Find, code: string): string {
  return t.find('operator', `payouts.reasonOfStatus.${code}`) ?? payoutReasonText(t, code);
}

/** The same for the tables of operators, in a few words. */
export function payoutStateText(t: Find, code: string): string {
  return t.find('operator', `overview.payoutState.${code}`) ?? code;
}

/** A category of traffic. Categories that are unknown here are shown by their code. */
export function trafficKindText(t: Find, code: string): string {
  return t.find('common', `trafficKind.${code}`) ?? code;
}

/** What a device can do, as its program reports. */
export function capabilityText(t: Find, code: string): string {
  return t.find('devices', `capability.${code}`) ?? code;
}

interface NamedPerson {
  readonly nickname: string;
  readonly isClosed: boolean;
}

/** A person's name; who has closed the account has none any more. */
export function personName(t: Find, { nickname, isClosed }: NamedPerson): string {
  return (isClosed && t.find('shell', 'closedAccount')) || nickname;
}

interface TellingEvent {
  readonly type: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** What happened, and which application it is about. */
export function eventText(
  t: Find,
  { type, details: { client_id: id, client_name: name } }: TellingEvent,
): string {
  const what = wordsOf(t, 'securityEvent', type.replaceAll('.', '_'));
  if (typeof name !== 'string') return what;
  return t.find('shell', id === CLIENT_ID ? 'eventOfConsole' : 'eventOf', { what, name }) ?? what;
}

interface NamedDevice {
  readonly node_id: string;
  readonly name: string;
  readonly browser: string;
  readonly os: string;
}

/** Whether it has the name that the service makes of its browser and system. */
export function isUnnamed({ name, browser, os }: Omit<NamedDevice, 'node_id'>): boolean {
  return browser !== '' && os !== '' && name === `${browser} on ${os}`;
}

/** A device's name; without one, its browser and system in the user's language. */
export function deviceName(t: Find, device: NamedDevice): string {
  const { node_id, name, browser, os } = device;
  return (isUnnamed(device) && t.find('devices', 'nameOf', { browser, os })) || name || node_id;
}
