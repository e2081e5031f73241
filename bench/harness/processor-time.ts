/**
 * Processor time, user and system together, of the processes that take part in a benchmark. Linux
 * only: it is read from `/proc`; elsewhere the figures are absent and the wall clock is all there
 * is.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * Microseconds of processor time; a part that took no part, or that cannot be read here, is absent.
 */
export interface ProcessorTime {
  /** The process that serves: the service, or the bare server of an anchor. */
  readonly service_us?: number;
  /** All processes of the PostgreSQL server, those that have ended meanwhile included. */
  readonly database_us?: number;
  /** The process that makes the load. */
  readonly client_us?: number;
}

/** Times of one process, in clock ticks. */
export interface ProcessTimes {
  readonly parent: number;
  /** Of the process itself. */
  readonly own: number;
  /** Of its children that have ended. */
  readonly ended: number;
}

export const PARTS = ['service', 'database', 'client'] as const;
const MICROSECONDS = 1_000_000;

/** True where processor times of other processes can be read. */
export const canReadProcesses = process.platform === 'linux';

/**
 * Reads one line of `/proc/PID/stat`; the name of the program in it may hold spaces and brackets.
 */
export function parseStat(line: string): ProcessTimes {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const at = (place: number): number => Number(fields[place]);
  return { parent: at(1), own: at(11) + at(12), ended: at(13) + at(14) };
}

let ticks: number | undefined;

function toMicroseconds(count: number): number {
  ticks ??= Number(execFileSync('getconf', ['CLK_TCK']).toString());
  return (count * MICROSECONDS) / ticks;
}

function readTimes(pid: number | string): ProcessTimes | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // It has ended.
    return undefined;
  }
}

/** Processor time of one process so far, with its children that have ended. */
export function readProcessTime(pid: number): number | undefined {
  if (!canReadProcesses) return undefined;
  const times = readTimes(pid);
  return times && toMicroseconds(times.own + times.ended);
}

/**
 * Processor time so far of a process and all its children: PostgreSQL's postmaster is the parent of
 * every server process.
 */
export function readFamilyTime(pid: number): number | undefined {
  const first = canReadProcesses ? readTimes(pid) : undefined;
  if (!first) return undefined;
  const children = readdirSync('/proc').flatMap((name) => {
    const times = /^\d+$/.test(name) ? readTimes(name) : undefined;
    return times?.parent === pid ? [times] : [];
  });
  return toMicroseconds(
    [first, ...children].reduce((sum, times) => sum + times.own + times.ended, 0),
  );
}

/** The server process of a connection is a child of the postmaster. */
export function findPostmaster(serverProcess: number): number | undefined {
  return canReadProcesses ? readTimes(serverProcess)?.parent : undefined;
}

export interface MeasuredProcesses {
  readonly service?: number | undefined;
  readonly postmaster?: number | undefined;
}

/** What one round did. */
export interface Work {
  readonly figure: number;
  /** How many operations the processor time is shared by. */
  readonly operations: number;
  /**
   * As the client says itself; otherwise that of this process and of the programs that it ran
   * meanwhile.
   */
  readonly client_us?: number;
}

/** The figure of a round, with the processor time that each operation took. */
export interface Measured {
  readonly figure: number;
  readonly processor: ProcessorTime;
}

function readAll({ service, postmaster }: MeasuredProcesses): ProcessorTime {
  const part = (name: (typeof PARTS)[number], time: number | undefined): ProcessorTime =>
    time === undefined ? {} : { [`${name}_us`]: time };
  return {
    ...part('service', service === undefined ? undefined : readProcessTime(service)),
    ...part('database', postmaster === undefined ? undefined : readFamilyTime(postmaster)),
    ...part('client', service === process.pid ? undefined : readProcessTime(process.pid)),
  };
}

/** What each of `operations` took between two readings. */
export function differ(
  before: ProcessorTime,
  after: ProcessorTime,
  operations: number,
): ProcessorTime {
  return Object.fromEntries(
    PARTS.flatMap((name) => {
      const [from, to] = [before[`${name}_us`], after[`${name}_us`]];
      return from === undefined || to === undefined
        ? []
        : [[`${name}_us`, (to - from) / operations]];
    }),
  );
}

/** Runs one round and reads the clocks of the processes around it. */
export async function withProcessorTime(
  processes: MeasuredProcesses,
  work: () => Promise<Work>,
): Promise<Measured> {
  const before = readAll(processes);
  const { figure, operations, client_us } = await work();
  const processor = differ(before, readAll(processes), operations);
  return {
    figure,
    processor: {
      ...processor,
      ...(client_us !== undefined && { client_us: client_us / operations }),
    },
  };
}
