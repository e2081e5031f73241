import { describe, expect, test } from 'vitest';
import { useFaultFixture } from '../../test/support/chains/fault-fixture.ts';
import { HANG_UP, type Intercept, startFaultProxy } from '../../test/support/chains/fault-proxy.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import { runOnChain } from './run-on-chain.ts';

/** Returns the byte 1. */
const CODE = '0x600160005360016000f3';
const REVERTS = '0x60006000fd';

describe('code that decides by a chain', () => {
  const fixture = useFaultFixture();
  const run = (code = CODE, chainId = 31337) =>
    runOnChain(fixture.lab.database, testMasterKey, chainId, code);

  test('has a result, is refused, or has no chain', async () => {
    expect(await run()).toBe('0x01');
    expect(await run(REVERTS)).toBeUndefined();
    expect(await run(CODE, 1)).toBeUndefined();
  });

  const lying: Intercept = async ({ method }, ask) => (method === 'eth_call' ? '0x00' : ask());
  const otherChain: Intercept = async ({ method }, ask) =>
    method === 'eth_chainId' ? '0x1' : method === 'eth_call' ? '0x00' : ask();
  test.each([
    ['agrees', undefined, '0x01'],
    ['is silent', async () => HANG_UP, '0x01'],
    ['is of another chain', otherChain, '0x01'],
    ['says otherwise', lying, undefined],
  ] satisfies [string, Intercept | undefined, string | undefined][])(
    'a second endpoint %s',
    async (_case, intercept, result) => {
      const other = await startFaultProxy(fixture.lab.anvil.url);
      other.intercept(intercept);
      await fixture.lab.bench.configure([fixture.proxy.url, other.url]);
      expect(await run()).toBe(result);
      await other.stop();
    },
  );

  test('no endpoint answers', async () => {
    fixture.proxy.intercept(async () => HANG_UP);
    expect(await run()).toBeUndefined();
  });
});
