/** The hash that a leaf has of the reports of its line, computed from their content. */
import { hash } from 'node:crypto';
import { hashReport } from '../../devices/index.ts';
import type { Line } from '../reward-lines.ts';
import type { ArchivedReport } from './archive-columns.ts';

/** Lines of other types have no reports, and no hash of them. */
const REPORTED_TYPES: ReadonlySet<string> = new Set(['TRAFFIC', 'PENALTY']);

/**
 * As `REPORTS_HASH` in SQL, hexadecimal; null: the line can have no reports.
 * @param reports in their order
 */
export function hashReportsOf(
  { rewardType }: Pick<Line, 'rewardType'>,
  reports: readonly ArchivedReport[],
): string | null {
  if (!REPORTED_TYPES.has(rewardType)) return null;
  const content = reports
    .flatMap(({ clientId, report }) => [clientId, report.reportId, hashReport(report)])
    .map((text) => `${text}\0`)
    .join('');
  return hash('sha256', content, 'hex');
}
