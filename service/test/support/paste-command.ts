/** A command as a person pastes it into a terminal of Linux. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { type WatchedOutput, watchOutput } from './watch-output.ts';

/** Gives the program a terminal: that of util-linux, which macOS has with other options. */
const SCRIPT = '/usr/bin/script';
const CURL = '/usr/bin/curl';
const WAIT_MS = 45_000;

/** What the tests lack on this machine; undefined: nothing. */
export function findMissingForPaste(): string | undefined {
  if (process.platform !== 'linux') return 'Linux';
  return [SCRIPT, CURL].find((path) => !existsSync(path));
}

interface Places {
  /** Where the command is pasted. */
  readonly folder: string;
  readonly home: string;
}

interface PastedCommand extends WatchedOutput {
  /** Closes the terminal; resolves once everything in it has ended. */
  close(): Promise<number | null>;
}

export function pasteCommand(command: string, { folder, home }: Places): PastedCommand {
  const child = spawn(SCRIPT, ['-qec', command, '/dev/null'], {
    cwd: folder,
    // Nothing of this process but its Node.js, before that of the machine.
    env: {
      PATH: `${dirname(process.execPath)}:${process.env.PATH ?? '/usr/bin:/bin'}`,
      HOME: home,
      SHELL: '/bin/sh',
      TERM: 'xterm',
    },
  });
  const watched = watchOutput(child, { wait_ms: WAIT_MS, clean: stripVTControlCharacters });
  return {
    ...watched,
    close() {
      child.kill('SIGTERM');
      return watched.exited;
    },
  };
}
