/** A day of a chart in words, for who does not see its bar. */
import type { Translate } from '../../i18n/translate.ts';
import { amountText } from '../../lib/money-text.ts';
import type { ChartDay } from './chart-bars.ts';
import type { ChartWords } from './chart-words.ts';

interface Told {
  /** The day as it is read. */
  readonly name: string;
  /** Said of a day that is not over; undefined of others. */
  readonly incomplete: string | undefined;
}

/** Its sum, that it is not over, and its parts: of one part the sum is all there is to say. */
export function dayWords(
  t: Translate<'common'>,
  { amount, parts }: ChartDay,
  { unit, textOf }: Pick<ChartWords, 'unit' | 'textOf'>,
  { name, incomplete }: Told,
): string {
  const some = parts.length < 2 ? [] : parts;
  return [
    t('labelled', { name, value: amountText(amount, unit) }),
    ...(incomplete === undefined ? [] : [incomplete]),
    ...some.map((part) =>
      t('labelled', { name: textOf(part.name), value: amountText(part.amount) }),
    ),
  ].join(t('chart.gap'));
}
