/** Wrong answers of a node of the Bitcoin family: an answer of another form is rejected. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RpcError } from '../json-rpc.ts';
import { createUtxoNode } from './node.ts';

const HEIGHT = 7;
const HASH = 'ab'.repeat(32);
const PARENT = 'cd'.repeat(32);
const TXID = 'ef'.repeat(32);

/** Answers by method, as text: numbers keep their digits. */
type Answers = Readonly<Record<string, string>>;

const output = (fields: string): string => `{"n":0,"scriptPubKey":{"address":"rltc1qx"},${fields}}`;
const block = (outputs: string, fields = ''): string =>
  `{"hash":"${HASH}","height":${HEIGHT},"confirmations":1,"previousblockhash":"${PARENT}","tx":[{"txid":"${TXID}","vin":[{"txid":"${PARENT}"}],"vout":[${outputs}]}]${fields}}`;

const GOOD: Answers = {
  getblockchaininfo: '{"chain":"regtest"}',
  getblockcount: String(HEIGHT),
  getblockhash: `"${HASH}"`,
  getblock: block(output('"value":0.10000001')),
  getblockheader:
    `{"hash":"${HASH}","height":${HEIGHT},"confirmations":1,` + `"previousblockhash":"${PARENT}"}`,
};

let answers = GOOD;
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method } = JSON.parse(Buffer.concat(chunks).toString()) as { method: string };
    response.end(`{"id":1,"error":null,"result":${answers[method] ?? 'null'}}`);
  });
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const nodeWith = (changed: Answers) => {
  answers = { ...GOOD, ...changed };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return createUtxoNode({ url, label: 'test', addressPrefix: 'rltc' });
};
const ours = new Set(['rltc1qx']);

test('a payment is read to its last digit, and identified by its output', async () => {
  const read = await nodeWith({}).readBlock(HEIGHT);
  expect(read).toMatchObject({
    height: HEIGHT,
    hash: HASH,
    parentHash: PARENT,
    recipients: ['rltc1qx'],
  });
  expect(await read?.readTransfers(ours)).toMatchObject([
    { txHash: TXID, ordinal: 0, to: 'rltc1qx', amount: 10_000_001n, confirmationsMin: 0 },
  ]);
});

test.each([
  ['1e-08', 1n],
  ['1.25e-6', 125n],
  ['21000000.00000000', 2_100_000_000_000_000n],
  ['90071992.54740993', 9_007_199_254_740_993n],
])('the amount %s is exact', async (value, amount) => {
  const read = await nodeWith({ getblock: block(output(`"value":${value}`)) }).readBlock(HEIGHT);
  expect(await read?.readTransfers(ours)).toMatchObject([{ amount }]);
});

test('an output without an address, or of zero, belongs to no user', async () => {
  const outputs = [
    '{"n":0,"value":0,"scriptPubKey":{"address":"rltc1qx"}}',
    '{"n":1,"value":5,"scriptPubKey":{"asm":"OP_RETURN"}}',
  ].join();
  expect((await nodeWith({ getblock: block(outputs) }).readBlock(HEIGHT))?.recipients).toEqual([]);
});

test.each<[string, Answers, RpcError['kind']]>([
  ['a hash that is no hash', { getblockhash: '"none"' }, 'malformed'],
  ['a block that is a list', { getblock: '[]' }, 'malformed'],
  [
    'a block of another height',
    { getblock: block('').replace(`"height":${HEIGHT}`, '"height":8') },
    'contradiction',
  ],
  ['a block of another hash', { getblock: block('').replace(HASH, PARENT) }, 'contradiction'],
  [
    'a block that was replaced between two calls',
    { getblock: block('').replace('"confirmations":1', '"confirmations":-1') },
    'contradiction',
  ],
  ['a parent that is no hash', { getblock: block('').replace(PARENT, 'not hex') }, 'malformed'],
  [
    'transactions that are no list',
    { getblock: block('').replace('"tx":[', '"tx":{"a":[').replace(/]}$/, ']}}') },
    'malformed',
  ],
  [
    'transactions that are hashes',
    { getblock: block('').replace(/"tx":\[.*]/, `"tx":["${TXID}"]`) },
    'malformed',
  ],
  [
    'an output without a number',
    { getblock: block('{"value":1,"scriptPubKey":{"address":"rltc1qx"}}') },
    'malformed',
  ],
  [
    'an output without an amount',
    { getblock: block('{"n":0,"scriptPubKey":{"address":"rltc1qx"}}') },
    'malformed',
  ],
  ['an amount that is words', { getblock: block(output('"value":"a lot"')) }, 'malformed'],
  ['an amount with nine decimals', { getblock: block(output('"value":0.123456789')) }, 'malformed'],
  ['an amount below the smallest unit', { getblock: block(output('"value":1e-9')) }, 'malformed'],
  ['an amount without end', { getblock: block(output('"value":1e308')) }, 'malformed'],
  ['a negative amount', { getblock: block(output('"value":"- 1"')) }, 'malformed'],
  ['an output without a script', { getblock: block('{"n":0,"value":1}') }, 'malformed'],
])('%s is refused', async (_name, changed, kind) => {
  await expect(nodeWith(changed).readBlock(HEIGHT)).rejects.toMatchObject({
    name: 'RpcError',
    kind,
  });
});

test('a node of another chain, and a head that is not a height', async () => {
  await expect(
    nodeWith({ getblockchaininfo: '{"chain":"main"}' }).checkIdentity(),
  ).rejects.toMatchObject({ kind: 'contradiction' });
  await expect(nodeWith({ getblockcount: '-1' }).readHead()).rejects.toMatchObject({
    kind: 'malformed',
  });
  await expect(nodeWith({ getblockcount: '"7"' }).readHead()).rejects.toMatchObject({
    kind: 'malformed',
  });
});
