/** Which endpoint is asked as their health changes. */
import { expect, test } from 'vitest';
import { createFreeText } from '../../lib/coded-messages.ts';
import type { ChainNode } from './chain.ts';
import { EndpointPool } from './endpoint-pool.ts';
import { RpcError } from './json-rpc.ts';

interface FakeNode extends ChainNode {
  height: number;
  isDown: boolean;
  isStranger: boolean;
  /** A request for its head is answered when this is over. */
  hangs: Promise<void> | undefined;
  asked: number;
}

function fakeNode(label: string, height: number): FakeNode {
  const node: FakeNode = {
    label,
    height,
    isDown: false,
    isStranger: false,
    hangs: undefined,
    asked: 0,
    async checkIdentity() {
      if (node.isStranger) throw new RpcError('contradiction', createFreeText('another chain'));
    },
    async readHead() {
      node.asked++;
      await node.hangs;
      if (node.isDown) throw new RpcError('unreachable', createFreeText('down'));
      return { height: node.height, finalizedHeight: undefined };
    },
    readHeader: async () => undefined,
    readBlock: async () => undefined,
    readDecimals: async () => undefined,
    runCode: async () => undefined,
    readPayment: async () => undefined,
    countSent: async () => undefined,
    readSpentAt: async () => undefined,
    readBalances: async () => [],
  };
  return node;
}

/** Lets requests that are no longer awaited finish. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function setUp() {
  let now = 0;
  const nodes = [fakeNode('first', 100), fakeNode('second', 100), fakeNode('third', 100)] as const;
  const pool = new EndpointPool(nodes, { now_ms: () => now });
  const labels = (list: readonly ChainNode[]): string[] => list.map(({ label }) => label);
  return { nodes, pool, labels, pass: (ms: number) => (now += ms) };
}

test('the first endpoint that answers is used, the others are witnesses', async () => {
  const { nodes, pool, labels } = setUp();
  await pool.refresh();
  expect(pool.pick()).toMatchObject({
    node: { label: 'first' },
    head: { height: 100 },
    isHealthy: true,
    failures: 0,
  });
  expect(labels(pool.listWitnesses(nodes[0]))).toEqual(['second', 'third']);
});

test('pauses after failures grow, and an endpoint that answers is preferred again', async () => {
  const { nodes, pool, pass } = setUp();
  nodes[0].isDown = true;
  await pool.refresh();
  expect(pool.pick().node.label).toBe('second');
  expect(pool.list()[0]).toMatchObject({
    isHealthy: false,
    failures: 1,
    lastError: createFreeText('down'),
  });
  await pool.refresh();
  expect(nodes[0].asked).toBe(1);
  pass(500);
  await pool.refresh();
  expect(nodes[0].asked).toBe(2);
  pass(999);
  await pool.refresh();
  expect(nodes[0].asked).toBe(2);
  nodes[0].isDown = false;
  pass(1);
  await pool.refresh();
  await settled();
  expect(pool.pick()).toMatchObject({
    node: { label: 'first' },
    failures: 0,
    lastError: undefined,
  });
});

test('a request that hangs is awaited once, then others are asked in parallel', async () => {
  const { nodes, pool, pass } = setUp();
  await pool.refresh();
  pool.markFailed(nodes[0], new RpcError('too_slow', createFreeText('no answer in time')));
  await pool.refresh();
  pass(14_999);
  await pool.refresh();
  expect(nodes[0].asked).toBe(1);
  let answer = (): void => {};
  nodes[0].hangs = new Promise((resolve) => {
    answer = resolve;
  });
  pass(1);
  for (let looks = 0; looks < 3; looks++) await pool.refresh();
  expect(nodes[0].asked).toBe(2);
  expect(pool.pick().node.label).toBe('second');
  answer();
  await settled();
  expect(pool.pick().node.label).toBe('first');
});

test('an endpoint that answers only for its head is tried more and more rarely', async () => {
  const { nodes, pool, pass } = setUp();
  let tries = 0;
  for (let second = 0; second < 120; second++) {
    await pool.refresh();
    await settled();
    if (pool.pick().node === nodes[0]) {
      tries++;
      pool.markFailed(nodes[0], new RpcError('unreachable', createFreeText('no blocks')));
    }
    pass(1000);
  }
  expect(tries).toBeLessThan(10);
  pass(30_000);
  await pool.refresh();
  await settled();
  expect(pool.pick().node).toBe(nodes[0]);
  pool.markWorked(nodes[0]);
  pool.markFailed(nodes[0], new RpcError('unreachable', createFreeText('once')));
  pass(500);
  await pool.refresh();
  await settled();
  expect(pool.pick().node).toBe(nodes[0]);
});

test('an answer after a failed poll does not make an endpoint healthy', async () => {
  const { nodes, pool, pass } = setUp();
  await pool.refresh();
  pool.markFailed(nodes[0], new RpcError('unreachable', createFreeText('once')));
  let answer = (): void => {};
  nodes[0].hangs = new Promise((resolve) => {
    answer = resolve;
  });
  pass(500);
  await pool.refresh();
  pool.markFailed(nodes[0], new RpcError('unreachable', createFreeText('again')));
  answer();
  await settled();
  expect(pool.pick().node.label).toBe('second');
});

test('a recovered endpoint is asked during its pause when the others fail', async () => {
  const { nodes, pool } = setUp();
  await pool.refresh();
  pool.markFailed(nodes[0], new RpcError('too_slow', createFreeText('no answer in time')));
  await pool.refresh();
  expect(nodes[0].asked).toBe(1);
  nodes[1].isDown = true;
  // An endpoint that never answers is not awaited.
  nodes[2].hangs = new Promise(() => undefined);
  pool.markFailed(nodes[2], new RpcError('too_slow', createFreeText('no answer in time')));
  await pool.refresh();
  expect(pool.pick().node).toBe(nodes[0]);
});

test('the pause ends at half a minute', async () => {
  const { nodes, pool, pass } = setUp();
  nodes[0].isDown = true;
  for (let tries = 0; tries < 20; tries++) {
    await pool.refresh();
    pass(30_000);
  }
  expect(nodes[0].asked).toBe(20);
});

test('an endpoint far behind is used if no other answers, and a witness until stuck', async () => {
  const { nodes, pool, labels, pass } = setUp();
  nodes[0].height = 96;
  nodes[1].height = 97;
  await pool.refresh();
  expect(pool.pick().node.label).toBe('second');
  expect(labels(pool.listWitnesses(nodes[1]))).toEqual(['first', 'third']);
  pass(600_001);
  nodes[1].height = 98;
  await pool.refresh();
  expect(labels(pool.listWitnesses(nodes[1]))).toEqual(['third']);
  nodes[0].height = 97;
  nodes[1].height = 200;
  await pool.refresh();
  expect(labels(pool.listWitnesses(nodes[1]))).toEqual(['first']);
  nodes[1].isDown = true;
  nodes[2].isDown = true;
  await pool.refresh();
  expect(pool.pick().node.label).toBe('first');
});

test('an endpoint of another chain is never asked', async () => {
  const { nodes, pool, labels } = setUp();
  nodes[0].isStranger = true;
  await pool.refresh();
  expect(pool.pick().node.label).toBe('second');
  expect(labels(pool.listWitnesses(nodes[1]))).toEqual(['third']);
});

test('an inconsistent poll is a failure; without an endpoint it has a reason', async () => {
  const { nodes, pool } = setUp();
  await pool.refresh();
  for (const node of nodes)
    pool.markFailed(node, new RpcError('contradiction', createFreeText('it lied')));
  expect(() => pool.pick()).toThrow('no RPC endpoint answers');
  expect(() => new EndpointPool([]).pick()).toThrow('the network has no RPC endpoints');
});

test('the only endpoint is asked at every poll, failed or not', async () => {
  const node = fakeNode('only', 5);
  const pool = new EndpointPool([node], { now_ms: () => 0 });
  node.isDown = true;
  await pool.refresh();
  node.isDown = false;
  await pool.refresh();
  expect(pool.pick().node).toBe(node);
});
