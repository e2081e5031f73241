import { readFileSync } from 'node:fs';
import net from 'node:net';
import { openServer, transaction } from '../../service/src/db/index.ts';
import { recordEvent } from '../../service/src/events/index.ts';
import { systemClock } from '../../service/src/lib/clock.ts';
import { startPostgres } from '../../service/test/support/postgres-server.ts';
import { type BenchEntry, round } from '../harness/entry.ts';
import { startChildServer } from '../support/child-server.ts';
import type { StreamsServer } from '../support/streams-server.ts';

const STREAMS = 10_000;
/** Connections being opened at once: less than the system queues. */
const CONCURRENCY = 100;
const IDLE_MS = 5000;

interface Stream {
  readonly socket: net.Socket;
  text: string;
}

function open(port: number, token: string): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1');
    const stream: Stream = { socket, text: '' };
    socket.once('error', reject);
    socket.once('close', () => reject(new Error(`the stream ended: ${stream.text.slice(0, 200)}`)));
    socket.on('data', (chunk: Buffer) => {
      stream.text += chunk.toString();
      if (stream.text.includes('event: ready')) resolve(stream);
    });
    socket.write(
      `GET /me/events HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n\r\n`,
    );
  });
}

async function openAll({ port, tokens }: StreamsServer): Promise<Stream[]> {
  const streams: Stream[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < STREAMS) streams.push(await open(port, tokens[next++ % tokens.length] ?? ''));
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return streams;
}

function memoryOf(pid: number): number {
  return Number(
    /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN,
  );
}

/** Processor time since the start, in seconds. */
function timeOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const entry: BenchEntry = {
  name: 'streams',
  summary:
    `memory of each of ${STREAMS} idle event streams on one process beside a bare Node ` +
    'HTTP server that holds as many',
  unit: 'KB per stream',
  goal: { ratio: 3, is: 'at most' },
  rounds: 2,
  async open() {
    const postgres = await startPostgres();
    const url = new URL(postgres.url);
    let databases = 0;
    async function makeDatabase(): Promise<void> {
      const name = `streams_${++databases}`;
      const admin = await openServer({ url: postgres.url, poolSize: 1, onError: () => {} });
      await admin.query(`create database ${name}`);
      await admin.close();
      url.pathname = `/${name}`;
    }
    const further: Record<string, string> = {};
    async function hold(
      kind: 'ours' | 'bare',
      during: (streams: Stream[], pid: number) => Promise<void>,
    ): Promise<number> {
      await makeDatabase();
      const server = await startChildServer<StreamsServer>(
        new URL('../support/streams-server.ts', import.meta.url),
        [kind, url.href],
      );
      try {
        const before = memoryOf(server.ready.pid);
        const streams = await openAll(server.ready);
        const each = (memoryOf(server.ready.pid) - before) / STREAMS;
        await during(streams, server.ready.pid);
        if (streams.some(({ socket }) => socket.destroyed)) throw new Error('a stream was lost');
        for (const { socket } of streams)
          socket
            .removeAllListeners()
            .on('error', () => {})
            .destroy();
        return each;
      } finally {
        await server.stop();
      }
    }
    async function reachAll(streams: Stream[]): Promise<void> {
      const database = await openServer({ url: url.href, poolSize: 2, onError: () => {} });
      for (const stream of streams) stream.text = '';
      const started = performance.now();
      await transaction(database, (tx) =>
        recordEvent(tx, systemClock, { isBroadcast: true, type: 'rewards.settled', data: {} }),
      );
      while (!streams.every(({ text }) => text.includes('rewards.settled'))) await wait(5);
      further['one event to all of them'] = `${round(performance.now() - started)} ms`;
      await database.close();
    }
    return {
      ours: () =>
        hold('ours', async (streams, pid) => {
          const before = timeOf(pid);
          await wait(IDLE_MS);
          further['processor while idle'] =
            `${round(((timeOf(pid) - before) / IDLE_MS) * 100_000)} %`;
          await reachAll(streams);
        }),
      anchor: () => hold('bare', async () => {}),
      further: async () => further,
      close: () => postgres.stop(),
    };
  },
};

export default entry;
