import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../service/src/lib/clock.ts';
import { createClient } from '../../service/src/oidc/index.ts';
import type { BenchEntry } from '../harness/entry.ts';
import { sized } from '../harness/sizes.ts';
import type { BareReads } from '../support/bare-reads-server.ts';
import { startChildServer } from '../support/child-server.ts';
import { type ContractRead, contractReads } from '../support/contract-reads.ts';
import {
  BILLS,
  DEVICES,
  type FilledAccount,
  fillAccount,
  MEMBERS,
} from '../support/fill-account.ts';
import { measureLoad } from '../support/run-load.ts';
import { openServiceLab, type ServiceLab } from '../support/service-lab.ts';

const CONNECTIONS = 32;
const SECONDS = sized(2, 1);
const BARE = new URL('../support/bare-reads-server.ts', import.meta.url);
const REDIRECT_URI = 'https://app.example.test/callback';

/** A document with the members of the answer, as long as the answer when it is serialized. */
async function documentLike(
  { baseUrl }: ServiceLab,
  { path, status = 200 }: ContractRead,
  token: string,
): Promise<object> {
  const answer = await fetch(`${baseUrl}${path}`, {
    headers: { authorization: `Bearer ${token}` },
    redirect: 'manual',
  });
  const text = await answer.text();
  if (answer.status !== status)
    throw new Error(`${path} was answered ${answer.status}: ${text.slice(0, 500)}`);
  const body: unknown = status === 200 ? JSON.parse(text) : text;
  const missing = text.length - JSON.stringify({ body, pad: '' }).length;
  return { body, pad: 'x'.repeat(Math.max(0, missing)) };
}

async function openReads(
  lab: ServiceLab,
  { userId, depositId }: FilledAccount,
): Promise<{ reads: ContractRead[]; token: string }> {
  const { client } = await createClient(lab.database, systemClock, {
    name: 'Bench',
    isPublic: true,
    isFirstParty: false,
    redirectUris: [REDIRECT_URI],
    scopes: ['openid', 'account:read'],
    grantTypes: ['authorization_code'],
  });
  const { accessToken } = await lab.tokens.login(userId);
  return {
    reads: contractReads({ depositId, clientId: client.clientId, redirectUri: REDIRECT_URI }),
    token: accessToken,
  };
}

const entry: BenchEntry = {
  name: 'http-reads',
  summary:
    `each GET of the contract for a person with ${BILLS} bills in each wallet, ` +
    `${DEVICES} devices and ${MEMBERS} members, beside a bare Fastify route with one ` +
    `prepared primary-key SELECT that serializes the same document; ${CONNECTIONS} ` +
    'connections, the worst is the ratio',
  unit: 'requests/s',
  operation: 'request',
  goal: { ratio: 0.5, is: 'at least' },
  rounds: 3,
  async openCases() {
    let account: FilledAccount | undefined;
    const lab = await openServiceLab({
      // No process watches the network of these addresses.
      env: { ROLES: 'http,gateway,jobs' },
      async fill(database) {
        account = await fillAccount(database);
      },
    });
    if (!account) throw new Error('the account was not filled');
    const { reads, token } = await openReads(lab, account);
    const folder = mkdtempSync(join(tmpdir(), 'edge-account-bench-'));
    const file = join(folder, 'documents.json');
    const documents: object[] = [];
    for (const read of reads) documents.push(await documentLike(lab, read, token));
    writeFileSync(file, JSON.stringify(documents));
    const bare = await startChildServer<BareReads>(BARE, [lab.databaseUrl, file]);
    const load = { connections: CONNECTIONS, until: { seconds: SECONDS } };
    const bareProcesses = { ...lab.processes, service: bare.ready.pid };
    return {
      cases: reads.map(({ name, path, status = 200 }, i) => ({
        name,
        ours: () =>
          measureLoad(lab.processes, {
            ...load,
            port: lab.port,
            token,
            what: { kind: 'get', path, status },
          }),
        anchor: () =>
          measureLoad(bareProcesses, {
            ...load,
            port: bare.ready.port,
            what: { kind: 'get', path: `/${i}` },
          }),
      })),
      async close() {
        await bare.stop();
        await lab.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
};

export default entry;
