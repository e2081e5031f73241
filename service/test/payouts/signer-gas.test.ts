/** Payees whose contracts need gas: what one of them costs is not asked of another. */
import { describe, expect, test } from 'vitest';
import { useCompromisedService } from '../support/compromised-service.ts';
import { RUN_ENGINES } from '../support/databases.ts';

const TRAP = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const PLAIN_GAS = 25_200;

describe.each(RUN_ENGINES)('gas of payouts on %s', (engine) => {
  const { lab, make, makeDocument, open, handOver } = useCompromisedService(engine);

  /** Code that counts down: the more loops, the more gas. */
  const burn = (loops: number) =>
    lab.anvil.call('anvil_setCode', [
      TRAP,
      `0x61${loops.toString(16).padStart(4, '0')}5b600190038060035700`,
    ]);

  test.each([
    ['more gas than is allowed', 18_000, 'refused'],
    ['much gas', 14_000, 'sent'],
  ])('a payee whose contract burns %s', async (_what, loops, outcome) => {
    await burn(loops);
    const documents = [7, 8, 9].map((payout_id) =>
      makeDocument({
        ...{ payout_id, request_id: `request-${payout_id}` },
        ...(payout_id === 7 && { address: TRAP }),
      }),
    );
    const reports = await handOver(documents.map((document) => make(document)));
    const outcomes = new Map(reports.map((report) => [report.payout_id, report.outcome]));
    expect([7, 8, 9].map((id) => outcomes.get(id))).toEqual([outcome, 'sent', 'sent']);
    const signer = open(fetch, {});
    const gas = [8, 9].map((id) => signer.deps.state.find(id)?.gas);
    signer.close();
    expect(gas).toEqual([PLAIN_GAS, PLAIN_GAS]);
  });
});
