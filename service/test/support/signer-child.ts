/**
 * A signer that works until it has nothing to do, or kills itself (SIGKILL) at its n-th step:
 * before and after each call of the chain and the service, and each write of its state.
 * Arguments: the configuration; n, 0 for never. Environment: as of `edge-signer`.
 */
import { readConfig } from '../../../signer/src/config.ts';
import { loadKey } from '../../../signer/src/key-file.ts';
import { openSigner } from '../../../signer/src/open-signer.ts';
import { SignerState } from '../../../signer/src/state.ts';

const [path = '', killAt = '0'] = process.argv.slice(2);
const CYCLES = 3;
let steps = 0;
function step(): void {
  steps++;
  if (String(steps) === killAt) process.kill(process.pid, 'SIGKILL');
}

for (const name of ['accept', 'addSigned', 'markPublished', 'markDone'] as const) {
  const write = SignerState.prototype[name] as (...args: unknown[]) => void;
  SignerState.prototype[name] = function (this: SignerState, ...args: unknown[]): void {
    step();
    write.apply(this, args);
    step();
  };
}

const signer = openSigner({
  config: readConfig(path),
  key: loadKey(process.env),
  clientSecret: process.env.SIGNER_CLIENT_SECRET ?? '',
  log: () => undefined,
  async send(input, init) {
    step();
    const answer = await fetch(input, init);
    step();
    return answer;
  },
});
await signer.start();
for (let cycle = 0; cycle < CYCLES; cycle++) await signer.cycle();
signer.close();
process.stdout.write(String(steps));
