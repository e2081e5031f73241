/** Whether an alert of deploy/prometheus fires while the fault lasts: promtool decides. */
import { findFiring, hasPromtool } from '../../service/test/support/alert-rules.ts';
import type { DrillReport } from '../harness/drill.ts';

export interface Scrape {
  /** The instance's own address. */
  readonly address: string;
  readonly token: string;
}

/** What Prometheus would see. */
export async function scrape({ address, token }: Scrape): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${address}/metrics`, {
    headers,
    signal: AbortSignal.timeout(10_000),
  }).catch(() => undefined);
  return answer?.ok ? `${await answer.text()}\nup 1\n` : 'up 0\n';
}

/**
 * @param before a scrape from before the fault
 * @param during one while the fault lasts
 * @param names what must fire then; nothing may fire before
 */
export async function checkAlerts(
  report: DrillReport,
  names: readonly string[],
  [before, during]: readonly [string, string],
): Promise<void> {
  if (!hasPromtool) {
    report.note(`not checked without promtool: ${names.join(', ')}`);
    return;
  }
  report.equal('alerts before the fault', (await findFiring([before, before])).join(', '), '');
  const firing = await findFiring([before, during]);
  for (const name of names) report.check(`the alert ${name} fires`, firing.includes(name));
}
