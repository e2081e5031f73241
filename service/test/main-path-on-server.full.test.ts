/** The main path on PostgreSQL. */
import { describeMainPath } from './support/main-path.ts';

describeMainPath('server');
