/**
 * A deposit on a local chain: it is detected, confirmed block by block, and credited.
 */
import { DEMO_NETWORK, type DemoChain } from '../support/chains/demo-chain.ts';
import { expectOk } from './http-client.ts';

export interface DepositOptions {
  readonly baseUrl: string;
  readonly operatorToken: string;
  /** Token of the depositing user. */
  readonly token: string;
  readonly chain: DemoChain;
  print(line: string): void;
}

interface Deposit {
  readonly status: string;
  readonly confirmations: number;
  readonly required_confirmations: number;
}

const AMOUNT = 25;
const TRIES = 300;
const PAUSE_MS = 50;

/**
 * Polls until the newest deposit has the expected state: the watcher polls on its own and cannot
 * notify this process.
 */
async function waitFor(
  { baseUrl, token }: DepositOptions,
  isThere: (deposit: Deposit) => boolean,
): Promise<Deposit> {
  for (let tries = 0; tries < TRIES; tries++) {
    const { records } = await expectOk<{ records: Deposit[] }>(
      `${baseUrl}/deposit/records?current=1&size=1`,
      { token },
    );
    const [deposit] = records;
    if (deposit && isThere(deposit)) return deposit;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error('the deposit did not get so far');
}

/** Makes a deposit, from the address to the balance; returns its statuses. */
export async function makeDeposit(options: DepositOptions): Promise<string[]> {
  const { baseUrl, operatorToken, token, chain, print } = options;
  await chain.configure(baseUrl, operatorToken);
  const query = `currency=USDT&currencyNetWork=${DEMO_NETWORK}`;
  const { address, uri, warning } = await expectOk<Record<string, string>>(
    `${baseUrl}/address/info?${query}`,
    { token },
  );
  print(`   address ${address}; ${uri}`);
  print(`   ${warning}`);
  // The watcher starts at the first head that it reads: wait for that.
  await waitForCursor(baseUrl, operatorToken);
  const txHash = await chain.pay(String(address), AMOUNT);
  print(`   ${AMOUNT} USDT sent from outside, transaction ${txHash}`);
  const statuses: string[] = [];
  for (let block = 1; block <= chain.confirmations; block++) {
    await chain.mine();
    const wanted =
      block < chain.confirmations
        ? (deposit: Deposit) => deposit.confirmations === block
        : (deposit: Deposit) => deposit.status === 'credited';
    const deposit = await waitFor(options, wanted);
    statuses.push(deposit.status);
    print(
      `   ${deposit.status}, ` +
        `${deposit.confirmations} of ${deposit.required_confirmations} confirmations`,
    );
  }
  const info = await expectOk<{ balance: number }[]>(`${baseUrl}/account/info?currency=USDT`, {
    token,
  });
  print(`   the wallet holds ${info[0]?.balance} USDT`);
  return statuses;
}

/** Waits until a running service watches the chain: it starts at the first head that it reads. */
export async function waitForCursor(baseUrl: string, operatorToken: string): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const reports = await expectOk<{ network: string; cursor_height?: number }[]>(
      `${baseUrl}/operator/chains`,
      { token: operatorToken },
    );
    if (reports.find(({ network }) => network === DEMO_NETWORK)?.cursor_height !== undefined)
      return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error('the watcher did not start');
}
