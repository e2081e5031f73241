/** The machine in one line: figures without it mean nothing. */
import { arch, availableParallelism, cpus, platform, totalmem } from 'node:os';

export function describeMachine(): string {
  const memory_gib = Math.round(totalmem() / 2 ** 30);
  return (
    `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown processor'}, ` +
    `${memory_gib} GiB, ${platform()} ${arch()}, Node ${process.versions.node}`
  );
}
