/** The packages contain what they need, are described correctly, and run in an empty folder. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../service/test/support/postgres-server.ts';
import { sized } from '../../service/test/support/scale.ts';
import { buildPackages, packFolder, type Tarball } from './build-packages.ts';
import { ROOT } from './compile.ts';

const run = promisify(execFile);
let folder: string;
let tarballs: Record<
  '@edge-account/sdk' | 'edge-terminal' | 'edge-signer' | 'edge-account',
  Tarball
>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'edge-account-packages-'));
  const packed = await Promise.all((await buildPackages(folder)).map(packFolder));
  tarballs = Object.fromEntries(
    packed.map((tarball) => [tarball.name, tarball]),
  ) as typeof tarballs;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FILES = {
  '@edge-account/sdk': [
    'dist/index.js',
    'dist/index.d.ts',
    'dist/reward-proof/index.d.ts',
    'dist/accent/index.d.ts',
  ],
  'edge-signer': ['signer/src/main.js'],
  'edge-terminal': [
    'terminal/src/index.d.ts',
    'terminal/src/main.js',
    'terminal/src/commands/run.js',
    'sdk/src/client.js',
  ],
  'edge-account': [
    'service/src/launcher.js',
    'service/src/index.d.ts',
    'service/src/identity/hashing/hash-worker.js',
    'service/src/identity/common-password-md5s.txt',
    'service/src/lib/time-zones.txt',
    'service/src/wallets/statement/statement-names.ttf',
    'service/src/wallets/statement/statement-fonts-license.txt',
    'service/migrations/0001_baseline/01_foundation.sql',
    'service/dist/edge-terminal.mjs',
    'service/dist/edge-extension/manifest.json',
    'service/dist/pdf-library.mjs',
    'service/dist/pdf-library-licenses.txt',
    'console/dist/index.html',
    'console/dist/authorize.html',
    'console/dist/push-worker.js',
    'docs/configuration.md',
  ],
} as const;

test.each(Object.entries(FILES))('%s contains what it needs, and no sources', (name, needed) => {
  const { files } = tarballs[name as keyof typeof FILES];
  expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE', ...needed]));
  expect(files.filter((path) => /(?<!\.d)\.tsx?$|\.test\./.test(path))).toEqual([]);
});

test.each(Object.keys(FILES))('publint finds nothing in %s', async (name) => {
  const { path } = tarballs[name as keyof typeof FILES];
  const tarball = new Uint8Array(readFileSync(path)).buffer;
  const { messages } = await publint({ pack: { tarball }, strict: true });
  expect(messages).toEqual([]);
});

/** `edge-signer` is a program only. */
const TYPED = ['@edge-account/sdk', 'edge-terminal', 'edge-account'] as const;

// Modules only: CommonJS loads them by `require(esm)`, and Node.js 10 is not supported.
const ATTW = [
  join(ROOT, 'node_modules/@arethetypeswrong/cli/dist/index.js'),
  ...['--profile', 'esm-only', '--format', 'ascii', '--no-color'],
];

test.each(TYPED)('the types of %s', async (name) => {
  const { stdout } = await run(process.execPath, [...ATTW, tarballs[name].path]);
  expect(stdout).not.toContain('does not contain types');
});

test('no package depends on one of this repository', () => {
  for (const name of ['sdk', 'edge-terminal', 'edge-signer', 'edge-account']) {
    const text = readFileSync(join(folder, name, 'package.json'), 'utf8');
    const manifest = JSON.parse(text) as { private?: boolean; dependencies: object };
    expect(manifest.private).toBeUndefined();
    const own = Object.keys(manifest.dependencies).filter((key) => /edge-/.test(key));
    expect(own).toEqual([]);
  }
});

async function waitForLine(program: ChildProcess, pattern: RegExp): Promise<void> {
  let text = '';
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      text += chunk.toString();
      if (pattern.test(text)) resolve();
    };
    program.stdout?.on('data', read);
    program.stderr?.on('data', read);
    program.once('exit', (code) => reject(new Error(`ended with ${code}:\n${text}`)));
  });
}

/** Ends a process and those that it started. */
function endGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
}

const PROGRAM = `
import { createEdgeClient, EdgeError, fixedToken, unwrap } from '@edge-account/sdk';
import type { ResponseBody } from '@edge-account/sdk';
import { verifyRewardProof } from '@edge-account/sdk/reward-proof';
import { startService } from 'edge-account';
import { runTerminal } from 'edge-terminal';
import type { RunningService } from 'edge-account';

const service: RunningService = await startService({ DATA_DIR: './other-data' });
const { api } = createEdgeClient({ baseUrl: service.baseUrl, tokens: fixedToken('none') });
const found: ResponseBody<'/me', 'get'> | string = await unwrap(api.GET('/me')).catch(
  (error: unknown) => (error instanceof EdgeError ? error.code : String(error)),
);
console.log(found, typeof verifyRewardProof, typeof runTerminal);
await service.stop();
process.exit(0);
`;

const SETTINGS = {
  compilerOptions: {
    module: 'nodenext',
    target: 'es2023',
    strict: true,
    types: ['node'],
    outDir: 'out',
  },
  files: ['program.ts'],
};

/** npm reads a registry that may be slow. */
const INSTALL_TIMEOUT_MS = 600_000;
const isFull = sized({ quick: false, full: true, soak: true });

test.runIf(isFull)(
  `packages run in an empty folder${isFull ? '' : ' (npm run test:full: it installs from npm)'}`,
  { timeout: INSTALL_TIMEOUT_MS },
  async () => {
    const empty = mkdtempSync(join(tmpdir(), 'edge-account-empty-'));
    // vitest sets BASE_URL.
    const { BASE_URL: _, ...inherited } = process.env;
    const env = { ...inherited, PORT: String(await findFreePort()) };
    const options = { cwd: empty, env };
    try {
      writeFileSync(join(empty, 'package.json'), '{"type":"module","private":true}');
      const paths = Object.values(tarballs).map(({ path }) => path);
      await run('npm', ['install', ...paths, '@types/node@24'], options);
      const service = spawn('npx', ['edge-account', 'serve'], { ...options, detached: true });
      try {
        await waitForLine(service, /edge-account is ready at/);
        const page = await fetch(`http://localhost:${env.PORT}/`, {
          headers: { accept: 'text/html' },
        });
        expect(await page.text()).toContain('<html');
        const login = await fetch(`http://localhost:${env.PORT}/user/register`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            email: 'a@edge.test',
            login_password: '0123456789abcdef0123456789abcdef',
            nickname: 'a',
          }),
        });
        expect(login.status).toBe(202);
        const terminal = await run('npx', ['edge-terminal', '--help'], options);
        expect(terminal.stdout).toContain('stay connected until stopped');
        const signer = await run('npx', ['edge-signer', '--help'], options).catch((error) => error);
        expect(`${signer.stdout}${signer.stderr}`).toContain('pays approved payouts');
      } finally {
        endGroup(service);
      }
      writeFileSync(join(empty, 'program.ts'), PROGRAM);
      writeFileSync(join(empty, 'tsconfig.json'), JSON.stringify(SETTINGS));
      await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc')], options);
      const { stdout } = await run(process.execPath, ['out/program.js'], options);
      expect(stdout).toContain('invalid_token function function');
    } finally {
      rmSync(empty, { recursive: true, force: true });
    }
  },
);
