/** Which earnings are drawn, by the address of the page. */
import { readOneOf, readWords, type Search } from '../lib/search-params.ts';

export const RANGES = ['7', '30', '90'] as const;
const CODE_LENGTH_MAX = 64;
const NODE_ID_LENGTH_MAX = 256;

export interface ChartFilter {
  readonly days?: (typeof RANGES)[number] | undefined;
  readonly currency?: string | undefined;
  readonly rewardType?: string | undefined;
  /** Earnings of one device. */
  readonly nodeId?: string | undefined;
}

export function readChartFilter({ days, currency, rewardType, nodeId }: Search): ChartFilter {
  return {
    days: readOneOf(days, RANGES),
    currency: readWords(currency, CODE_LENGTH_MAX),
    rewardType: readWords(rewardType, CODE_LENGTH_MAX),
    nodeId: readWords(nodeId, NODE_ID_LENGTH_MAX),
  };
}
