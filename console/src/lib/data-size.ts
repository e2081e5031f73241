/** Sizes of data in the unit in which they are read. */
import { decimalOf, toUnits } from './money-text.ts';

export interface DataSize {
  /** Exact decimal text. */
  readonly value: string;
  readonly unit: 'TB' | 'GB' | 'MB' | 'KB' | 'B';
}

const GB = 10n ** 18n;

/** The largest unit of which there is at least one. */
export function dataSizeOf(gigabytes: string): DataSize {
  const units = toUnits(gigabytes);
  if (units >= 1000n * GB) return { value: decimalOf(units, 21), unit: 'TB' };
  if (units === 0n || units >= GB) return { value: decimalOf(units, 18), unit: 'GB' };
  if (units >= GB / 1000n) return { value: decimalOf(units, 15), unit: 'MB' };
  if (units >= GB / 1_000_000n) return { value: decimalOf(units, 12), unit: 'KB' };
  return { value: decimalOf(units, 9), unit: 'B' };
}
