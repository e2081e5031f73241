/**
 * Clients that three generators make of the OpenAPI document compile, and walk the main path:
 * register, sign in with the mailed code, pay a reward, read it from the dashboard.
 */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sized } from '../support/scale.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';

const run = promisify(execFile);
const TSC = new URL('../../../node_modules/typescript/bin/tsc', import.meta.url).pathname;
const PACKAGES = [
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  '@hey-api/openapi-ts@0.99.0',
  'orval@8.38.0',
  'typescript@5.9.3',
  '@types/node@24',
];
const GENERATORS = {
  'openapi-typescript': ['openapi-typescript', 'openapi.json', '-o', 'src/types.ts'],
  'hey-api': ['openapi-ts', '-i', 'openapi.json', '-o', 'src/hey', '-c', '@hey-api/client-fetch'],
  orval: ['orval', '--config', 'orval.config.mjs'],
} as const;
const SETTINGS = {
  compilerOptions: {
    strict: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    noEmit: true,
    types: ['node'],
  },
  include: ['src'],
};
/** More digits than a double holds. */
const AMOUNT = '227.535714285714284701';

const isFull = sized({ quick: false, full: true, soak: true });
const reason = isFull ? '' : ' (npm run test:full: the generators are installed from npm)';

describe.runIf(isFull)(`generated clients${reason}`, () => {
  let folder: string;
  let service: ServiceProcess;
  let env: Record<string, string>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'edge-account-clients-'));
    service = await startService();
    const operator = readFileSync(join(service.dataDir, 'operator.json'), 'utf8');
    const { client_id, client_secret } = JSON.parse(operator) as Record<string, string>;
    env = {
      SERVICE: service.baseUrl,
      CLIENT_ID: client_id ?? '',
      CLIENT_SECRET: client_secret ?? '',
    };
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}');
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(SETTINGS));
    const output = { target: './src/orval.ts', client: 'fetch', baseUrl: service.baseUrl };
    const config = { edge: { input: './openapi.json', output } };
    writeFileSync(join(folder, 'orval.config.mjs'), `export default ${JSON.stringify(config)}`);
    const document = await (await fetch(`${service.baseUrl}/openapi.json`)).text();
    writeFileSync(join(folder, 'openapi.json'), document);
    await run('npm', ['install', '--ignore-scripts', ...PACKAGES], { cwd: folder });
    for (const [name, command] of Object.entries(GENERATORS)) {
      const program = new URL(`./${name}.ts.txt`, import.meta.url);
      copyFileSync(program, join(folder, 'src', `run-${name}.ts`));
      await run('npx', ['--no-install', ...command], { cwd: folder });
    }
  });
  afterAll(async () => {
    await service.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  test('they compile', async () => {
    // The compiler prints its errors and fails.
    const { stdout } = await run(process.execPath, [TSC, '-p', folder]).catch((error) => error);
    expect(stdout).toBe('');
  });

  test.each(Object.keys(GENERATORS))('the client of %s walks the main path', async (name) => {
    const file = join(folder, 'src', `run-${name}.js`);
    const input = join(folder, 'src', `run-${name}.ts`);
    const bundle = await rolldown({ input, platform: 'node', logLevel: 'silent' });
    await bundle.write({ file, format: 'esm', codeSplitting: false });
    await bundle.close();
    const { stdout } = await run(process.execPath, [file], { env: { ...process.env, ...env } });
    expect(stdout.trim()).toBe(AMOUNT);
  });
});
