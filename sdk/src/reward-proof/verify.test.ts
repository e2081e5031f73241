import { expect, test } from 'vitest';
import { PROOF_CHECKS, verifyRewardProof } from './verify.ts';

const KEYS = [
  {
    kty: 'OKP',
    crv: 'Ed25519',
    alg: 'EdDSA',
    use: 'sig',
    kid: 'a0FoeH-CZDUoylGQwJSeMapZ9Chb_8Ssc9XbE9xFx8w',
    x: 'Kcz4j6uU991lKHoSZcLJShW9BjR9uzuXA8O9eeyOQDE',
  },
];

/** As a service of the previous version made it. */
const BEFORE = [
  '{"format":"edge-account reward proof 2","explanation":"TRAFFIC of the hour ' +
    '2026-05-01T00:00:00.000Z: 1000000008 bytes of 1000000008 at 2 EDGE per GB = 2.000000016 ' +
    'EDGE, less 2.000000002 EDGE settled before, = 0.000000014 EDGE, by version 1 of the ' +
    'rules.",',
  '"bill":{"id":962,"user_id":1,"business_id":"reward","amount_direction":1,' +
    '"amount":"0.000000014","currency":"EDGE","scale":18,' +
    '"event_at":"2026-05-01T00:00:00.000Z"},',
  '"line":{"batch":6,"leaf":0,"hour":"2026-05-01T00:00:00.000Z","rule_version":1,' +
    '"rule_hash":"3631af74f4f55fb30d83ec61b94a8cf0589fcc1e09fb06eaf1b71f6b2b338bca",' +
    '"user_id":1,',
  '"node_id":"node-1","reward_type":"TRAFFIC","level":0,"part":"","status":"paid",' +
    '"quantity":"1000000008","rate":"2000000000000000000",' +
    '"settled_before":"2000000002000000000","amount":"14000000000","reason":""},',
  String.raw`"rules":"{\"uptime\":{\"amount\":\"0.5\"},\"traffic\":[{\"category\":\"*\",\"amount\":\"2\"}],\"referral\":[{\"percent\":\"20\",\"uptime_hours\":0,\"distinct_addresses\":1},{\"percent\":\"10\",\"uptime_hours\":0,\"distinct_addresses\":1}],`,
  String.raw`\"campaigns\":[{\"name\":\"spring\",\"percent\":\"12.5\",\"from\":\"2026-01-01T00:00:00Z\",\"before\":\"2027-01-01T00:00:00Z\"}],\"penalty\":{\"amount\":\"0.01\"},\"limits\":{\"devices_per_user\":2,\"gb_per_device_hour\":3}}",`,
  '"reports":[{"client_id":"relay","report_id":"1777593600000-1","bytes_up":"1000000000",' +
    '"bytes_down":"1","category":"","from":"2026-05-01T00:00:00.000Z",' +
    '"to":"2026-05-01T01:00:00.000Z"},',
  '{"client_id":"relay","report_id":"later","bytes_up":"0","bytes_down":"7","category":"",' +
    '"from":"2026-05-01T00:00:00.000Z","to":"2026-05-01T01:00:00.000Z"}],',
  '"tree":{"salt":"a1c006bea989069161f91b27e4c27858","size":5,' +
    '"path":["aa992708d685bc363c35f08ce11727a83f3ae95ac9267d74385b6c08c47ed183",' +
    '"bbf297d950fb37712571a6f0f6e9e22a8abeac66af508de0baa3dfbb50f4bc30",' +
    '"3a70a1ff98a974a3294ffff100d4c96ae69f8e7e8a7a22e576cd5272216304b5"],' +
    '"root":"00d8c903cdcd7b2e9d9aefeed0875c1fb4bf7dfcb5d13a5005b5b198ad093fa4"},',
  '"ledger":{"reference":"rewards 6 5 ' +
    '00d8c903cdcd7b2e9d9aefeed0875c1fb4bf7dfcb5d13a5005b5b198ad093fa4"},' +
    '"key_id":"a0FoeH-CZDUoylGQwJSeMapZ9Chb_8Ssc9XbE9xFx8w",' +
    '"signature":"U4Yiow-M4FRw-WQbRQhb40Wa0VgLOJYefj3wBo6ZJzMk0b9euIXSLwdVGaKEiRbGqXpMGWy9YfMlF' +
    'ggLCkhzDA"}',
].join('');

test('a proof of the previous format is valid, and any change of it is not', async () => {
  const failed = async (text: string): Promise<string[]> => {
    const outcome = await verifyRewardProof(text, KEYS);
    return PROOF_CHECKS.filter((check) => !outcome[check]);
  };
  expect(await failed(BEFORE)).toEqual([]);
  expect(await failed(BEFORE.replace('"bytes_down":"7"', '"bytes_down":"8"'))).toEqual([
    'signed',
    'reported',
  ]);
  expect(await failed(BEFORE.replace('proof 2', 'proof 3'))).toEqual(
    expect.arrayContaining(['whole', 'signed', 'rooted']),
  );
});
