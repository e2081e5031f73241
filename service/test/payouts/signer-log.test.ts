import { expect, test } from 'vitest';
import { createLog } from '../../../signer/src/log.ts';

test('an event of a payout is written once, until another one, or other facts, follow', () => {
  const lines: unknown[] = [];
  const log = createLog(
    (line) => lines.push(JSON.parse(line)),
    () => new Date('2026-11-26T10:00:00Z'),
  );
  const time = '2026-11-26T10:00:00.000Z';
  log('payout_stopped', { payout_id: 1 });
  log('payout_stopped', { payout_id: 1 });
  log('payout_stopped', { payout_id: 2 });
  log('cycle_failed', { error: 'cut off' });
  log('cycle_failed', { error: 'cut off' });
  log('payout_taken_back', { payout_id: 1 });
  log('payout_stopped', { payout_id: 1 });
  log('void_sent', { payout_id: 1, tx_hash: '0xaa' });
  log('void_sent', { payout_id: 1, tx_hash: '0xbb' });
  expect(lines).toEqual([
    { time, event: 'payout_stopped', payout_id: 1 },
    { time, event: 'payout_stopped', payout_id: 2 },
    { time, event: 'cycle_failed', error: 'cut off' },
    { time, event: 'cycle_failed', error: 'cut off' },
    { time, event: 'payout_taken_back', payout_id: 1 },
    { time, event: 'payout_stopped', payout_id: 1 },
    { time, event: 'void_sent', payout_id: 1, tx_hash: '0xaa' },
    { time, event: 'void_sent', payout_id: 1, tx_hash: '0xbb' },
  ]);
});
