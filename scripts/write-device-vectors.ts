/** Writes the test vectors of the wire protocol of devices; a test compares them. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { renderVectors } from '../service/test/device-protocol/render-vectors.ts';

const ROOT = new URL('../', import.meta.url).pathname;
const TARGET = `${ROOT}docs/guides/device-protocol.json`;

writeFileSync(TARGET, `${JSON.stringify(await renderVectors(), null, 2)}\n`);
spawnSync(`${ROOT}node_modules/.bin/biome`, ['format', '--write', TARGET], { stdio: 'inherit' });
