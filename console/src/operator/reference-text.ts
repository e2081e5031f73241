import type { Translate } from '../i18n/translate.ts';

/** What the service itself refers to, in words; references of business servers as they are. */
export function referenceText(
  t: Pick<Translate, 'find'>,
  reference: string | undefined,
): string | undefined {
  const [, id] = /^payout:(\d+)$/.exec(reference ?? '') ?? [];
  return id === undefined ? reference : (t.find('operator', 'payouts.sheet', { id }) ?? reference);
}
