import type { Translate } from '../i18n/translate.ts';

/** What the service itself refers to, in words; references of business servers as they are. */
export function referenceText(
  t: Pick<Translate, 'find'>,
  reference: string | undefined,
): string | undefined {
  const [, payout] = /^payout:(\d+)$/.exec(reference ?? '') ?? [];
  if (payout !== undefined) return t.find('operator', 'payouts.sheet', { id: payout }) ?? reference;
  // The root of a settlement's proofs.
  const [, id] = /^rewards (\d+) /.exec(reference ?? '') ?? [];
  if (id !== undefined) return t.find('operator', 'settlements.number', { id }) ?? reference;
  return reference;
}
