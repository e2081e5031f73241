/**
 * Compares what a passkey is about to sign with what the page shows. The text and the challenge
 * come from the service, which may be compromised: nothing of them is trusted.
 */

/** What a passkey is to sign is not what the page shows. */
export class SignedMismatch extends Error {}

/** A payout as the page shows it. */
export interface ShownPayout {
  readonly network: string;
  readonly currency: string;
  readonly address: string;
  /** Of an EVM network, and of a UTXO network. */
  readonly chain_id: number | undefined;
  readonly address_prefix: string | undefined;
  /** Undefined: the coin of the network. It is signed in lower case. */
  readonly contract: string | undefined;
  /** What leaves the wallet, and what of it is the fee, in the currency. */
  readonly leaves: string;
  readonly fee: string;
  /** What arrives, in the currency. */
  readonly arrives: string;
  /** Of the token on the network. */
  readonly decimals: number | undefined;
  readonly user_id: number;
}

/** The text that is signed, and the challenge that the passkey gets for it. */
export interface ToSign {
  readonly text: string;
  readonly challenge: unknown;
}

/** The hash of a text, as a challenge has it. */
export async function toChallenge(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  const binary = String.fromCharCode(...new Uint8Array(hash));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** An amount in the smallest unit of a token; undefined when the token cannot carry it exactly. */
export function toTokenUnits(amount: string, decimals: number): string | undefined {
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(amount) ?? [];
  const digits = fraction.replace(/0+$/, '');
  if (whole === '' || digits.length > decimals) return undefined;
  return String(BigInt(whole + digits.padEnd(decimals, '0')));
}

/** More decimals than any currency has. */
const DECIMALS_MAX = 36;

/** True when the fee and what arrives are what leaves. */
function isSum(leaves: string, fee: string, arrives: string): boolean {
  const [all, ...parts] = [leaves, fee, arrives].map((text) => toTokenUnits(text, DECIMALS_MAX));
  const [first, second] = parts;
  if (all === undefined || first === undefined || second === undefined) return false;
  return BigInt(all) === BigInt(first) + BigInt(second);
}

function parseMembers(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
  } catch {
    throw new SignedMismatch('not JSON');
  }
}

/** @throws SignedMismatch when the text differs, or its hash is not the challenge */
async function check(
  { text, challenge }: ToSign,
  { leaves, fee, arrives, decimals, chain_id, address_prefix, contract, ...shown }: ShownPayout,
  more: Readonly<Record<string, unknown>>,
): Promise<void> {
  const amount = decimals === undefined ? undefined : toTokenUnits(arrives, decimals);
  if (amount === undefined) throw new SignedMismatch('amount');
  if (!isSum(leaves, fee, arrives)) throw new SignedMismatch('fee');
  const place = {
    chain_id: chain_id ?? null,
    address_prefix: address_prefix ?? null,
    contract: contract?.toLowerCase() ?? null,
  };
  const members = parseMembers(text);
  for (const [name, value] of Object.entries({ ...shown, ...place, ...more, amount, version: 1 }))
    if (members[name] !== value) throw new SignedMismatch(name);
  if (challenge !== (await toChallenge(text))) throw new SignedMismatch('challenge');
}

/** Checks the order that the user signs. @throws SignedMismatch */
export const checkOrder = (signed: ToSign, shown: ShownPayout, requestId: string) =>
  check(signed, shown, { kind: 'payout-order', request_id: requestId });

/** Checks the document that an operator signs. @throws SignedMismatch */
export const checkDocument = (signed: ToSign, shown: ShownPayout, payoutId: number) =>
  check(signed, shown, { kind: undefined, payout_id: payoutId });
