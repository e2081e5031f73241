/** Builds the image of the Dockerfile without Docker, each step in the order of the file. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDockerfile, type Stage, type Step } from './dockerfile.ts';
import { createImageRoot, IMAGE_PATH, type ImageRoot } from './image-root.ts';

const CONTEXT = new URL('../../', import.meta.url).pathname;

/** What the file leaves behind: a tree, and how its programs start. */
export interface Image {
  readonly root: ImageRoot;
  readonly stage: Stage;
  readonly folder: string;
  readonly user: string;
  readonly env: Readonly<Record<string, string>>;
}

type Draft = { -readonly [K in keyof Image]: Image[K] };

/** How this machine reaches npm's registry; an image that is built by Docker needs none of it. */
function readNetwork(root: ImageRoot): Record<string, string> {
  const registry = execFileSync('npm', ['config', 'get', 'registry']).toString().trim();
  const isProxy = (name: string): boolean => /^(https?|no)_proxy$/i.test(name);
  const proxies = Object.entries(process.env).filter(([name]) => isProxy(name));
  const authority = process.env.NODE_EXTRA_CA_CERTS;
  if (authority !== undefined) copyFileSync(authority, join(root.folder, 'etc/authority.pem'));
  return {
    ...(Object.fromEntries(proxies) as Record<string, string>),
    ...(authority !== undefined && { NODE_EXTRA_CA_CERTS: '/etc/authority.pem' }),
    npm_config_registry: registry,
  };
}

async function take(step: Step, image: Draft, stages: ReadonlyMap<string, Image>): Promise<void> {
  const { root, folder, user } = image;
  if (step.kind === 'env') image.env = { ...image.env, ...step.values };
  if (step.kind === 'user') image.user = step.name;
  if (step.kind === 'workdir') {
    image.folder = step.folder;
    mkdirSync(join(root.folder, step.folder), { recursive: true });
  }
  if (step.kind === 'copy') {
    const from = step.from === undefined ? CONTEXT : stages.get(step.from)?.root.folder;
    if (from === undefined) throw new Error(`no stage is called ${step.from}`);
    const target = step.target.startsWith('/') ? step.target : `${folder}/${step.target}`;
    root.copy(from, step.sources, target);
  }
  if (step.kind === 'run') {
    const env = { ...readNetwork(root), ...image.env };
    const { code, output } = await root.run(['/bin/sh', '-c', step.line], { folder, user, env });
    if (code !== 0) throw new Error(`a step ended with ${code}: ${step.line}\n${output}`);
  }
}

/**
 * @param parent an empty folder, which its caller removes
 * @param onStep is called after each step
 * @returns the last stage
 */
export async function buildImage(
  parent: string,
  onStep: (stage: Stage, step: Step) => void,
): Promise<Image> {
  const stages = new Map<string, Image>();
  let last: Draft | undefined;
  for (const [index, stage] of readDockerfile(
    readFileSync(join(CONTEXT, 'Dockerfile'), 'utf8'),
  ).entries()) {
    const name = stage.name ?? String(index);
    mkdirSync(join(parent, name));
    const root = createImageRoot(join(parent, name));
    last = { root, stage, folder: '/', user: 'root', env: { PATH: IMAGE_PATH } };
    for (const step of stage.steps) {
      await take(step, last, stages);
      onStep(stage, step);
    }
    stages.set(name, last);
  }
  if (last === undefined) throw new Error('the Dockerfile has no stage');
  return last;
}
