/** All files of the archive. */
import { IDENTITY_FILES } from './identity-files.ts';
import { MONEY_FILES } from './money-files.ts';
import { NETWORK_FILES } from './network-files.ts';
import type { PersonFile } from './person-file.ts';

export const PERSON_FILES: readonly PersonFile[] = [
  ...IDENTITY_FILES,
  ...MONEY_FILES,
  ...NETWORK_FILES,
];
