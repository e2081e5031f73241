/** Which node is asked, as their health changes. */
import { expect, test } from 'vitest';
import type { ChainNode } from './chain.ts';
import { createEndpointPool } from './endpoint-pool.ts';
import { RpcError } from './json-rpc.ts';

interface FakeNode extends ChainNode {
  height: number;
  isDown: boolean;
  isStranger: boolean;
  asked: number;
}

function fakeNode(label: string, height: number): FakeNode {
  const node: FakeNode = {
    label,
    height,
    isDown: false,
    isStranger: false,
    asked: 0,
    async checkIdentity() {
      if (node.isStranger) throw new RpcError('contradiction', 'another chain');
    },
    async readHead() {
      node.asked++;
      if (node.isDown) throw new RpcError('unreachable', 'down');
      return { height: node.height, finalizedHeight: undefined };
    },
    readHeader: async () => undefined,
    readBlock: async () => undefined,
    readDecimals: async () => undefined,
    readBalances: async () => [],
  };
  return node;
}

function setUp() {
  let now = 0;
  const nodes = [fakeNode('first', 100), fakeNode('second', 100), fakeNode('third', 100)] as const;
  const pool = createEndpointPool(nodes, () => now);
  const labels = (list: readonly ChainNode[]): string[] => list.map(({ label }) => label);
  return { nodes, pool, labels, pass: (ms: number) => (now += ms) };
}

test('the first of the list that answers is asked, the others are witnesses', async () => {
  const { nodes, pool, labels } = setUp();
  await pool.refresh();
  expect(pool.pick()).toMatchObject({ node: { label: 'first' }, head: { height: 100 }, isHealthy: true, failures: 0 });
  expect(labels(pool.witnesses(nodes[0]))).toEqual(['second', 'third']);
});

test('one that failed is left alone for longer and longer, and preferred again once it answers', async () => {
  const { nodes, pool, pass } = setUp();
  nodes[0].isDown = true;
  await pool.refresh();
  expect(pool.pick().node.label).toBe('second');
  expect(pool.list()[0]).toMatchObject({ isHealthy: false, failures: 1, lastError: 'down' });
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
  expect(pool.pick()).toMatchObject({ node: { label: 'first' }, failures: 0, lastError: undefined });
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

test('one that is far behind is asked only when no other answers, and is no witness of the head', async () => {
  const { nodes, pool, labels } = setUp();
  nodes[0].height = 96;
  nodes[1].height = 97;
  await pool.refresh();
  expect(pool.pick().node.label).toBe('second');
  expect(labels(pool.witnesses(nodes[1]))).toEqual(['third']);
  expect(labels(pool.answering(nodes[1]))).toEqual(['first', 'third']);
  nodes[1].isDown = true;
  nodes[2].isDown = true;
  await pool.refresh();
  expect(pool.pick().node.label).toBe('first');
});

test('a node of another chain is never asked', async () => {
  const { nodes, pool, labels } = setUp();
  nodes[0].isStranger = true;
  await pool.refresh();
  expect(pool.pick().node.label).toBe('second');
  expect(labels(pool.answering(nodes[1]))).toEqual(['third']);
});

test('what a look found wrong counts as a failure; without any node it says why', async () => {
  const { nodes, pool } = setUp();
  await pool.refresh();
  for (const node of nodes) pool.markFailed(node, new RpcError('contradiction', 'it lied'));
  expect(() => pool.pick()).toThrow('no node answers: it lied');
  expect(() => createEndpointPool([]).pick()).toThrow('the network has no nodes');
});

test('the only node is asked at every look, failed or not', async () => {
  const node = fakeNode('only', 5);
  const pool = createEndpointPool([node], () => 0);
  node.isDown = true;
  await pool.refresh();
  node.isDown = false;
  await pool.refresh();
  expect(pool.pick().node).toBe(node);
});
