import { cutDecimals } from '../lib/money-text.ts';
import { Amount } from './amount.tsx';

/** Traffic in GB, to the MB; to the byte on hover. */
export function Traffic({
  gigabytes,
  size = 'md',
}: {
  readonly gigabytes: string;
  readonly size?: 'sm' | 'md';
}) {
  return (
    <span title={`${gigabytes} GB`}>
      <Amount digits="exact" value={cutDecimals(gigabytes)} currency="GB" size={size} />
    </span>
  );
}
