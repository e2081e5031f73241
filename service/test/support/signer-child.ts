/**
 * A signer that works until it has nothing to do, or kills itself (SIGKILL) at its n-th step:
 * before and after each call of the chain and the service, and each write of its state.
 * Arguments: the configuration; n, 0 for never. Environment: as of `edge-signer`, and
 * SIGNER_LATER_MS, by which its clock is ahead.
 */
import { loadKey } from '../../../signer/src/key-file.ts';
import { openByConfig } from '../../../signer/src/open-by-config.ts';
import { SignerState } from '../../../signer/src/state.ts';
import { UtxoState } from '../../../signer/src/utxo/state.ts';
import { killAtStep } from './kill-at-step.ts';

const [path = '', killAt = '0'] = process.argv.slice(2);
const CYCLES = 3;
const steps = killAtStep(Number(killAt));

type Writes = Record<string, (...args: unknown[]) => unknown>;

/** Steps before and after each of these writes. */
function stepAround(prototype: object, names: readonly string[]): void {
  const writes = prototype as Writes;
  for (const name of names) {
    const write = writes[name];
    if (!write) throw new Error(`the state has no ${name}`);
    writes[name] = function (...args: unknown[]): unknown {
      steps.step();
      const result = write.apply(this, args);
      steps.step();
      return result;
    };
  }
}

const COMMON = ['accept', 'addSigned', 'markPublished', 'markDone'];
stepAround(SignerState.prototype, [...COMMON, 'reopen']);
stepAround(UtxoState.prototype, [...COMMON, 'reopenSince', 'noteOutside']);

const later_ms = Number(process.env.SIGNER_LATER_MS ?? 0);

const signer = openByConfig(path, {
  key: loadKey(process.env),
  clientSecret: process.env.SIGNER_CLIENT_SECRET ?? '',
  log: () => undefined,
  now: () => Date.now() + later_ms,
  async send(input, init) {
    steps.step();
    const answer = await fetch(input, init);
    steps.step();
    return answer;
  },
});
await signer.start();
for (let cycle = 0; cycle < CYCLES; cycle++) await signer.cycle();
signer.close();
process.stdout.write(String(steps.count));
